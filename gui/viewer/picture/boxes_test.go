package picture

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/client/assert"
	"assay/gui/guitest"
)

// square is a box of the aggregation JSON.
func square(x, y, side float64, conclusions string) string {
	return fmt.Sprintf(`{"bbox":{"top_left":{"x":%[1]v,"y":%[2]v},"top_right":{"x":%[3]v,"y":%[2]v},"bottom_right":{"x":%[3]v,"y":%[4]v},"bottom_left":{"x":%[1]v,"y":%[4]v}},"conclusions":{%[5]s}}`,
		x, y, x+side, y+side, conclusions)
}

func (b *fixture) openBoxes(json string) {
	b.t.Helper()
	b.boxes = json
	b.open(image.Pt(400, 300))
	b.Until("the boxes are read", func() bool { return b.aggregation != nil })
	b.settle()
}

func TestBoxes(t *testing.T) {
	const oak = `"svc-oak-img":{"decision":"ARTIFICIAL"}`
	t.Run("A8 are drawn when asked for, with what each model says as sent", func(t *testing.T) {
		b := setup(t, paneSize)
		b.openBoxes(`{"image":{"width":400,"height":300},"bboxes":[` + square(100, 50, 100, oak+`,"svc-elm-img":{"decision":"odd word"}`) + `,` + square(300, 200, 50, "") + `]}`)
		if b.stage.boxes.visible() || !b.tools.boxesGroup.Visible() || b.tools.boxes.Label() != "Boxes 2" {
			t.Fatalf("on at first, or not offered: %q", b.tools.boxes.Label())
		}
		b.runes("b")
		v, _ := b.stage.views()
		whole := b.stage.place(v)
		line := b.stage.boxes.edges[4] // the upper side of the first, in white
		from, to := v.point(spot{whole.left + whole.width/4, whole.top + whole.height/6}), v.point(spot{whole.left + whole.width/2, whole.top + whole.height/6})
		if line.Position1 != from || line.Position2 != to {
			t.Errorf("%v to %v, want %v to %v", line.Position1, line.Position2, from, to)
		}
		b.stage.typedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		assert.Equal(t, []string{"Box 1 · bboxes[0]", "svc-elm-img: odd word", "svc-oak-img: ARTIFICIAL"}, b.stage.words.lines)
		at := v.point(spot{whole.left + 0.8*whole.width, whole.top + 0.7*whole.height})
		b.stage.Tapped(&fyne.PointEvent{Position: at})
		if len(b.stage.words.lines) == 0 || b.stage.words.lines[0] != "Box 2 · bboxes[1]" {
			t.Errorf("a click: %v", b.stage.words.lines)
		}
		b.stage.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: from.AddXY(5, 5)}})
		if b.stage.words.lines[0] != "Box 1 · bboxes[0]" {
			t.Errorf("the pointer: %v", b.stage.words.lines)
		}
		b.runes("b")
		if b.stage.boxes.visible() || b.stage.words.lines != nil {
			t.Error("they can't be switched off")
		}
	})
	t.Run("zoom and pan with the picture, and are cut at its edge", func(t *testing.T) {
		b := setup(t, paneSize)
		b.openBoxes(`{"bboxes":[` + square(-1000, 100, 1200, "") + `]}`)
		b.runes("b")
		for _, zoom := range []float64{0, 4, 32} {
			b.stage.zoom(zoom)
			b.stage.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(60, 30)})
			b.settle()
			v, _ := b.stage.views()
			whole := b.stage.place(v)
			seen := whole.within(v.frame())
			if got, want := b.stage.boxes.drawn[0][1], (spot{whole.left + whole.width/2, whole.top + whole.height/3}); !near(got.X, want.X) || !near(got.Y, want.Y) {
				t.Errorf("at %v the corner is at %v, want %v", zoom, got, want)
			}
			for _, edge := range b.stage.boxes.edges {
				for _, p := range []fyne.Position{edge.Position1, edge.Position2} {
					if !edge.Hidden && (float64(p.X) < seen.left-0.1 || float64(p.X) > seen.left+seen.width+0.1 || float64(p.Y) < seen.top-0.1 || float64(p.Y) > seen.top+seen.height+0.1) {
						t.Errorf("at %v a line goes to %v, beyond %v", zoom, p, seen)
					}
				}
			}
		}
	})
	t.Run("of a smaller copy are scaled", func(t *testing.T) {
		b := setup(t, paneSize)
		b.openBoxes(`{"image":{"width":200,"height":150},"bboxes":[` + square(100, 75, 50, oak) + `]}`)
		if got := b.stage.boxes.marks[0].corners[0]; got != (spot{0.5, 0.5}) {
			t.Errorf("%v", got)
		}
	})
	t.Run("of another shape are left out, and that is said", func(t *testing.T) {
		b := setup(t, paneSize)
		b.openBoxes(`{"image":{"width":200,"height":200},"bboxes":[` + square(0, 0, 50, oak) + `]}`)
		if len(b.stage.boxes.marks) != 0 || b.tools.boxesGroup.Visible() {
			t.Error("they are drawn")
		}
		assert.Equal(t, []string{"1 box is left out: the answer marks them on a picture of another shape, 200 × 200 pixels."}, b.notices())
	})
	t.Run("are spoken of once what is said of the heatmap is closed", func(t *testing.T) {
		b := setup(t, paneSize)
		b.openBoxes(`{"image":{"width":200,"height":200},"bboxes":[` + square(0, 0, 50, oak) + `]}`)
		b.change(func() { b.heatmaps["svc-elm-img"] = guitest.PNG(t, heatmapOf(image.Pt(300, 300))) })
		b.Show(viewer("one", "svc-elm-img"))
		b.settle()
		b.runes("2")
		b.settle()
		differs := "The heatmap's shape differs from the picture's by more than 1 %, so they are shown side by side."
		assert.Equal(t, []string{differs}, b.notices())
		b.heatNotice.Action().OnTapped()
		assert.Equal(t, []string{"1 box is left out: the answer marks them on a picture of another shape, 200 × 200 pixels."}, b.notices())
		b.boxNotice.Action().OnTapped()
		assert.Equal(t, 0, len(b.notices()))
	})
	t.Run("too many are not all drawn, and that is said", func(t *testing.T) {
		b := setup(t, paneSize)
		b.openBoxes(`{"bboxes":[` + strings.Repeat(square(1, 1, 50, oak)+",", 249) + square(2, 2, 50, oak) + `]}`)
		b.runes("b")
		if len(b.stage.boxes.marks) != 100 || len(b.notices()) != 1 || !strings.Contains(b.notices()[0], "first 100 of 250") {
			t.Errorf("%d, %v", len(b.stage.boxes.marks), b.notices())
		}
	})
	t.Run("where there is no such file, nothing is said", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(40, 30))
		b.Until("it was asked for", func() bool { return len(b.calls("aggregation")) == 1 })
		b.runes("b")
		if len(b.notices()) != 0 || b.stage.boxes.visible() || b.tools.boxesGroup.Visible() {
			t.Errorf("%v", b.notices())
		}
	})
	t.Run("A6 a file that can't be had is said in a sentence, with another try", func(t *testing.T) {
		b := setup(t, paneSize)
		b.fails["aggregation one"] = removed{}
		b.open(image.Pt(40, 30))
		b.Until("it is said", func() bool { return b.boxNotice.Visible() })
		if photo, _ := b.layers(); photo == nil || !strings.HasSuffix(b.boxNotice.Text(), "The service has removed it.") {
			t.Errorf("%q", b.boxNotice.Text())
		}
		b.change(func() {
			delete(b.fails, "aggregation one")
			b.boxes = `{"bboxes":[` + square(1, 1, 5, oak) + `]}`
		})
		b.boxNotice.Action().OnTapped()
		b.Until("the boxes are there", func() bool { return len(b.stage.boxes.marks) == 1 })
		if b.boxNotice.Visible() {
			t.Error("it is still said")
		}
	})
}

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
