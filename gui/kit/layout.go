package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Column lays objects out below each other with a gap; the object with the index Grow takes the rest of the height.
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

// AtLeast is a layout that gives its objects all its room and has at least this height.
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

// FixedWidth is a layout with this width and the height of its objects.
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

// Flow lays objects out side by side, and in further lines when the width ends. Its least width is that of its widest object, so that a window can
// always be made narrower; its height follows from the width of the last layout.
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

// each calls place with every visible object and its position.
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

// NewScroll makes content that wraps scroll vertically.
func NewScroll(content fyne.CanvasObject) *fyne.Container {
	return container.New(scrollLayout{}, container.NewVScroll(content))
}

// scrollLayout resizes a scroll and then refreshes it: the height of content that wraps is known only once it has its width.
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

// SetVisible shows or hides an object. It does nothing if the object is so already.
func SetVisible(o fyne.CanvasObject, visible bool) {
	switch {
	case visible == o.Visible():
	case visible:
		o.Show()
		if _, ok := o.(*fyne.Container); ok {
			repaint()
		}
	default:
		o.Hide()
	}
}

// repaint has the windows painted again. A container does not ask for that when it is shown, and one that was never painted can't: it does not know its
// window.
func repaint() {
	for _, w := range fyne.CurrentApp().Driver().AllWindows() {
		if c, ok := w.Canvas().(interface{ SetDirty() }); ok {
			c.SetDirty()
		}
	}
}

// SetEnabled enables or disables a control. It does nothing if the control is so already.
func SetEnabled(o fyne.Disableable, available bool) {
	switch {
	case available == !o.Disabled():
	case available:
		o.Enable()
	default:
		o.Disable()
	}
}

// WrappedHeight returns the height of an object that wraps at a width.
func WrappedHeight(o fyne.CanvasObject, width float32) float32 {
	for range 2 { // nested objects know their width only after the first
		o.Resize(fyne.NewSize(width, o.MinSize().Height))
	}
	return o.MinSize().Height
}

// PlaceAt moves and resizes an object.
func PlaceAt(o fyne.CanvasObject, x, y, width, height float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(width, height))
}

// Relayout lays out a container's own objects again; what did not change is not drawn again.
func Relayout(c *fyne.Container) { c.Layout.Layout(c.Objects, c.Size()) }

// RelayoutTwice lays out content that wraps: its heights follow from the widths of the first pass. inner are containers within cards, which the
// layout of c does not reach.
func RelayoutTwice(c *fyne.Container, inner ...*fyne.Container) {
	for range 2 {
		Relayout(c)
		for _, i := range inner {
			RelayoutDeep(i)
		}
	}
	c.Refresh()
}

// RelayoutDeep lays out a container and all containers in it, for a change that leaves the outer sizes alone.
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

// RevealWhenReached calls reveal for each control in an object when it gets the keyboard focus. Controls that are added later are not included.
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

// RevealIn scrolls as little as possible to bring an object in a scroll's content into sight.
func RevealIn(scroll *container.Scroll, o fyne.CanvasObject) { RevealWithin(scroll, o, 10*look.Space) }

// RevealWithin is RevealIn with room above and below the object that comes into sight too.
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
