package kit

import "fyne.io/fyne/v2"

// SetVisible shows an object or hides it.
func SetVisible(o fyne.CanvasObject, visible bool) {
	if visible {
		o.Show()
	} else {
		o.Hide()
	}
}
