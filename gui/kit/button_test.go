package kit_test

import (
	"testing"

	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
)

func TestButton(t *testing.T) {
	t.Run("acts on click, Enter and Space", func(t *testing.T) {
		acted := 0
		b := kit.NewButton(kit.Primary, "Choose files…", nil, func() { acted++ })
		setup(t, b, 200, 34)
		test.Tap(b)
		typeKeys(b, fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace, fyne.KeyA)
		if acted != 4 {
			t.Errorf("acted %d times, want 4", acted)
		}
	})
	t.Run("does nothing while disabled, and is passed by", func(t *testing.T) {
		acted := 0
		b := kit.NewButton(kit.Plain, "Retry", nil, func() { acted++ })
		other := kit.NewButton(kit.Plain, "Other", nil, nil)
		w := setup(t, container.NewVBox(b, other), 200, 80)
		b.Disable()
		typeKeys(b, fyne.KeyReturn)
		b.Tapped(nil)
		w.Canvas().FocusNext()
		if acted != 0 || w.Canvas().Focused() != fyne.Focusable(other) {
			t.Errorf("acted %d times, focus on %v", acted, w.Canvas().Focused())
		}
	})
	t.Run("shows the focus in every kind", func(t *testing.T) {
		for _, kind := range []kit.Kind{kit.Plain, kit.Primary, kit.Bare} {
			b := kit.NewButton(kind, "Agree", look.IconCheck, nil)
			w := setup(t, container.NewPadded(b), 200, 50)
			before := w.Canvas().Capture()
			w.Canvas().Focus(b)
			if guitest.PixelsApart(before, w.Canvas().Capture()) < 100 {
				t.Errorf("kind %d: focus is not to be seen", kind)
			}
		}
	})
	t.Run("has a name without words", func(t *testing.T) {
		b := kit.NewButton(kit.Bare, "", look.IconPause, nil)
		b.SetToolTip("Pause")
		if got := b.AccessibilityLabel(); got != "Pause" {
			t.Errorf("named %q", got)
		}
		b.Disable()
		if got := b.AccessibilityLabel(); got != "Pause, not available" {
			t.Errorf("disabled, it is named %q", got)
		}
	})
	t.Run("is as wide as its words and icon need", func(t *testing.T) {
		b := kit.NewButton(kit.Plain, "Pause all", look.IconPause, nil)
		setup(t, b, 10, 10)
		wide := b.MinSize().Width
		b.SetLabel("Go on")
		b.SetIcon(nil)
		if got := b.MinSize(); got.Width >= wide || got.Height != look.ControlHeight {
			t.Errorf("size %v after shortening, was %g wide", got, wide)
		}
	})
	t.Run("follows the theme", func(t *testing.T) {
		b := kit.NewButton(kit.Plain, "Agree", nil, nil)
		setup(t, b, 200, 34)
		light := guitest.InSight[*canvas.Text](b)[0].Color
		fyne.CurrentApp().Settings().SetTheme(look.New(look.ModeDark))
		if dark := guitest.InSight[*canvas.Text](b)[0].Color; dark == light || dark != look.Color(look.ColorText) {
			t.Errorf("ink %v after %v", dark, light)
		}
	})
}
