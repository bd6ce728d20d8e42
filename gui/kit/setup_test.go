package kit_test

import (
	"testing"

	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// setup shows a content in a test window of a size, in Assay's light look.
func setup(t *testing.T, content fyne.CanvasObject, width, height float32) fyne.Window {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(look.New(look.ModeLight))
	window := test.NewTempWindow(t, nil)
	window.SetPadded(false)
	window.SetContent(content)
	window.Resize(fyne.NewSize(width, height))
	return window
}

func typeKeys(to fyne.Focusable, names ...fyne.KeyName) {
	for _, name := range names {
		to.TypedKey(&fyne.KeyEvent{Name: name})
	}
}

func tapAt(to fyne.Tappable, x, y float32) {
	to.Tapped(&fyne.PointEvent{Position: fyne.NewPos(x, y)})
}

// shown returns the visible objects of a kind that a widget draws with, at any depth.
func shown[T fyne.CanvasObject](w fyne.Widget) []T {
	var found []T
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		if !o.Visible() {
			return
		}
		if match, ok := o.(T); ok {
			found = append(found, match)
		}
		if inner, ok := o.(fyne.Widget); ok {
			for _, child := range test.WidgetRenderer(inner).Objects() {
				walk(child)
			}
		}
	}
	walk(w)
	return found
}
