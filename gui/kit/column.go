package kit

import "fyne.io/fyne/v2"

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
