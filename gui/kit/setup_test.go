package kit_test

import (
	"testing"

	"assay/gui/guitest"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// setup shows a content in a test window of a size, in Assay's light look.
func setup(t *testing.T, content fyne.CanvasObject, width, height float32) fyne.Window {
	t.Helper()
	guitest.App(t, look.ModeLight)
	return guitest.Window(t, content, fyne.NewSize(width, height))
}

func typeKeys(to fyne.Focusable, names ...fyne.KeyName) {
	for _, name := range names {
		to.TypedKey(&fyne.KeyEvent{Name: name})
	}
}

func tapAt(to fyne.Tappable, x, y float32) {
	to.Tapped(&fyne.PointEvent{Position: fyne.NewPos(x, y)})
}

func hasText(w fyne.Widget, text string) bool {
	for _, t := range guitest.InSight[*canvas.Text](w) {
		if t.Text == text {
			return true
		}
	}
	return false
}

// wantPassedOn types a key and a character that a control has no use for, and wants both at the window.
func wantPassedOn(t *testing.T, w fyne.Window, control fyne.Focusable) {
	t.Helper()
	var key fyne.KeyName
	var char rune
	w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { key = e.Name })
	w.Canvas().SetOnTypedRune(func(r rune) { char = r })
	typeKeys(control, fyne.KeyEscape)
	control.TypedRune('x')
	if key != fyne.KeyEscape || char != 'x' {
		t.Errorf("%q and %q arrived", key, char)
	}
}
