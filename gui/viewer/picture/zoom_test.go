package picture

import (
	"image"
	"image/color"
	"testing"

	"fyne.io/fyne/v2"

	"assay/gui/guitest"
)

func TestZoomGoesToThePixel(t *testing.T) {
	t.Run("at 100 % each pixel is a pixel of the screen", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(1000, 900))
		b.stage.zoom(1)
		b.settle()
		photo, _ := b.layers()
		part := b.stage.lower.drawn.part
		if photo.Image.Bounds().Size() != part.Size() || photo.Size() != fyne.NewSize(float32(part.Dx()), float32(part.Dy())) {
			t.Fatalf("%v pixels of %v on %v", photo.Image.Bounds(), part, photo.Size())
		}
		whole := scene(image.Pt(1000, 900))
		for _, at := range []image.Point{{0, 0}, {17, 60}, {300, 200}} {
			from := at.Add(part.Min)
			if got, want := pixel(photo, at.X, at.Y), whole.NRGBAAt(from.X, from.Y); got != color.RGBA(want) {
				t.Errorf("%v: %v, want %v", at, got, want)
			}
		}
	})
	t.Run("at 800 % pixels are squares", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(1000, 900))
		b.runes("2")
		b.stage.zoom(8)
		b.settle()
		photo, heatmap := b.layers()
		for _, square := range []image.Point{{0, 0}, {5, 9}, {30, 20}} {
			first, heat := pixel(photo, 8*square.X, 8*square.Y), pixel(heatmap, 8*square.X, 8*square.Y)
			for y := range 8 {
				for x := range 8 {
					if pixel(photo, 8*square.X+x, 8*square.Y+y) != first || pixel(heatmap, 8*square.X+x, 8*square.Y+y) != heat {
						t.Fatalf("square %v is not of one colour at %d,%d", square, x, y)
					}
				}
			}
			if pixel(photo, 8*square.X+8, 8*square.Y) == first {
				t.Errorf("square %v is too wide", square)
			}
		}
	})
	t.Run("the wheel zooms where the pointer is", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(1000, 900))
		at := fyne.NewPos(300, 100)
		b.stage.zoom(1)
		under := func() spot {
			v, _ := b.stage.views()
			p, place := b.stage.place(v), v.spot(at)
			return spot{(place.X - p.left) / p.width, (place.Y - p.top) / p.height}
		}
		before := under()
		for range 6 {
			b.stage.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: at}, Scrolled: fyne.NewDelta(0, 25)})
		}
		if zoom, fits := b.zoom(); fits || zoom < 2 {
			t.Errorf("zoom %v", zoom)
		}
		if after := under(); after.X-before.X > 0.002 || before.X-after.X > 0.002 || after.Y-before.Y > 0.002 || before.Y-after.Y > 0.002 {
			t.Errorf("%v came to the pointer, not %v", after, before)
		}
		for range 20 {
			b.stage.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: at}, Scrolled: fyne.NewDelta(0, -25)})
		}
		if _, fits := b.zoom(); !fits {
			t.Error("zoomed out, the picture does not fit")
		}
	})
	t.Run("keys zoom and pan, and the zoom is said", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(1000, 900))
		said := func() string { return b.tools.zoom.Options()[b.tools.zoom.Selected()] }
		if said() != "Fit" {
			t.Errorf("at first %q", said())
		}
		if b.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight}) {
			t.Error("an arrow is taken where there is nowhere to go")
		}
		b.runes("+++")
		if said() != "100 %" {
			t.Errorf("three steps up: %q", said())
		}
		before := b.stage.camera.centre
		if !b.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight}) || b.stage.camera.centre.X <= before.X {
			t.Error("the right arrow does not go to the right")
		}
		b.tools.zoom.Select(3)
		if zoom, _ := b.zoom(); zoom != 4 || said() != "400 %" {
			t.Errorf("from the menu: %v, %q", zoom, said())
		}
		b.runes("0")
		if said() != "Fit" {
			t.Errorf("back: %q", said())
		}
	})
	t.Run("dragging moves the picture and goes no further than its edge", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(1000, 900))
		b.stage.zoom(1)
		b.settle()
		before, _ := b.bounds(b.stage.lower)
		b.stage.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(-30, 20)})
		after, _ := b.bounds(b.stage.lower) // at once, with the old pixels
		if after.X != before.X-30 || after.Y != before.Y+20 {
			t.Errorf("from %v to %v", before, after)
		}
		b.stage.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(1e6, 1e6)})
		b.settle()
		if at, _ := b.bounds(b.stage.lower); at != fyne.NewPos(0, 0) || b.stage.lower.drawn.part.Min != (image.Point{}) {
			t.Errorf("at the corner: %v, %v", at, b.stage.lower.drawn.part)
		}
	})
}

func TestAllPixelsAreOpenedOnlyWhenAZoomNeedsThem(t *testing.T) {
	b := setup(t, paneSize)
	b.open(image.Pt(6000, 40))
	if b.stage.near.Size().X >= 6000 {
		t.Fatal("the fitted picture has all pixels already")
	}
	if n := len(b.calls("original")); n != 1 {
		t.Fatalf("opened %d times for the fitted picture", n)
	}
	b.change(func() { b.hold["original one"] = make(chan struct{}) })
	b.stage.zoom(4)
	b.Until("all pixels are being opened", func() bool { return len(b.calls("original")) == 2 && !b.stage.rendering })
	photo, _ := b.layers()
	if photo == nil || b.stage.full != nil || photo.Image.Bounds().Dx() > 200 {
		t.Error("until they are there, the old ones are not simply stretched")
	}
	close(b.hold["original one"])
	b.settle()
	if b.stage.lower.drawn.of != b.stage.full || b.stage.lower.drawn.lead != image.Pt(6000, 40) {
		t.Fatal("the zoom does not show them")
	}
	part := b.stage.lower.drawn.part
	if got, want := pixel(photo, 2, 2), scene(image.Pt(6000, 40)).NRGBAAt(part.Min.X, part.Min.Y); got != color.RGBA(want) {
		t.Errorf("%v, want %v", got, want)
	}
	b.stage.zoom(8)
	b.settle()
	if n := len(b.calls("original")); n != 2 {
		t.Errorf("opened %d times", n)
	}
	b.picture("two", guitest.PNG(t, scene(image.Pt(40, 30))))
	b.Show(viewer("two"))
	if b.stage.full != nil {
		t.Error("they are kept for another picture")
	}
	b.settle()
}

func TestAFileThatChangedIsNotMixedUp(t *testing.T) {
	b := setup(t, paneSize)
	b.open(image.Pt(6000, 40))
	b.picture("one", guitest.PNG(t, scene(image.Pt(6000, 41))))
	b.stage.zoom(4)
	b.Until("it is said", func() bool { return b.photoNotice.Visible() })
	if b.stage.full != nil {
		t.Error("the other file's pixels are shown")
	}
}
