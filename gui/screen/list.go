package screen

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/gui/part"
)

// list is the toolkit's list, with the window's shortcuts of one key working while it has the focus.
type list struct{ widget.List }

func newList(length func() int, create func() fyne.CanvasObject, update func(i widget.ListItemID, o fyne.CanvasObject)) *list {
	l := &list{List: widget.List{Length: length, CreateItem: create, UpdateItem: update}}
	l.ExtendBaseWidget(l)
	return l
}

// TypedRune implements fyne.Focusable.
func (l *list) TypedRune(char rune) { part.PassOn(l, char) }
