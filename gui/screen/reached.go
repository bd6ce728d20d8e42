package screen

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/gui/kit"
	"assay/gui/look"
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
	case *kit.Notice:
		revealWhenReached(control.Action(), reveal)
	case *kit.Button:
		control.OnFocus = do
	case *kit.Select:
		control.OnFocus = do
	case *kit.Segmented:
		control.OnFocus = do
	case *kit.Options:
		control.OnFocus = do
	case *kit.Tick:
		control.OnFocus = do
	case *kit.Field:
		control.OnFocus = do
	case *kit.SecretField:
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
