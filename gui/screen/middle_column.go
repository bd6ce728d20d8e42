package screen

import (
	"fyne.io/fyne/v2"

	"assay/gui/look"
)

// middleColumn lays one object out in what is scrolled, at most so wide: in the middle or at the left. middle says that it stands in
// the middle of the height, too, where there is more than it needs.
type middleColumn struct {
	width  float32
	left   bool
	middle bool
}

const middleColumnEdge float32 = 6 * look.Space

// Layout implements fyne.Layout.
func (m middleColumn) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := min(m.width, size.Width-2*middleColumnEdge)
	height := wrappedHeight(objects[0], width)
	y := middleColumnEdge
	if m.middle {
		y = max(y, (size.Height-height)/2)
	}
	x := (size.Width - width) / 2
	if m.left {
		x = middleColumnEdge
	}
	placeAt(objects[0], x, y, width, height)
}

// MinSize implements fyne.Layout.
func (m middleColumn) MinSize(objects []fyne.CanvasObject) fyne.Size {
	minimum := objects[0].MinSize()
	return fyne.NewSize(minimum.Width+2*middleColumnEdge, minimum.Height+2*middleColumnEdge)
}

// besideButton lays words out with a button at their right.
type besideButton struct{}

// Layout implements fyne.Layout.
func (besideButton) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap = 4 * look.Space
	button := objects[1].MinSize()
	width := size.Width - button.Width - gap
	height := wrappedHeight(objects[0], width)
	placeAt(objects[0], 0, max(0, (size.Height-height)/2), width, height)
	placeAt(objects[1], size.Width-button.Width, (size.Height-button.Height)/2, button.Width, button.Height)
}

// MinSize implements fyne.Layout.
func (besideButton) MinSize(objects []fyne.CanvasObject) fyne.Size {
	words, button := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(words.Width+button.Width, max(words.Height, button.Height))
}

// wrapWidth is a layout of one width, in which what wraps is as high as it is at that width.
type wrapWidth float32

// Layout implements fyne.Layout.
func (w wrapWidth) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		placeAt(o, 0, 0, size.Width, size.Height)
	}
}

// MinSize implements fyne.Layout.
func (w wrapWidth) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(float32(w), 0)
	for _, o := range objects {
		size.Height = max(size.Height, wrappedHeight(o, float32(w)))
	}
	return size
}

// middleFlow lays controls out side by side in the middle, in further lines where the width ends.
type middleFlow struct{}

const middleFlowGap float32 = 3 * look.Space

// Layout implements fyne.Layout.
func (m middleFlow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	for _, row := range m.rows(objects, size.Width) {
		x, high := (size.Width-m.width(row))/2, float32(0)
		for _, o := range row {
			minimum := o.MinSize()
			placeAt(o, x, y, minimum.Width, minimum.Height)
			x += minimum.Width + middleFlowGap
			high = max(high, minimum.Height)
		}
		y += high + middleFlowGap
	}
}

// MinSize implements fyne.Layout: it is that of a column as wide as the empty inbox has room for.
func (m middleFlow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(0, 0)
	for _, row := range m.rows(objects, emptyWidth-2*emptyPad) {
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

func (m middleFlow) width(row []fyne.CanvasObject) (width float32) {
	for _, o := range row {
		if width > 0 {
			width += middleFlowGap
		}
		width += o.MinSize().Width
	}
	return width
}

func (m middleFlow) rows(objects []fyne.CanvasObject, width float32) (rows [][]fyne.CanvasObject) {
	for _, o := range objects {
		if last := len(rows) - 1; last >= 0 && m.width(rows[last])+middleFlowGap+o.MinSize().Width <= width {
			rows[last] = append(rows[last], o)
			continue
		}
		rows = append(rows, []fyne.CanvasObject{o})
	}
	return rows
}
