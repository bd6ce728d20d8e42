package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/gui/look"
)

// MiddleColumn lays one object out in a scroll, at most Width wide, horizontally in the middle, or at the left if Left is set. If Middle is set and
// there is height to spare, the object is vertically in the middle too.
type MiddleColumn struct {
	Width  float32
	Left   bool
	Middle bool
}

// PageEdge is the least room around a column.
const PageEdge float32 = 6 * look.Space

// Layout implements fyne.Layout.
func (m MiddleColumn) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := min(m.Width, size.Width-2*PageEdge)
	height := WrappedHeight(objects[0], width)
	y := PageEdge
	if m.Middle {
		y = max(y, (size.Height-height)/2)
	}
	x := (size.Width - width) / 2
	if m.Left {
		x = PageEdge
	}
	PlaceAt(objects[0], x, y, width, height)
}

// MinSize implements fyne.Layout.
func (m MiddleColumn) MinSize(objects []fyne.CanvasObject) fyne.Size {
	minimum := objects[0].MinSize()
	return fyne.NewSize(minimum.Width+2*PageEdge, minimum.Height+2*PageEdge)
}

// BesideButton lays words out with a button to their right.
type BesideButton struct{}

// Layout implements fyne.Layout.
func (BesideButton) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap = 4 * look.Space
	button := objects[1].MinSize()
	width := size.Width - button.Width - gap
	height := WrappedHeight(objects[0], width)
	PlaceAt(objects[0], 0, max(0, (size.Height-height)/2), width, height)
	PlaceAt(objects[1], size.Width-button.Width, (size.Height-button.Height)/2, button.Width, button.Height)
}

// MinSize implements fyne.Layout.
func (BesideButton) MinSize(objects []fyne.CanvasObject) fyne.Size {
	words, button := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(words.Width+button.Width, max(words.Height, button.Height))
}

// NewEmptyScreen puts what an empty screen says in the middle of it, at most this wide; in a window that is too small for it, it wraps and scrolls.
func NewEmptyScreen(width float32, content fyne.CanvasObject) fyne.CanvasObject {
	return NewScroll(container.New(MiddleColumn{Width: width, Middle: true}, content))
}

// MiddleFlow lays controls out side by side in the middle, and in further lines when the width ends. Its height follows from the width of the last
// layout.
type MiddleFlow struct{ width float32 }

const middleFlowGap float32 = 3 * look.Space

// Layout implements fyne.Layout.
func (m *MiddleFlow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	m.width = size.Width
	y := float32(0)
	for _, row := range m.rows(objects) {
		x, high := max(0, (size.Width-m.widthOf(row))/2), float32(0)
		for _, o := range row {
			minimum := o.MinSize()
			minimum.Width = min(minimum.Width, size.Width)
			PlaceAt(o, x, y, minimum.Width, minimum.Height)
			x += minimum.Width + middleFlowGap
			high = max(high, minimum.Height)
		}
		y += high + middleFlowGap
	}
}

// MinSize implements fyne.Layout.
func (m *MiddleFlow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(0, 0)
	for _, row := range m.rows(objects) {
		high := float32(0)
		for _, o := range row {
			high = max(high, o.MinSize().Height)
		}
		if size.Height > 0 {
			size.Height += middleFlowGap
		}
		size.Height += high
	}
	return size
}

func (m *MiddleFlow) widthOf(row []fyne.CanvasObject) (width float32) {
	for _, o := range row {
		if width > 0 {
			width += middleFlowGap
		}
		width += o.MinSize().Width
	}
	return width
}

func (m *MiddleFlow) rows(objects []fyne.CanvasObject) (rows [][]fyne.CanvasObject) {
	for _, o := range objects {
		if last := len(rows) - 1; last >= 0 && m.widthOf(rows[last])+middleFlowGap+o.MinSize().Width <= m.width {
			rows[last] = append(rows[last], o)
			continue
		}
		rows = append(rows, []fyne.CanvasObject{o})
	}
	return rows
}

// EmptyWidth is the width of the large drop target of an empty screen.
const EmptyWidth float32 = 760

// EmptyPad is the padding of that target.
const EmptyPad float32 = 14 * look.Space
