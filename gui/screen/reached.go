package screen

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/gui/look"
	"assay/gui/part"
)

// revealWhenReached has every control in an object brought into sight when the keyboard reaches it. What the object holds later is
// not reached.
func revealWhenReached(o fyne.CanvasObject, reveal func(fyne.CanvasObject)) {
	do := func() { reveal(o) }
	switch control := o.(type) {
	case *fyne.Container:
		for _, inner := range control.Objects {
			revealWhenReached(inner, reveal)
		}
	case *part.Notice:
		revealWhenReached(control.Action(), reveal)
	case *part.Button:
		control.OnFocus = do
	case *part.Select:
		control.OnFocus = do
	case *part.Segmented:
		control.OnFocus = do
	case *part.Options:
		control.OnFocus = do
	case *part.Tick:
		control.OnFocus = do
	case *part.Field:
		control.OnFocus = do
	case *part.SecretField:
		control.OnFocus = do
	}
}

// revealIn scrolls as little as brings an object of a scroll's body into sight, with what belongs to it.
func revealIn(scroll *container.Scroll, o fyne.CanvasObject) {
	const margin = 10 * look.Space
	driver, seen := fyne.CurrentApp().Driver(), scroll.Size().Height
	top := driver.AbsolutePositionForObject(o).Y - driver.AbsolutePositionForObject(scroll.Content).Y
	most := max(0, scroll.Content.Size().Height-seen)
	switch y, bottom := scroll.Offset.Y, top+o.Size().Height; {
	case seen <= 0:
	case top-margin < y:
		scroll.ScrollToOffset(fyne.NewPos(0, min(max(0, top-margin), most)))
	case bottom+margin > y+seen:
		scroll.ScrollToOffset(fyne.NewPos(0, min(bottom+margin-seen, most)))
	}
}
