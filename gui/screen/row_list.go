package screen

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/gui/look"
)

// rowList is the toolkit's list of rows of one height, with a cursor on one of them.
type rowList struct {
	widget.List
	rowHeight float32
	cursorAt  func() int // its place, -1 for none
}

// pitch is from the top of one row to that of the next.
func (l *rowList) pitch() float32 { return l.rowHeight + look.Hairline }

// reveal scrolls as little as shows a row. The toolkit's own ScrollTo makes all rows anew.
func (l *rowList) reveal(place int) {
	top := float32(place) * l.pitch()
	bottom := top + l.rowHeight
	switch offset, height := l.GetScrollOffset(), l.Size().Height; {
	case top < offset:
		l.ScrollToOffset(top)
	case bottom > offset+height:
		l.ScrollToOffset(bottom - height)
	}
}

// Resize implements fyne.CanvasObject. The row at the cursor stays in sight where it was.
func (l *rowList) Resize(size fyne.Size) {
	place := l.cursorAt()
	top, offset := float32(place)*l.pitch(), l.GetScrollOffset()
	seen := place >= 0 && top >= offset && top+l.rowHeight <= offset+l.Size().Height
	l.List.Resize(size)
	if seen {
		l.reveal(place)
	}
}

// page is how many rows are in sight, but for one that stays so from one page to the next.
func (l *rowList) page() int { return max(1, int(l.Size().Height/l.pitch())-1) }
