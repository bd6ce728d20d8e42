package picture

import "testing"

func TestOutlines(t *testing.T) {
	frame := placed{10, 20, 100, 50}
	t.Run("a line is cut at the picture's edges", func(t *testing.T) {
		for _, c := range []struct {
			name           string
			a, b, from, to spot
			ok             bool
		}{
			{"within", spot{20, 30}, spot{40, 60}, spot{20, 30}, spot{40, 60}, true},
			{"through", spot{0, 30}, spot{200, 30}, spot{10, 30}, spot{110, 30}, true},
			{"at a slant", spot{0, 10}, spot{200, 210}, spot{10, 20}, spot{60, 70}, true},
			{"beside", spot{0, 0}, spot{200, 0}, spot{}, spot{}, false},
			{"past a corner", spot{0, 60}, spot{40, 110}, spot{}, spot{}, false},
			{"from far away", spot{-1e9, 40}, spot{1e9, 40}, spot{10, 40}, spot{110, 40}, true},
		} {
			t.Run(c.name, func(t *testing.T) {
				from, to, ok := clippedLine(c.a, c.b, frame)
				if ok != c.ok || !near(from.X, c.from.X) || !near(from.Y, c.from.Y) || !near(to.X, c.to.X) || !near(to.Y, c.to.Y) {
					t.Errorf("%v %v %v", from, to, ok)
				}
			})
		}
	})
	t.Run("a rotated box holds its middle and not the corner of its bounds", func(t *testing.T) {
		box := [4]spot{{10, 0}, {20, 10}, {10, 20}, {0, 10}}
		if !inside(spot{10, 10}, box) || inside(spot{1, 1}, box) || area(box) != 200 {
			t.Errorf("%v %v %v", inside(spot{10, 10}, box), inside(spot{1, 1}, box), area(box))
		}
	})
}
