package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	tooltip "github.com/dweymouth/fyne-tooltip/widget"
)

// Chip is a small pill that is on or off, with a mark or none before its words. Its tooltip says what it stands for: a mark
// and a number alone do not.
type Chip struct {
	tooltip.ToolTipWidget
	// OnTapped is called on a click, Enter or Space. It, not the chip, decides what is on.
	OnTapped func()

	mark    look.Mark
	label   string
	on      bool
	hovered bool
	focused bool
}

var (
	_ fyne.Focusable     = (*Chip)(nil)
	_ fyne.Tappable      = (*Chip)(nil)
	_ desktop.Hoverable  = (*Chip)(nil)
	_ desktop.Cursorable = (*Chip)(nil)
	_ fyne.Accessible    = (*Chip)(nil)
)

// ChipHeight is that of every chip, in device-independent pixels.
const ChipHeight float32 = 26

// NewChip makes a chip that is off. A mark of look.MarkNone takes no room.
func NewChip(mark look.Mark, label string, onTapped func()) *Chip {
	c := &Chip{mark: mark, label: label, OnTapped: onTapped}
	c.ExtendBaseWidget(c)
	return c
}

// Label returns the words on it.
func (c *Chip) Label() string { return c.label }

// On reports whether it is on.
func (c *Chip) On() bool { return c.on }

// Set changes the words and whether it is on.
func (c *Chip) Set(label string, on bool) {
	if c.label == label && c.on == on {
		return
	}
	c.label, c.on = label, on
	c.Refresh()
}

// Tapped implements fyne.Tappable.
func (c *Chip) Tapped(*fyne.PointEvent) {
	c.ToolTipWidget.MouseOut() // what it does may take it from under the pointer, and nothing would end its tooltip then
	if c.OnTapped != nil {
		c.OnTapped()
	}
}

// TypedKey implements fyne.Focusable.
func (c *Chip) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		c.Tapped(nil)
	default:
		PassOnKey(c, e)
	}
}

// TypedRune implements fyne.Focusable.
func (c *Chip) TypedRune(char rune) { PassOn(c, char) }

// FocusGained implements fyne.Focusable.
func (c *Chip) FocusGained() { c.focused = true; c.Refresh() }

// FocusLost implements fyne.Focusable.
func (c *Chip) FocusLost() { c.focused = false; c.Refresh() }

// MouseIn implements desktop.Hoverable.
func (c *Chip) MouseIn(e *desktop.MouseEvent) {
	c.ToolTipWidget.MouseIn(e)
	c.hovered = true
	c.Refresh()
}

// MouseOut implements desktop.Hoverable.
func (c *Chip) MouseOut() {
	c.ToolTipWidget.MouseOut()
	c.hovered = false
	c.Refresh()
}

// Cursor implements desktop.Cursorable.
func (c *Chip) Cursor() desktop.Cursor { return desktop.PointerCursor }

// AccessibilityLabel implements fyne.Accessible.
func (c *Chip) AccessibilityLabel() string {
	if c.ToolTip() != "" {
		return c.ToolTip()
	}
	return c.label
}

// AccessibilityRole implements fyne.Accessible.
func (c *Chip) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// CreateRenderer implements fyne.Widget.
func (c *Chip) CreateRenderer() fyne.WidgetRenderer {
	const side, gap, markSide float32 = 9, 5, 14
	face := newFrame(ChipHeight / 2)
	hover := &canvas.Rectangle{CornerRadius: ChipHeight / 2}
	mark := look.NewGlyph()
	label := canvas.NewText("", nil)
	left := func() float32 {
		if c.mark == look.MarkNone {
			return side
		}
		return side + markSide + gap
	}
	layout := func(size fyne.Size) {
		face.place(0, 0, size.Width, size.Height)
		place(hover, 0, 0, size.Width, size.Height)
		place(mark.Raster, side, (size.Height-markSide)/2, markSide, markSide)
		place(label, left(), 0, size.Width-left()-side, size.Height)
	}
	refresh := func() {
		fill, outline, line, weight := look.ColorSurface, look.ColorBorder, look.Hairline, look.WeightRegular
		if c.on {
			fill, outline, weight = look.ColorSunk, look.ColorMuted, look.WeightBold
		}
		if c.focused {
			outline, line = look.ColorAccent, 2
		}
		face.paint(fill, outline, line)
		hover.FillColor, hover.Hidden = look.Color(look.ColorHover), !c.hovered
		hover.Refresh()
		mark.Set(look.MarkResource(c.mark))
		look.SetText(label, c.label, weight.Style())
		label.TextSize, label.Color = look.Size(look.SizeSmall), look.Color(look.ColorText)
		label.Refresh()
		layout(c.Size())
		canvas.Refresh(c)
	}
	refresh()
	return &renderer{
		objects: append(face.objects(), hover, mark.Raster, label),
		layout:  layout,
		minSize: func() fyne.Size { // the bold width always, so that nothing moves when it is switched on
			bold := look.Measure(c.label, look.Size(look.SizeSmall), look.WeightBold.Style())
			return fyne.NewSize(left()+bold.Width+side, ChipHeight)
		},
		refresh: refresh,
	}
}
