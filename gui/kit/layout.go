package kit

import (
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
