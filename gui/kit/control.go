package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	tooltip "github.com/dweymouth/fyne-tooltip/widget"
)

// Control is the core of every widget that is used with the pointer or the keyboard. It keeps whether the pointer and the focus are on
// the widget and whether it is disabled, draws the widget again when one of these changes, and shows its tooltip. Enter and Space do what
// a click does; all other keys go on to the window. A widget embeds it and calls ExtendBaseWidget with itself.
type Control struct {
	tooltip.ToolTipWidget
	// OnFocus is called when the keyboard reaches it, to bring it into sight; it may be nil.
	OnFocus func()

	widget                     fyne.Widget // that embeds it
	focused, hovered, disabled bool
}

var (
	_ fyne.Disableable   = (*Control)(nil)
	_ fyne.Focusable     = (*Control)(nil)
	_ desktop.Hoverable  = (*Control)(nil)
	_ desktop.Cursorable = (*Control)(nil)
)

// ExtendBaseWidget makes a widget that embeds the control the one that is drawn; further calls have no effect.
func (c *Control) ExtendBaseWidget(w fyne.Widget) {
	if c.widget == nil {
		c.widget = w
		c.ToolTipWidget.ExtendBaseWidget(w)
	}
}

// Focused reports whether keys are typed on it.
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

// FocusGained implements fyne.Focusable.
func (c *Control) FocusGained() {
	c.focused = true
	c.Refresh()
	if c.OnFocus != nil {
		c.OnFocus()
	}
}

// onFocus sets OnFocus.
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
	c.ToolTipWidget.MouseOut()
	c.hovered = false
	c.Refresh()
}

// HideToolTip ends the tooltip. A click that may take the widget from under the pointer calls it: nothing else would end it then.
func (c *Control) HideToolTip() { c.ToolTipWidget.MouseOut() }

// Cursor implements desktop.Cursorable.
func (c *Control) Cursor() desktop.Cursor {
	if c.disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// AccessibilityRole implements fyne.Accessible together with the widget's label.
func (c *Control) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

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
