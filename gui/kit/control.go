package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/client/i18n"
)

// Control is the core of every widget that is used by pointer or keyboard. It tracks hover, focus and whether the widget is disabled, refreshes the
// widget when one of these changes, and shows its tooltip. Enter and Space act as a click; all other keys go on to the window. A widget embeds it and
// calls ExtendBaseWidget with itself.
type Control struct {
	Tip
	// OnFocus is called when the control gets the keyboard focus, to scroll it into sight; it may be nil.
	OnFocus func()

	widget                     fyne.Widget // which embeds the control
	focused, hovered, disabled bool
	ringed                     bool // the focus is marked
}

var (
	_ fyne.Disableable   = (*Control)(nil)
	_ fyne.Focusable     = (*Control)(nil)
	_ desktop.Hoverable  = (*Control)(nil)
	_ desktop.Keyable    = (*Control)(nil)
	_ desktop.Mouseable  = (*Control)(nil)
	_ desktop.Cursorable = (*Control)(nil)
)

// ExtendBaseWidget makes w, which embeds the control, the widget that is drawn; further calls have no effect.
func (c *Control) ExtendBaseWidget(w fyne.Widget) {
	if c.widget == nil {
		c.widget = w
		c.ToolTipWidget.ExtendBaseWidget(w)
	}
}

// Focused reports whether it has the keyboard focus.
func (c *Control) Focused() bool { return c.focused }

// Hovered reports whether the pointer is over it.
func (c *Control) Hovered() bool { return c.hovered }

// Disabled implements fyne.Disableable.
func (c *Control) Disabled() bool { return c.disabled }

// Enable implements fyne.Disableable.
func (c *Control) Enable() { c.setDisabled(false) }

// Disable implements fyne.Disableable.
func (c *Control) Disable() { c.setDisabled(true) }

func (c *Control) setDisabled(disabled bool) {
	if c.disabled != disabled {
		c.disabled = disabled
		c.Refresh()
	}
}

// ring reports whether it has the focus and that is to be marked.
func (c *Control) ring() bool { return c.focused && c.ringed }

// MouseDown implements desktop.Mouseable.
func (c *Control) MouseDown(*desktop.MouseEvent) { PointerUsed() }

// MouseUp implements desktop.Mouseable.
func (c *Control) MouseUp(*desktop.MouseEvent) {}

// KeyDown implements desktop.Keyable: a key on a focused control marks the focus.
func (c *Control) KeyDown(*fyne.KeyEvent) {
	KeyboardUsed()
	if !c.ring() && c.focused {
		c.ringed = true
		c.Refresh()
	}
}

// KeyUp implements desktop.Keyable.
func (c *Control) KeyUp(*fyne.KeyEvent) {}

// FocusGained implements fyne.Focusable.
func (c *Control) FocusGained() {
	c.focused, c.ringed = true, ByKeyboard()
	c.Refresh()
	if c.OnFocus != nil {
		c.OnFocus()
	}
}

// onFocus sets OnFocus, for RevealWhenReached.
func (c *Control) onFocus(do func()) { c.OnFocus = do }

// FocusLost implements fyne.Focusable.
func (c *Control) FocusLost() { c.focused = false; c.Refresh() }

// TypedKey implements fyne.Focusable.
func (c *Control) TypedKey(e *fyne.KeyEvent) {
	tappable, ok := c.widget.(fyne.Tappable)
	if ok && (e.Name == fyne.KeySpace || e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter) {
		tappable.Tapped(nil)
		return
	}
	PassOnKey(c.widget, e)
}

// TypedRune implements fyne.Focusable.
func (c *Control) TypedRune(char rune) { PassOn(c.widget, char) }

// MouseIn implements desktop.Hoverable.
func (c *Control) MouseIn(e *desktop.MouseEvent) {
	c.ToolTipWidget.MouseIn(e)
	c.hovered = true
	c.Refresh()
}

// MouseOut implements desktop.Hoverable.
func (c *Control) MouseOut() {
	c.Tip.MouseOut()
	c.hovered = false
	c.Refresh()
}

// HideToolTip hides the tooltip. Call it on a click that may move the widget from under the pointer: nothing else would hide it then.
func (c *Control) HideToolTip() { c.Tip.MouseOut() }

// Cursor implements desktop.Cursorable.
func (c *Control) Cursor() desktop.Cursor {
	if c.disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// Named is a control whose words alone don't say what it is for, such as a field. NewLabelled gives it the words over it, for screen readers.
type Named interface{ SetName(name string) }

// name is what a screen reader reads of a control: what it is for, where that is known, and what it says.
func name(of, says string) string {
	switch {
	case of == "":
		return says
	case says == "":
		return of
	}
	return i18n.F("%s: %s", of, says)
}

// named is a screen reader's name of the control, with whether it can be used.
func (c *Control) named(says string) string {
	if c.disabled && says != "" {
		return i18n.F("%s, not available", says)
	}
	return says
}

// AccessibilityRole implements fyne.Accessible. The widget that embeds the control adds AccessibilityLabel.
func (c *Control) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// PassOn passes a character that the focused control does not use to the window, so that shortcuts of one key work wherever the focus is. Text fields
// keep their characters.
func PassOn(from fyne.CanvasObject, r rune) {
	c := fyne.CurrentApp().Driver().CanvasForObject(from)
	if c == nil {
		return
	}
	if shortcut := c.OnTypedRune(); shortcut != nil {
		shortcut(r)
	}
}

// PassOnKey does the same for a key without a character, such as Esc.
func PassOnKey(from fyne.CanvasObject, e *fyne.KeyEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(from)
	if c == nil {
		return
	}
	if shortcut := c.OnTypedKey(); shortcut != nil {
		shortcut(e)
	}
}

// PassOnShortcut does the same for a shortcut, to the canvas that the focused control is on: the toolkit gives it to that control alone, if that takes
// any.
func PassOnShortcut(to fyne.Canvas, s fyne.Shortcut) {
	if window, ok := to.(fyne.Shortcutable); ok {
		window.TypedShortcut(s)
	}
}

// Shortcut returns the name of a key with the system's usual modifier: "Ctrl+C", or "Cmd+C" on macOS.
func Shortcut(key string) string { return usualModifier() + "+" + key }
