package kit

import (
	"assay/client/i18n"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Check is a box that is ticked by a click, Enter or Space, with or without words after it.
type Check struct {
	Control
	// OnChanged is called when the person ticks or clears the box; it may be nil.
	OnChanged func(checked bool)

	label string // "" for a box without words, whose tooltip is its name
	wraps bool   // the words take further lines where the width ends
	mark  *CheckMark
}

// NewCheck makes an unticked box with words after it.
func NewCheck(label string, onChanged func(checked bool)) *Check {
	c := &Check{OnChanged: onChanged, label: label, mark: NewCheckMark()}
	c.ExtendBaseWidget(c)
	return c
}

// NewWrappingCheck makes an unticked box whose words wrap, for a column that gives it its width.
func NewWrappingCheck(label string, onChanged func(checked bool)) *Check {
	c := NewCheck(label, onChanged)
	c.wraps = true
	return c
}

// NewBareCheck makes a box without words. The name says what it chooses, and is its tooltip.
func NewBareCheck(name string, onChanged func(checked bool)) *Check {
	c := NewCheck("", onChanged)
	c.SetToolTip(name)
	return c
}

// Label returns the words after the box.
func (c *Check) Label() string { return c.label }

// SetLabel changes the words after the box.
func (c *Check) SetLabel(label string) {
	if c.label != label {
		c.label = label
		c.Refresh()
	}
}

// State returns whether it is unchecked, checked or partly checked.
func (c *Check) State() CheckState { return c.mark.State() }

// SetState changes the state without calling OnChanged. Partly is for several things of which some are chosen.
func (c *Check) SetState(state CheckState) { c.mark.SetState(state) }

// Checked reports whether it is ticked.
func (c *Check) Checked() bool { return c.mark.State() == Checked }

// SetChecked ticks or clears it without calling OnChanged.
func (c *Check) SetChecked(checked bool) {
	if checked {
		c.SetState(Checked)
	} else {
		c.SetState(Unchecked)
	}
}

// Tapped implements fyne.Tappable: a box that is partly checked becomes checked.
func (c *Check) Tapped(*fyne.PointEvent) {
	if c.disabled {
		return
	}
	c.SetChecked(!c.Checked())
	if c.OnChanged != nil {
		c.OnChanged(c.Checked())
	}
}

// AccessibilityLabel implements fyne.Accessible.
func (c *Check) AccessibilityLabel() string {
	label := c.label
	if label == "" {
		label = c.ToolTip()
	}
	switch c.State() {
	case Checked:
		return c.named(i18n.F("%s, chosen", label))
	case Partly:
		return c.named(i18n.F("%s, partly chosen", label))
	}
	return c.named(i18n.F("%s, not chosen", label))
}

// CreateRenderer implements fyne.Widget.
func (c *Check) CreateRenderer() fyne.WidgetRenderer {
	const side, gap, height = 1.5 * look.Space, 2 * look.Space, 28
	background := newControlBackground()
	label, words := NewText("", TextStyle{}), NewParagraph("", TextStyle{})
	r := &renderer{objects: append(background.objects(), c.mark, label, words)}
	r.minSize = func() fyne.Size {
		if c.label == "" {
			return fyne.NewSquareSize(checkSide + 2*look.Space)
		}
		if c.wraps {
			return fyne.NewSize(120, max(height, words.MinSize().Height+height-label.MinSize().Height))
		}
		return fyne.NewSize(side+checkSide+gap+label.MinSize().Width+side, height)
	}
	r.layout = func(size fyne.Size) {
		background.place(size)
		if c.label == "" {
			PlaceAt(c.mark, 0, 0, size.Width, size.Height)
			return
		}
		if c.wraps {
			const left = side + checkSide + gap
			PlaceAt(c.mark, side, (height-checkSide)/2, checkSide, checkSide)
			PlaceAt(words, left, (height-label.MinSize().Height)/2, max(0, size.Width-left-side), words.MinSize().Height)
			return
		}
		PlaceAt(c.mark, side, (size.Height-checkSide)/2, checkSide, checkSide)
		line := label.MinSize()
		PlaceAt(label, side+checkSide+gap, (size.Height-line.Height)/2, line.Width, line.Height)
	}
	r.refresh = func() {
		background.paint(Bare, c.disabled, c.hovered, c.ring())
		c.mark.setDim(c.disabled)
		c.mark.Refresh()
		color := look.ColorText
		if c.disabled {
			color = look.ColorDisabled
		}
		label.SetText(c.label)
		label.SetColor(color)
		words.SetText(c.label)
		words.SetStyle(TextStyle{Color: color})
		label.Hidden, words.Hidden = c.label == "" || c.wraps, !c.wraps
		label.Refresh()
		r.layout(c.Size())
		canvas.Refresh(c)
	}
	r.refresh()
	return r
}

// CheckState is how much of something is chosen.
type CheckState int

// The states. Partly is for several things of which some are chosen.
const (
	Unchecked CheckState = iota
	Partly
	Checked
)

// checkSide is the side of the box, in device-independent pixels.
const checkSide float32 = 16

// CheckMark is the box of a Check without its behaviour, for a row that is clicked as a whole.
type CheckMark struct {
	widget.BaseWidget
	state CheckState
	dim   bool // the choice can't be made now
}

// NewCheckMark makes an unchecked mark.
func NewCheckMark() *CheckMark {
	m := &CheckMark{}
	m.ExtendBaseWidget(m)
	return m
}

// State returns the state that it shows.
func (m *CheckMark) State() CheckState { return m.state }

// SetState changes the state that it shows.
func (m *CheckMark) SetState(state CheckState) {
	if m.state == state {
		return
	}
	m.state = state
	m.Refresh()
}

// setDim shows whether the choice can't be made now.
func (m *CheckMark) setDim(dim bool) {
	if m.dim == dim {
		return
	}
	m.dim = dim
	m.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (m *CheckMark) CreateRenderer() fyne.WidgetRenderer {
	box := newFrame(4)
	tick := look.NewGlyph()
	dash := canvas.NewRectangle(nil)
	dash.CornerRadius = 1
	layout := func(size fyne.Size) {
		x, y := (size.Width-checkSide)/2, (size.Height-checkSide)/2
		box.place(x, y, checkSide, checkSide)
		PlaceAt(tick.Raster, x+2, y+2, checkSide-4, checkSide-4)
		PlaceAt(dash, x+4, y+checkSide/2-1, checkSide-8, 2)
	}
	refresh := func() {
		switch {
		case m.dim && m.state == Unchecked:
			box.paint(look.ColorSurface, look.ColorDisabled, look.Hairline)
		case m.dim:
			box.paint(look.ColorDisabled, "", 0)
		case m.state == Unchecked:
			box.paint(look.ColorSurface, look.ColorNeutral, look.Hairline)
		default:
			box.paint(look.ColorAccent, "", 0)
		}
		tick.Set(look.IconCheck.Tinted(look.ColorOnAccent))
		tick.Raster.Hidden, dash.Hidden = m.state != Checked, m.state != Partly
		dash.FillColor = look.Color(look.ColorOnAccent)
		dash.Refresh()
		layout(m.Size())
		canvas.Refresh(m)
	}
	refresh()
	return &renderer{
		objects: append(box.objects(), tick.Raster, dash),
		layout:  layout,
		minSize: func() fyne.Size { return fyne.NewSquareSize(checkSide) },
		refresh: refresh,
	}
}

// RowBox is the box of a row that can be selected. It shows where it is of use: under the pointer, and where the screen says. Its room is there anyway,
// so that nothing moves.
type RowBox struct {
	*CheckMark
	pointed, wanted bool
}

// NewRowBox makes a box that is not shown yet.
func NewRowBox() *RowBox {
	b := &RowBox{CheckMark: NewCheckMark()}
	b.Hide()
	return b
}

// Set shows whether the row is selected. wanted shows the box without the pointer too, such as while other rows are selected.
func (b *RowBox) Set(selected, wanted bool) {
	b.SetState(Unchecked)
	if selected {
		b.SetState(Checked)
	}
	b.wanted = wanted
	SetVisible(b.CheckMark, b.pointed || wanted)
}

// Point is told that the pointer is over the row, or no longer.
func (b *RowBox) Point(over bool) {
	b.pointed = over
	SetVisible(b.CheckMark, over || b.wanted)
}

// Pointed reports whether the pointer is over the row.
func (b *RowBox) Pointed() bool { return b.pointed }
