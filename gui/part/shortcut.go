package part

import "fyne.io/fyne/v2"

// PassOn hands a typed character from a control that has the focus and no use for it to the window's shortcuts of one key, so
// that they work wherever the focus is. Text fields keep their characters.
func PassOn(from fyne.CanvasObject, r rune) {
	c := fyne.CurrentApp().Driver().CanvasForObject(from)
	if c == nil {
		return
	}
	if shortcut := c.OnTypedRune(); shortcut != nil {
		shortcut(r)
	}
}
