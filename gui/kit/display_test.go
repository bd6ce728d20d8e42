package kit_test

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

func TestMarkIcon(t *testing.T) {
	m := kit.NewMarkIcon(look.MarkFake, 16)
	setup(t, m, 16, 16)
	if got := guitest.InSight[*canvas.Raster](m)[0].Generator(16, 16); got != look.Rasterise(look.MarkResource(look.MarkFake), 16, 16) {
		t.Error("shows something else")
	}
	m.SetMark(look.MarkNone)
	if len(guitest.InSight[*canvas.Raster](m)) != 0 {
		t.Error("no mark shows something")
	}
	if m.MinSize() != fyne.NewSquareSize(16) {
		t.Error("no mark takes no room")
	}
}

func TestProgress(t *testing.T) {
	p := kit.NewProgress()
	setup(t, p, 200, 4)
	for value, want := range map[float64]float32{0: 0, 0.25: 0.25, 1: 1, 7: 1, -1: 0} {
		p.SetValue(value)
		if got := guitest.Filled(p); got != want {
			t.Errorf("%g: %g is filled, want %g", value, got, want)
		}
	}
	p.SetUnknown()
	if at := guitest.InSight[*canvas.Rectangle](p)[1].Position().X; at == 0 || guitest.Filled(p) == 1 {
		t.Errorf("unknown, %g is filled from %g on", guitest.Filled(p), at)
	}
	p.SetValue(0.5)
	if guitest.InSight[*canvas.Rectangle](p)[1].Position().X != 0 || guitest.Filled(p) != 0.5 {
		t.Errorf("known again: %g is filled", guitest.Filled(p))
	}
}

func TestScoreScale(t *testing.T) {
	value := func(v float64) *float64 { return &v }
	tick := func(s *kit.ScoreScale) float32 {
		bars := guitest.InSight[*canvas.Rectangle](s)
		return bars[len(bars)-1].Position().X
	}
	t.Run("places the tick, at the ends for what lies beyond", func(t *testing.T) {
		s := kit.NewScoreScale(value(50), "50")
		setup(t, s, 203, 66)
		for v, want := range map[float64]float32{0: 0, 50: 100, 100: 200, 140: 200, -3: 0} {
			s.SetScore(value(v), "as sent")
			if got := tick(s); got != want {
				t.Errorf("%g: tick at %g, want %g", v, got, want)
			}
		}
		if !hasText(s, "as sent") || !hasText(s, "of 100 · ensemble") || !hasText(s, "no indication") || !hasText(s, "strong indication") {
			t.Error("words are missing")
		}
	})
	t.Run("an absent score is hatched and in words, zero is not", func(t *testing.T) {
		s := kit.NewScoreScale(nil, "")
		setup(t, s, 203, 66)
		if !hasText(s, "no score reported") || hasText(s, "0") || len(guitest.InSight[*canvas.Raster](s)) != 1 {
			t.Error("absent is drawn as a score")
		}
		s.SetScore(value(0), "0")
		if !hasText(s, "0") || hasText(s, "no score reported") || len(guitest.InSight[*canvas.Raster](s)) != 0 {
			t.Error("zero is drawn as absent")
		}
	})
	t.Run("opens its source by click and key, and is inert without one", func(t *testing.T) {
		s := kit.NewScoreScale(value(88), "88")
		w := setup(t, s, 203, 66)
		w.Canvas().FocusNext()
		if w.Canvas().Focused() != nil {
			t.Error("inert, it takes the focus")
		}
		opened := 0
		s.OnTapped = func() { opened++ }
		w.Canvas().FocusNext()
		tapAt(s, 5, 5)
		typeKeys(w.Canvas().Focused(), fyne.KeyReturn)
		if opened != 2 {
			t.Errorf("opened %d times", opened)
		}
	})
}

func TestThumbShowsPictureOrIcon(t *testing.T) {
	thumb := kit.NewThumb(44, look.IconWaveform)
	setup(t, thumb, 44, 44)
	icon := look.Rasterise(look.IconWaveform.Tinted(look.ColorMuted), 20, 20)
	if icons := guitest.InSight[*canvas.Raster](thumb); len(icons) != 1 || icons[0].Generator(20, 20) != icon || len(guitest.InSight[*canvas.Image](thumb)) > 0 {
		t.Fatal("no icon")
	}
	picture := image.NewRGBA(image.Rect(0, 0, 44, 44))
	thumb.SetImage(picture)
	if images := guitest.InSight[*canvas.Image](thumb); len(images) != 1 || images[0].Image != picture || len(guitest.InSight[*canvas.Raster](thumb)) > 0 {
		t.Error("no picture")
	}
	thumb.SetImage(nil)
	if icons := guitest.InSight[*canvas.Raster](thumb); len(icons) != 1 || len(guitest.InSight[*canvas.Image](thumb)) > 0 {
		t.Error("no icon again")
	}
}

func TestCardKeepsItsContentInside(t *testing.T) {
	content := widget.NewLabel("x")
	card := kit.NewCard(content)
	setup(t, card, 200, 100)
	if got := content.Position(); got != fyne.NewPos(16, 16) {
		t.Errorf("padded: content at %v", got)
	}
	card.SetPadding(0)
	if got := content.Position(); got != fyne.NewPos(1, 1) {
		t.Errorf("unpadded: content at %v", got)
	}
	card.SetFill(look.ColorFakeSoft)
	if got := guitest.InSight[*canvas.Rectangle](card)[1].FillColor; got != look.Color(look.ColorFakeSoft) {
		t.Errorf("filled with %v", got)
	}
}

func TestDropTargetIsDashed(t *testing.T) {
	for name, target := range map[string]*kit.DropTarget{
		"large": kit.NewDropTarget(widget.NewLabel("x")), "strip": kit.NewDropStrip(widget.NewLabel("x")),
	} {
		t.Run(name, func(t *testing.T) {
			w := setup(t, target, 300, 200)
			changes := 0
			last := color.Color(nil)
			picture := w.Canvas().Capture()
			for x := 40; x < 260; x++ {
				if c := picture.At(x, 0); c != last {
					changes++
					last = c
				}
			}
			if changes < 20 {
				t.Errorf("its edge changes colour %d times: not dashed", changes)
			}
		})
	}
}

func TestNotice(t *testing.T) {
	t.Run("grows with its sentence", func(t *testing.T) {
		n := kit.NewNotice(look.IconWarning, "Short.", "", nil)
		setup(t, n, 300, 40)
		low := n.MinSize().Height
		n.SetText(strings.Repeat("A long sentence wraps. ", 8))
		if n.MinSize().Height < low+40 {
			t.Errorf("%g high, was %g", n.MinSize().Height, low)
		}
	})
	t.Run("offers an action only where there is one", func(t *testing.T) {
		acted := false
		n := kit.NewNotice(look.IconWarning, "It failed.", "", nil)
		setup(t, n, 300, 40)
		if len(guitest.InSight[*kit.Button](n)) != 0 {
			t.Error("a button without an action")
		}
		n.SetAction("Try again", func() { acted = true })
		guitest.InSight[*kit.Button](n)[0].Tapped(nil)
		if !acted {
			t.Error("the action was not called")
		}
	})
}

func TestNoticeWithATitle(t *testing.T) {
	n := kit.NewNotice(look.IconInfo, "The key was not accepted.", "", nil)
	setup(t, n, 300, 100)
	plain := n.MinSize().Height
	n.SetTitle("Key refused")
	if n.Title() != "Key refused" || n.MinSize().Height < plain+10 {
		t.Errorf("%q, %v high, without it %v", n.Title(), n.MinSize().Height, plain)
	}
	if n.SetTitle(""); n.MinSize().Height != plain {
		t.Errorf("%v high, want %v", n.MinSize().Height, plain)
	}
}
