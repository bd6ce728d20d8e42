package results

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/gui/kit"
	"assay/gui/look"
)

// list is the toolkit's list, which makes objects for visible rows alone; keys go to the screen, which knows the
// chosen row.
type list struct {
	kit.RowList
	keys    func(*fyne.KeyEvent) bool
	focused bool
}

func newList(length func() int, create func() fyne.CanvasObject, update func(i widget.ListItemID, o fyne.CanvasObject)) *list {
	l := &list{}
	l.RowHeight, l.CursorAt = rowHeight, func() int { return -1 }
	l.Length, l.CreateItem, l.UpdateItem = length, create, update
	l.ExtendBaseWidget(l)
	return l
}

// object is the list with its rows a hairline apart.
func (l *list) object() fyne.CanvasObject {
	return container.NewThemeOverride(l, kit.CloseRows{Shadow: true})
}

// visible is the rows on screen, in whole or in part.
func (l *list) visible() span {
	first := int(math.Floor(float64(l.GetScrollOffset()) / stride))
	end := int(math.Ceil(float64(l.GetScrollOffset()+l.Size().Height) / stride))
	return span{max(0, first), max(end, first+1)}
}

// wholeRows is how many rows are to be seen at once, at least one.
func (l *list) wholeRows() int { return max(1, int(float64(l.Size().Height)/stride)) }

// TypedKey implements fyne.Focusable.
func (l *list) TypedKey(e *fyne.KeyEvent) { l.keys(e) }

// TypedRune implements fyne.Focusable.
func (l *list) TypedRune(char rune) { kit.PassOn(l, char) }

// FocusGained implements fyne.Focusable. The chosen row shows the focus.
func (l *list) FocusGained() { l.focused = true; l.Refresh() }

// FocusLost implements fyne.Focusable.
func (l *list) FocusLost() { l.focused = false; l.Refresh() }

// stride is from one row's top to the next one's.
const stride = float64(rowHeight + look.Hairline)
