package kit

import (
	"assay/client/i18n"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Check is a box that is ticked by a click, by Enter or by Space. Its tooltip is its name, too.
type Check struct {
	Control
	// OnChanged is called when it was ticked or cleared by hand; it may be nil.
	OnChanged func(checked bool)

	mark *CheckMark
}

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

// AccessibilityLabel implements fyne.Accessible.
func (c *Check) AccessibilityLabel() string { return c.mark.describe(c.ToolTip()) }

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

// Tick is a box with words behind it that is ticked by a click, by Enter or by Space. Check is a box alone.
type Tick struct {
	Control
	// OnChanged is called when it was ticked or cleared by hand; it may be nil.
	OnChanged func(ticked bool)

	words string
	mark  *CheckMark
}

// NewTick makes a box that is not ticked.
func NewTick(words string, onChanged func(ticked bool)) *Tick {
	t := &Tick{OnChanged: onChanged, words: words, mark: NewCheckMark()}
	t.ExtendBaseWidget(t)
	return t
}

// Words returns what stands behind the box.
func (t *Tick) Words() string { return t.words }

// SetWords changes what stands behind the box.
func (t *Tick) SetWords(words string) {
	if t.words == words {
		return
	}
	t.words = words
	t.Refresh()
}

// Ticked reports whether it is ticked.
func (t *Tick) Ticked() bool { return t.mark.State() == Checked }

// SetState changes what the box shows, without telling OnChanged: Partly is for a choice of several, some of them made.
func (t *Tick) SetState(state CheckState) { t.mark.SetState(state) }

// SetTicked ticks or clears it, without telling OnChanged.
func (t *Tick) SetTicked(ticked bool) {
	if ticked {
		t.mark.SetState(Checked)
		return
	}
	t.mark.SetState(Unchecked)
}

// Tapped implements fyne.Tappable: what is not wholly chosen becomes so.
func (t *Tick) Tapped(*fyne.PointEvent) {
	if t.disabled {
		return
	}
	t.SetTicked(!t.Ticked())
	if t.OnChanged != nil {
		t.OnChanged(t.Ticked())
	}
}

// AccessibilityLabel implements fyne.Accessible.
func (t *Tick) AccessibilityLabel() string { return t.mark.describe(t.words) }

// CreateRenderer implements fyne.Widget.
func (t *Tick) CreateRenderer() fyne.WidgetRenderer {
	const side, gap, height = 1.5 * look.Space, 2 * look.Space, 28
	face := newControlFace()
	words := NewText(t.words, TextStyle{})
	r := &renderer{objects: append(face.objects(), t.mark, words)}
	r.minSize = func() fyne.Size {
		return fyne.NewSize(side+checkSide+gap+words.MinSize().Width+side, height)
	}
	r.layout = func(size fyne.Size) {
		face.place(size)
		PlaceAt(t.mark, side, (size.Height-checkSide)/2, checkSide, checkSide)
		line := words.MinSize()
		PlaceAt(words, side+checkSide+gap, (size.Height-line.Height)/2, line.Width, line.Height)
	}
	r.refresh = func() {
		face.paint(Bare, t.disabled, t.hovered, t.focused)
		t.mark.setDim(t.disabled)
		t.mark.Refresh()
		words.SetText(t.words)
		if t.disabled {
			words.SetColor(look.ColorDisabled)
		} else {
			words.SetColor(look.ColorText)
		}
		words.Refresh()
		r.layout(t.Size())
		canvas.Refresh(t)
	}
	r.refresh()
	return r
}

// CheckState is how much of something is chosen.
type CheckState int

// The states. Partly is for a choice of several, some of them made.
const (
	Unchecked CheckState = iota
	Partly
	Checked
)

// checkSide is that of the box.
const checkSide float32 = 16

// CheckMark is the box of a choice, as a sign alone: in a row that is itself what is clicked. Check is the control.
type CheckMark struct {
	widget.BaseWidget
	state CheckState
	dim   bool // the choice can't be made now
}

// NewCheckMark makes it, unchecked.
func NewCheckMark() *CheckMark {
	m := &CheckMark{}
	m.ExtendBaseWidget(m)
	return m
}

// State returns what it shows.
func (m *CheckMark) State() CheckState { return m.state }

// SetState changes what it shows.
func (m *CheckMark) SetState(state CheckState) {
	if m.state == state {
		return
	}
	m.state = state
	m.Refresh()
}

// setDim shows that the choice can't be made now, or can.
func (m *CheckMark) setDim(dim bool) {
	if m.dim == dim {
		return
	}
	m.dim = dim
	m.Refresh()
}

// describe is what it shows, in words for those who cannot see it.
func (m *CheckMark) describe(name string) string {
	switch m.state {
	case Checked:
		return i18n.F("%s, chosen", name)
	case Partly:
		return i18n.F("%s, partly chosen", name)
	}
	return i18n.F("%s, not chosen", name)
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
