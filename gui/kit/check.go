package kit

import (
	"assay/client/i18n"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	tooltip "github.com/dweymouth/fyne-tooltip/widget"
)

// Check is a box that is ticked by a click, by Enter or by Space. Its tooltip is its name, too.
type Check struct {
	tooltip.ToolTipWidget
	// OnChanged is called when it was ticked or cleared by hand; it may be nil.
	OnChanged func(checked bool)

	mark    *CheckMark
	hovered bool
	focused bool
}

var (
	_ fyne.Focusable     = (*Check)(nil)
	_ fyne.Tappable      = (*Check)(nil)
	_ desktop.Hoverable  = (*Check)(nil)
	_ desktop.Cursorable = (*Check)(nil)
	_ fyne.Accessible    = (*Check)(nil)
)

// NewCheck makes a box that is not ticked. The name says what is chosen by it.
func NewCheck(name string, onChanged func(checked bool)) *Check {
	c := &Check{OnChanged: onChanged, mark: NewCheckMark()}
	c.SetToolTip(name)
	c.ExtendBaseWidget(c)
	return c
}

// State returns what it shows.
func (c *Check) State() CheckState { return c.mark.State() }

// SetState changes what it shows, without telling OnChanged.
func (c *Check) SetState(state CheckState) { c.mark.SetState(state) }

// Tapped implements fyne.Tappable: what is not wholly chosen becomes so.
func (c *Check) Tapped(*fyne.PointEvent) {
	checked := c.mark.State() != Checked
	if checked {
		c.SetState(Checked)
	} else {
		c.SetState(Unchecked)
	}
	if c.OnChanged != nil {
		c.OnChanged(checked)
	}
}

// TypedKey implements fyne.Focusable.
func (c *Check) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		c.Tapped(nil)
	default:
		PassOnKey(c, e)
	}
}

// TypedRune implements fyne.Focusable.
func (c *Check) TypedRune(char rune) { PassOn(c, char) }

// FocusGained implements fyne.Focusable.
func (c *Check) FocusGained() { c.focused = true; c.Refresh() }

// FocusLost implements fyne.Focusable.
func (c *Check) FocusLost() { c.focused = false; c.Refresh() }

// MouseIn implements desktop.Hoverable.
func (c *Check) MouseIn(e *desktop.MouseEvent) {
	c.ToolTipWidget.MouseIn(e)
	c.hovered = true
	c.Refresh()
}

// MouseOut implements desktop.Hoverable.
func (c *Check) MouseOut() {
	c.ToolTipWidget.MouseOut()
	c.hovered = false
	c.Refresh()
}

// Cursor implements desktop.Cursorable.
func (c *Check) Cursor() desktop.Cursor { return desktop.PointerCursor }

// AccessibilityLabel implements fyne.Accessible.
func (c *Check) AccessibilityLabel() string {
	switch c.State() {
	case Checked:
		return i18n.F("%s, chosen", c.ToolTip())
	case Partly:
		return i18n.F("%s, partly chosen", c.ToolTip())
	}
	return i18n.F("%s, not chosen", c.ToolTip())
}

// AccessibilityRole implements fyne.Accessible.
func (c *Check) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// CreateRenderer implements fyne.Widget.
func (c *Check) CreateRenderer() fyne.WidgetRenderer {
	face := newControlFace()
	side := checkSide + 2*look.Space
	r := &renderer{objects: append(face.objects(), c.mark)}
	r.layout = func(size fyne.Size) {
		face.place(size)
		c.mark.Move(fyne.NewPos(0, 0))
		c.mark.Resize(size)
	}
	r.minSize = func() fyne.Size { return fyne.NewSquareSize(side) }
	r.refresh = func() {
		face.paint(Bare, false, c.hovered, c.focused)
		c.mark.Refresh()
		r.layout(c.Size())
		canvas.Refresh(c)
	}
	r.refresh()
	return r
}
