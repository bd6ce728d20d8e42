package kit

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

// PassOnKey does the same with a key that stands for no character, such as Esc.
func PassOnKey(from fyne.CanvasObject, e *fyne.KeyEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(from)
	if c == nil {
		return
	}
	if shortcut := c.OnTypedKey(); shortcut != nil {
		shortcut(e)
	}
}

// Shortcut is how a key with the system's usual modifier is written: "Ctrl+C", or "Cmd+C" on macOS.
func Shortcut(key string) string { return usualModifier() + "+" + key }
