package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/gui/look"
)

// WrappedHeight is how high an object that wraps is at a width.
func WrappedHeight(o fyne.CanvasObject, width float32) float32 {
	for range 2 { // what is nested knows its width only after the first
		o.Resize(fyne.NewSize(width, o.MinSize().Height))
	}
	return o.MinSize().Height
}

// PlaceAt moves and resizes an object.
func PlaceAt(o fyne.CanvasObject, x, y, width, height float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(width, height))
}

// Relayout lays out a container's own objects anew, without drawing again what did not change.
func Relayout(c *fyne.Container) { c.Layout.Layout(c.Objects, c.Size()) }

// RelayoutTwice lays out what wraps: heights follow from the widths of the first pass. inner are what stands in its cards, which
// goes by its own size alone.
func RelayoutTwice(c *fyne.Container, inner ...*fyne.Container) {
	for range 2 {
		Relayout(c)
		for _, i := range inner {
			RelayoutDeep(i)
		}
	}
	c.Refresh()
}

// RelayoutDeep lays out a container and those within it anew, for what was shown or hidden in one that keeps its size.
func RelayoutDeep(c *fyne.Container) {
	if c.Layout != nil {
		Relayout(c)
	}
	for _, o := range c.Objects {
		if within, ok := o.(*fyne.Container); ok && within.Visible() {
			RelayoutDeep(within)
		}
	}
}

// PlaceInRow places an object in the middle of a row's height.
func PlaceInRow(o fyne.CanvasObject, x, rowHeight, width, height float32) {
	o.Move(fyne.NewPos(x, (rowHeight-height)/2))
	o.Resize(fyne.NewSize(width, height))
}

// StackLines places lines under each other, centred in a height; an empty text takes no room.
func StackLines(x, width, height float32, lines ...fyne.CanvasObject) {
	total := float32(0)
	for _, l := range lines {
		total += LineHeight(l)
	}
	y := (height - total) / 2
	for _, l := range lines {
		l.Move(fyne.NewPos(x, y))
		l.Resize(fyne.NewSize(width, l.MinSize().Height))
		y += LineHeight(l)
	}
}

// LineHeight is how much room an object takes as a line; an empty text takes none.
func LineHeight(o fyne.CanvasObject) float32 {
	if text, ok := o.(*Text); ok && text.Text() == "" {
		return 0
	}
	return o.MinSize().Height
}

// RevealWhenReached has every control in an object brought into sight when the keyboard reaches it. What the object holds later is
// not reached.
func RevealWhenReached(o fyne.CanvasObject, reveal func(fyne.CanvasObject)) {
	do := func() { reveal(o) }
	switch control := o.(type) {
	case *fyne.Container:
		for _, inner := range control.Objects {
			RevealWhenReached(inner, reveal)
		}
	case *Notice:
		RevealWhenReached(control.Action(), reveal)
	case *Button:
		control.OnFocus = do
	case *Select:
		control.OnFocus = do
	case *Segmented:
		control.OnFocus = do
	case *Options:
		control.OnFocus = do
	case *Tick:
		control.OnFocus = do
	case *Field:
		control.OnFocus = do
	case *SecretField:
		control.OnFocus = do
	}
}

// RevealIn scrolls as little as brings an object of a scroll's body into sight, with what belongs to it.
func RevealIn(scroll *container.Scroll, o fyne.CanvasObject) {
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
