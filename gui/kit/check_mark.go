package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

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

// CreateRenderer implements fyne.Widget.
func (m *CheckMark) CreateRenderer() fyne.WidgetRenderer {
	box := newFrame(4)
	tick := look.NewGlyph()
	dash := canvas.NewRectangle(nil)
	dash.CornerRadius = 1
	layout := func(size fyne.Size) {
		x, y := (size.Width-checkSide)/2, (size.Height-checkSide)/2
		box.place(x, y, checkSide, checkSide)
		place(tick.Raster, x+2, y+2, checkSide-4, checkSide-4)
		place(dash, x+4, y+checkSide/2-1, checkSide-8, 2)
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
