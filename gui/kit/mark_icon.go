package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// MarkIcon shows the shape of a result, always beside its word.
type MarkIcon struct {
	widget.BaseWidget
	mark look.Mark
	side float32
}

// NewMarkIcon makes the icon; side is 13 to 40 device-independent pixels. MarkNone keeps its room and shows nothing.
func NewMarkIcon(mark look.Mark, side float32) *MarkIcon {
	m := &MarkIcon{mark: mark, side: side}
	m.ExtendBaseWidget(m)
	return m
}

// Mark returns the mark shown.
func (m *MarkIcon) Mark() look.Mark { return m.mark }

// SetMark changes the mark.
func (m *MarkIcon) SetMark(mark look.Mark) {
	if m.mark == mark {
		return
	}
	m.mark = mark
	m.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (m *MarkIcon) CreateRenderer() fyne.WidgetRenderer {
	return iconRenderer(m, m.side, func() fyne.Resource { return look.MarkResource(m.mark) })
}
