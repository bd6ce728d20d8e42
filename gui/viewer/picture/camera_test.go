package picture

import (
	"image"
	"math"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 0.01 }

func TestCamera(t *testing.T) {
	picture, frame := image.Pt(4000, 2000), spot{1000, 800}
	t.Run("fits the whole picture, in the middle", func(t *testing.T) {
		if got, want := fitted.place(picture, picture, frame), (placed{0, 150, 1000, 500}); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	})
	t.Run("100 % is a screen pixel for each of the picture's", func(t *testing.T) {
		p := camera{zoom: 1, centre: spot{0.5, 0.5}}.place(picture, picture, frame)
		if want := (placed{-1500, -600, 4000, 2000}); p != want {
			t.Fatalf("%v, want %v", p, want)
		}
		if got, want := p.seen(picture, frame), image.Rect(1500, 600, 2500, 1400); got != want {
			t.Errorf("sees %v, want %v", got, want)
		}
	})
	t.Run("what is under the pointer stays there", func(t *testing.T) {
		at := spot{700, 300}
		c := fitted
		under := func() spot {
			p := c.place(picture, picture, frame)
			return spot{(at.X - p.left) / p.width, (at.Y - p.top) / p.height}
		}
		before := under()
		for _, zoom := range []float64{1, 3, 16, 5} {
			c = c.zoomedTo(zoom, at, picture, frame)
			if after := under(); math.Abs(after.X-before.X) > 0.001 || math.Abs(after.Y-before.Y) > 0.001 {
				t.Errorf("at %v: %v, before %v", zoom, after, before)
			}
		}
	})
	t.Run("no edge comes away from the frame's", func(t *testing.T) {
		c := camera{zoom: 2, centre: spot{0.5, 0.5}}.panned(spot{1e6, -1e6}, picture, frame)
		p := c.place(picture, picture, frame)
		if p.left != 0 || p.top+p.height != frame.Y {
			t.Errorf("%v", p)
		}
		if p = c.panned(spot{-10, 0}, picture, frame).place(picture, picture, frame); p.left != -10 {
			t.Errorf("panning against an edge is owed back: %v", p)
		}
	})
	t.Run("zoom ends at the whole picture and at pixels that can be counted", func(t *testing.T) {
		if c := fitted.zoomedTo(1e9, spot{0, 0}, picture, frame); c.zoom != maxZoom {
			t.Errorf("in: %v", c.zoom)
		}
		if c := fitted.zoomedTo(1e-9, spot{0, 0}, picture, frame); c.zoom != 0.25 {
			t.Errorf("out: %v", c.zoom)
		}
		if c := fitted.zoomedTo(1e-9, spot{0, 0}, image.Pt(10, 10), frame); c.zoom != 1 {
			t.Errorf("out of a small one: %v", c.zoom)
		}
	})
	t.Run("steps go over the fit, 100 % and 200 %", func(t *testing.T) {
		c := camera{zoom: 0.5, centre: fitted.centre}
		if zoom, fits := c.stepped(false, picture, frame); !near(zoom, 1.0/3) || fits {
			t.Errorf("down: %v %v", zoom, fits)
		}
		c.zoom = 1.0 / 3
		if zoom, fits := c.stepped(false, picture, frame); zoom != 0.25 || !fits {
			t.Errorf("down to the fit: %v %v", zoom, fits)
		}
		if zoom, fits := fitted.stepped(false, picture, frame); zoom != 0.25 || !fits {
			t.Errorf("below the fit: %v %v", zoom, fits)
		}
		c.zoom = 1
		if zoom, _ := c.stepped(true, picture, frame); zoom != 1.5 {
			t.Errorf("up: %v", zoom)
		}
		c.zoom = maxZoom
		if zoom, _ := c.stepped(true, picture, frame); zoom != maxZoom {
			t.Errorf("beyond the end: %v", zoom)
		}
	})
	t.Run("a copy of another size shows the same part", func(t *testing.T) {
		c := camera{zoom: 3, centre: spot{0.2, 0.7}}
		small := image.Pt(400, 200)
		if got, want := c.place(small, picture, frame), c.place(picture, picture, frame); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	})
	t.Run("one pixel, and a line of thirty thousand", func(t *testing.T) {
		if p := fitted.place(image.Pt(1, 1), image.Pt(1, 1), frame); p != (placed{100, 0, 800, 800}) || p.seen(image.Pt(1, 1), frame) != image.Rect(0, 0, 1, 1) {
			t.Errorf("%v", p)
		}
		long := image.Pt(30_000, 1)
		p := fitted.place(long, long, frame)
		if p.height < 1 || p.pixels() != image.Pt(1000, 1) || p.seen(long, frame) != (image.Rectangle{Max: long}) {
			t.Errorf("%v sees %v", p, p.seen(long, frame))
		}
		c := fitted.zoomedTo(16, spot{500, 400}, long, frame)
		if part := c.place(long, long, frame).seen(long, frame); part.Dx() > 64 || part.Dy() != 1 {
			t.Errorf("at 1,600 %%: %v", part)
		}
	})
	t.Run("never more than the screen's pixels are asked for", func(t *testing.T) {
		for _, zoom := range []float64{0, 0.3, 1, 7.3, 32} {
			p := camera{zoom: zoom, centre: spot{0.31, 0.77}}.settled(picture, frame).place(picture, picture, frame)
			size := p.at(p.seen(picture, frame), picture).pixels()
			if size.X > int(frame.X)+2*maxZoom || size.Y > int(frame.Y)+2*maxZoom {
				t.Errorf("at %v: %v", zoom, size)
			}
		}
	})
}
