package picture

import (
	"image"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/gui/guitest"
	"assay/gui/present"
)

func TestSwipe(t *testing.T) {
	b := setup(t, paneSize)
	b.open(image.Pt(400, 400)) // narrower than the stage, so that its edges are not the stage's
	b.runes("3")
	s := b.stage
	v, _ := s.views()
	whole := s.place(v).within(v.frame())
	left, right := float32(whole.left), float32(whole.left+whole.width)
	clip := func() (from, to float32) {
		return s.upper.clip.Position().X, s.upper.clip.Position().X + s.upper.clip.Size().Width
	}
	lineAt := func() float32 { return s.divider.Position().X + s.divider.line }
	near := func(a, b float32) bool { return a-b < 1 && b-a < 1 }

	t.Run("the heatmap is at the right of the divider", func(t *testing.T) {
		if from, to := clip(); !near(from, (left+right)/2) || to < right || !near(lineAt(), from) {
			t.Errorf("%v to %v, line at %v", from, to, lineAt())
		}
	})
	t.Run("and lies where the photo does, whatever is hidden of it", func(t *testing.T) {
		for _, at := range []float64{0, 0.3, 0.9} {
			b.stage.setDivide(at)
			atPhoto, photo := b.bounds(s.lower)
			atHeat, heatmap := b.bounds(s.upper)
			if !near(atPhoto.X, atHeat.X) || atPhoto.Y != atHeat.Y || photo != heatmap {
				t.Errorf("at %v: %v %v and %v %v", at, atPhoto, photo, atHeat, heatmap)
			}
		}
	})
	t.Run("true ends", func(t *testing.T) {
		b.stage.setDivide(0)
		if from, _ := clip(); !near(from, left) {
			t.Errorf("at the left: heatmap from %v", from)
		}
		b.stage.setDivide(1)
		if s.upper.clip.Visible() {
			t.Error("at the right: something of the heatmap is left")
		}
		if !s.divider.Visible() || s.divider.Position().X+s.divider.Size().Width > s.size.Width {
			t.Error("the divider can't be brought back")
		}
	})
	t.Run("is dragged", func(t *testing.T) {
		b.stage.setDivide(0.5)
		drag := func(by float32) { s.divider.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(by, 0)}) }
		drag(float32(whole.width) / 4)
		if got := b.stage.divide; got < 0.74 || got > 0.76 {
			t.Errorf("at %v", got)
		}
		drag(10_000)
		if b.stage.divide != 1 {
			t.Errorf("beyond the end: %v", b.stage.divide)
		}
		drag(-10_000)
		if got := b.stage.divide; got < 0.74 || got > 0.76 {
			t.Errorf("it does not stay under the pointer: %v", got)
		}
		s.divider.DragEnd()
		drag(-10_000)
		if b.stage.divide != 0 {
			t.Errorf("the other end: %v", b.stage.divide)
		}
		s.divider.DragEnd()
	})
	t.Run("is moved by keys", func(t *testing.T) {
		key := func(name fyne.KeyName) { s.divider.TypedKey(&fyne.KeyEvent{Name: name}) }
		key(fyne.KeyEnd)
		if b.stage.divide != 1 {
			t.Errorf("End: %v", b.stage.divide)
		}
		key(fyne.KeyLeft)
		if got := b.stage.divide; got != 0.98 {
			t.Errorf("left: %v", got)
		}
		key(fyne.KeyHome)
		key(fyne.KeyRight)
		if got := b.stage.divide; got != 0.02 {
			t.Errorf("right: %v", got)
		}
	})
	t.Run("passes letters on", func(t *testing.T) {
		s.divider.TypedRune('1')
		if b.stage.mode != Original || s.divider.Visible() {
			t.Error("it swallows them")
		}
	})
}

func TestBlink(t *testing.T) {
	b := setup(t, paneSize)
	b.open(image.Pt(40, 30))
	b.runes("4")
	_, heatmap := b.layers()
	shown := func() bool { return heatmap.Translucency < 1 }
	if !shown() {
		t.Error("the heatmap does not come first")
	}
	pixels := heatmap.Image
	b.tick()
	first := shown()
	b.tick()
	if first || !shown() || heatmap.Image != pixels {
		t.Errorf("they do not take turns: %v, %v", first, shown())
	}
	t.Run("stops while the pane is out of sight", func(t *testing.T) {
		b.Stop()
		b.tick()
		if !shown() {
			t.Error("it goes on")
		}
		b.Show(b.shown)
		b.tick()
		if shown() {
			t.Error("it does not begin again")
		}
	})
	t.Run("Space takes turns by hand, and ends those by themselves", func(t *testing.T) {
		before := shown()
		b.stage.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
		if shown() == before {
			t.Error("Space does nothing")
		}
		before = shown()
		b.tick()
		if shown() != before {
			t.Error("it goes on by itself")
		}
		b.stage.Tapped(&fyne.PointEvent{Position: fyne.NewPos(200, 100)})
		if shown() == before {
			t.Error("a click does nothing")
		}
	})
	t.Run("ends with the mode", func(t *testing.T) {
		b.runes("1")
		b.runes("4")
		b.runes("2")
		b.tick()
		b.tick()
		if !shown() || len(b.ticks) != 0 {
			t.Error("it goes on")
		}
	})
}

func TestViewsStayInStep(t *testing.T) {
	b := setup(t, paneSize)
	b.open(image.Pt(1200, 900))
	b.runes("5")
	s := b.stage
	v, hv := s.views()
	if v.size != hv.size || v.size.Width >= s.size.Width/2 {
		t.Fatalf("frames %v and %v on %v", v.size, hv.size, s.size)
	}
	same := func(when string) {
		t.Helper()
		b.settle()
		atPhoto, photo := b.bounds(s.lower)
		atTwin, twin := b.bounds(s.twin)
		atHeat, heatmap := b.bounds(s.upper)
		across := fyne.NewDelta(hv.left-v.left, 0)
		if photo != heatmap || photo != twin || atPhoto.Add(across) != atHeat || atTwin != atHeat {
			t.Errorf("%s: photo %v %v, heatmap %v %v", when, atPhoto, photo, atHeat, heatmap)
		}
		if s.lower.drawn.part != s.upper.drawn.part || s.lower.drawn.size != s.upper.drawn.size {
			t.Errorf("%s: %v and %v", when, s.lower.drawn, s.upper.drawn)
		}
	}
	same("fitted")
	b.stage.zoom(2)
	same("at 200 %")
	s.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(-120, 40)})
	same("panned")
	s.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(hv.left+20, 90)}, Scrolled: fyne.NewDelta(0, 75)})
	same("zoomed over the heatmap")
	b.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	same("panned by a key")
	b.runes("0")
	same("fitted again")
}

func TestDisturbingMaterial(t *testing.T) {
	t.Run("nothing is shown before it is blurred", func(t *testing.T) {
		b := setup(t, paneSize)
		b.SetPreview(present.PreviewBlurred)
		b.picture("one", guitest.PNG(t, scene(image.Pt(400, 300))))
		b.Show(viewer("one"))
		b.Until("something is shown", func() bool { photo, _ := b.layers(); return photo != nil })
		if drawn := b.stage.lower.drawn; drawn.preview != present.PreviewBlurred || drawn.of != b.stage.blurred {
			t.Errorf("drawn %v", drawn)
		}
		b.stage.zoom(8)
		b.settle()
		if b.stage.lower.drawn.of != b.stage.blurred {
			t.Error("the zoom shows what is blurred")
		}
	})
	t.Run("a change hides the old pixels at once", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(400, 300))
		b.runes("5")
		b.SetPreview(present.PreviewGrey)
		if photo, _ := b.layers(); photo != nil || b.stage.twin.clip.Visible() {
			t.Error("colours are still there")
		}
		b.settle()
		photo, _ := b.layers()
		if c := pixel(photo, 100, 20); c.R != c.G || c.G != c.B {
			t.Errorf("not grey: %v", c)
		}
	})
	t.Run("is said, and can be seen as it is", func(t *testing.T) {
		b := setup(t, paneSize)
		b.SetPreview(present.PreviewGrey)
		b.open(image.Pt(40, 30))
		if len(b.notices()) != 1 || len(b.previews) != 0 {
			t.Fatalf("%v %v", b.notices(), b.previews)
		}
		b.previewed.Action().OnTapped()
		b.settle()
		if len(b.notices()) != 0 || b.stage.preview != present.PreviewPlain || len(b.previews) != 1 {
			t.Errorf("%v %v", b.notices(), b.previews)
		}
		b.runes("g")
		if b.stage.preview != present.PreviewBlurred || len(b.previews) != 2 {
			t.Errorf("%q %v", b.stage.preview, b.previews)
		}
	})
	t.Run("is uncovered by a click, and by holding while that lasts", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(400, 300))
		press := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary}
		want := func(when string, preview present.Preview) {
			t.Helper()
			if b.stage.preview != preview {
				t.Errorf("%s it is shown as %q", when, b.stage.preview)
			}
		}
		for _, end := range map[string]func(){
			"the button is let go": func() { b.stage.MouseUp(press) }, "after a movement": b.stage.DragEnd, "the pointer leaves": b.stage.MouseOut,
		} {
			b.SetPreview(present.PreviewBlurred)
			b.stage.MouseDown(press)
			want("while the button is down", present.PreviewPlain)
			b.tick()
			want("while it is held", present.PreviewPlain)
			end()
			want("after that", present.PreviewBlurred)
			b.stage.MouseUp(press)
			b.stage.Tapped(&fyne.PointEvent{})
			want("after the click that follows", present.PreviewBlurred)
		}
		b.stage.MouseDown(press)
		b.stage.MouseUp(press)
		b.stage.Tapped(&fyne.PointEvent{})
		want("after a click", present.PreviewPlain)
		b.SetPreview(present.PreviewBlurred)
		b.stage.MouseDown(&desktop.MouseEvent{Button: desktop.MouseButtonSecondary})
		want("after the other button", present.PreviewBlurred)
	})
	t.Run("a heatmap is covered with the photo: some have it in them", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(400, 300))
		b.runes("5")
		b.Until("the heatmap", func() bool { _, heat := b.layers(); return heat != nil })
		b.SetPreview(present.PreviewBlurred)
		if _, heat := b.layers(); heat != nil {
			t.Error("it stays as it is until it is blurred")
		}
		b.Until("it is blurred", func() bool { _, heat := b.layers(); return heat != nil })
		if b.stage.upper.drawn.blur == 0 {
			t.Error("it is shown as it is")
		}
	})
}
