package part

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

// CreateRenderer implements fyne.Widget.
func (m *CheckMark) CreateRenderer() fyne.WidgetRenderer {
	box := newFrame(4)
	tick := &canvas.Image{FillMode: canvas.ImageFillContain}
	dash := canvas.NewRectangle(nil)
	dash.CornerRadius = 1
	layout := func(size fyne.Size) {
		x, y := (size.Width-checkSide)/2, (size.Height-checkSide)/2
		box.place(x, y, checkSide, checkSide)
		place(tick, x+2, y+2, checkSide-4, checkSide-4)
		place(dash, x+4, y+checkSide/2-1, checkSide-8, 2)
	}
	refresh := func() {
		if m.state == Unchecked {
			box.paint(look.ColorSurface, look.ColorNeutral, look.Hairline)
		} else {
			box.paint(look.ColorAccent, "", 0)
		}
		tick.Hidden, dash.Hidden = m.state != Checked, m.state != Partly
		tick.Resource = look.Tinted(look.IconCheck, look.ColorOnAccent)
		dash.FillColor = look.Color(look.ColorOnAccent)
		tick.Refresh()
		dash.Refresh()
		layout(m.Size())
		canvas.Refresh(m)
	}
	refresh()
	return &renderer{
		objects: append(box.objects(), tick, dash),
		layout:  layout,
		minSize: func() fyne.Size { return fyne.NewSquareSize(checkSide) },
		refresh: refresh,
	}
}
