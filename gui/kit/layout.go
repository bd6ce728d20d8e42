package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Column lays objects out under each other with a gap; the one at Grow takes the height that is left.
type Column struct {
	Gap  float32
	Grow int
}

// Layout implements fyne.Layout. What wraps knows its height only once it has a width, hence the first pass.
func (c Column) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Resize(fyne.NewSize(size.Width, o.Size().Height))
	}
	rest := size.Height - c.MinSize(objects).Height
	y := float32(0)
	for i, o := range objects {
		if !o.Visible() {
			continue
		}
		height := o.MinSize().Height
		if i == c.Grow {
			height += max(0, rest)
		}
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, height))
		y += height + c.Gap
	}
}

// MinSize implements fyne.Layout.
func (c Column) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(0, 0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		minimum := o.MinSize()
		if size.Height > 0 {
			size.Height += c.Gap
		}
		size.Width = max(size.Width, minimum.Width)
		size.Height += minimum.Height
	}
	return size
}

// AtLeast is a layout that gives its objects all the room and asks for at least this height.
type AtLeast float32

// Layout implements fyne.Layout.
func (a AtLeast) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
}

// MinSize implements fyne.Layout.
func (a AtLeast) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(0, float32(a))
	for _, o := range objects {
		size = size.Max(o.MinSize())
	}
	return size
}

// FixedWidth is a layout of one width and its objects' height.
type FixedWidth float32

// Layout implements fyne.Layout.
func (f FixedWidth) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
}

// MinSize implements fyne.Layout.
func (f FixedWidth) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(float32(f), 0)
	for _, o := range objects {
		size.Height = max(size.Height, o.MinSize().Height)
	}
	return size
}

// Flow lays objects out side by side and goes on in a further line where the width ends. It asks for no more width than
// its widest object, so that a window can always be made narrower; its height follows the width last given.
type Flow struct {
	Gap, Line float32
	width     float32
}

// Layout implements fyne.Layout.
func (f *Flow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	f.width = size.Width
	f.each(objects, func(o fyne.CanvasObject, at fyne.Position) {
		o.Move(at)
		o.Resize(o.MinSize())
	})
}

// MinSize implements fyne.Layout.
func (f *Flow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(0, 0)
	f.each(objects, func(o fyne.CanvasObject, at fyne.Position) {
		minimum := o.MinSize()
		size = fyne.NewSize(max(size.Width, minimum.Width), max(size.Height, at.Y+minimum.Height))
	})
	return size
}

// each calls place with every visible object and where it stands.
func (f *Flow) each(objects []fyne.CanvasObject, place func(fyne.CanvasObject, fyne.Position)) {
	var at fyne.Position
	high := float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		size := o.MinSize()
		if at.X > 0 && at.X+size.Width > f.width {
			at = fyne.NewPos(0, at.Y+high+f.Line)
			high = 0
		}
		place(o, at)
		at.X += size.Width + f.Gap
		high = max(high, size.Height)
	}
}

// NewScroll lets a content that wraps be scrolled up and down.
func NewScroll(content fyne.CanvasObject) *fyne.Container {
	return container.New(scrollLayout{}, container.NewVScroll(content))
}

// scrollLayout gives a scroll its size and looks again: how high a content that wraps is, is known once it has its width.
type scrollLayout struct{}

// Layout implements fyne.Layout.
func (scrollLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	scroll := objects[0].(*container.Scroll)
	scroll.Resize(size)
	if scroll.Content.MinSize().Height != scroll.Content.Size().Height {
		scroll.Refresh()
	}
}

// MinSize implements fyne.Layout.
func (scrollLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// SetVisible shows an object or hides it, which costs nothing where it is so already.
func SetVisible(o fyne.CanvasObject, visible bool) {
	switch {
	case visible == o.Visible():
	case visible:
		o.Show()
	default:
		o.Hide()
	}
}

// SetEnabled makes a control available or unavailable, which costs nothing where it is so already.
func SetEnabled(o fyne.Disableable, available bool) {
	switch {
	case available == !o.Disabled():
	case available:
		o.Enable()
	default:
		o.Disable()
	}
}

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

// Relayout lays out a container's own objects again, and draws nothing that did not change.
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

// RelayoutDeep lays out a container and those within it again, for what was shown or hidden in one that keeps its size.
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
	case interface{ onFocus(do func()) }:
		control.onFocus(do)
	}
}

// RevealIn scrolls as little as brings an object of a scroll's body into sight, with what belongs to it.
func RevealIn(scroll *container.Scroll, o fyne.CanvasObject) { RevealWithin(scroll, o, 10*look.Space) }

// RevealWithin is RevealIn with the room above and below the object that comes into sight with it.
func RevealWithin(scroll *container.Scroll, o fyne.CanvasObject, margin float32) {
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
