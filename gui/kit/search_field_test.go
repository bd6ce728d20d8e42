package kit_test

import (
	"slices"
	"testing"

	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
)

func TestSearchField(t *testing.T) {
	t.Run("searches as it is typed into", func(t *testing.T) {
		var told []string
		f := kit.NewSearchField("Search", func(text string) { told = append(told, text) })
		setup(t, f, 200, 34)
		test.Type(f, "ab")
		if !slices.Equal(told, []string{"a", "ab"}) {
			t.Errorf("told %q", told)
		}
	})
	t.Run("Escape empties it, and leaves it where it is empty", func(t *testing.T) {
		left := 0
		f := kit.NewSearchField("Search", nil)
		f.OnLeave = func() { left++ }
		setup(t, f, 200, 34)
		f.SetText("ab")
		typeKeys(f, fyne.KeyEscape)
		if f.Text != "" || left != 0 {
			t.Errorf("text %q, left %d times", f.Text, left)
		}
		typeKeys(f, fyne.KeyEscape)
		if left != 1 {
			t.Errorf("left %d times", left)
		}
	})
	t.Run("Enter and down leave it with its text", func(t *testing.T) {
		left := 0
		f := kit.NewSearchField("Search", nil)
		f.OnLeave = func() { left++ }
		setup(t, f, 200, 34)
		f.SetText("ab")
		typeKeys(f, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyDown)
		if f.Text != "ab" || left != 3 {
			t.Errorf("text %q, left %d times", f.Text, left)
		}
	})
	t.Run("without a place to go to, leaving takes the focus away", func(t *testing.T) {
		f := kit.NewSearchField("Search", nil)
		w := setup(t, f, 200, 34)
		w.Canvas().Focus(f)
		typeKeys(f, fyne.KeyEscape)
		if w.Canvas().Focused() != nil {
			t.Errorf("the focus is on %T", w.Canvas().Focused())
		}
	})
	t.Run("has a button to empty it while there is a text", func(t *testing.T) {
		f := kit.NewSearchField("Search", nil)
		setup(t, f, 200, 34)
		if len(shown[*kit.Button](f)) != 0 {
			t.Error("there is a button to empty what is empty")
		}
		f.SetText("ab")
		buttons := shown[*kit.Button](f)
		if len(buttons) != 1 || buttons[0].AccessibilityLabel() == "" {
			t.Fatalf("%d buttons", len(buttons))
		}
		test.Tap(buttons[0])
		if f.Text != "" || len(shown[*kit.Button](f)) != 0 {
			t.Errorf("text %q", f.Text)
		}
	})
	t.Run("is as high as other controls, and may be narrow", func(t *testing.T) {
		f := kit.NewSearchField("Search names and links", nil)
		setup(t, container.NewStack(f), 300, 34)
		if size := f.MinSize(); size.Height != look.ControlHeight || size.Width > 120 {
			t.Errorf("asks for %v", size)
		}
	})
}
