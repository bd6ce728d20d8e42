package screen

import "fyne.io/fyne/v2"

// column lays objects out under each other with a gap; the one at grow takes the height that is left.
type column struct {
	gap  float32
	grow int
}

// Layout implements fyne.Layout. What wraps knows its height only once it has a width, hence the first pass.
func (c column) Layout(objects []fyne.CanvasObject, size fyne.Size) {
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
		if i == c.grow {
			height += max(0, rest)
		}
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, height))
		y += height + c.gap
	}
}

// MinSize implements fyne.Layout.
func (c column) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(0, 0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		minimum := o.MinSize()
		if size.Height > 0 {
			size.Height += c.gap
		}
		size.Width = max(size.Width, minimum.Width)
		size.Height += minimum.Height
	}
	return size
}

// atLeast is a layout that gives its objects all the room and asks for at least this height.
type atLeast float32

// Layout implements fyne.Layout.
func (a atLeast) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
}

// MinSize implements fyne.Layout.
func (a atLeast) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(0, float32(a))
	for _, o := range objects {
		size = size.Max(o.MinSize())
	}
	return size
}

// fixedWidth is a layout of one width and its objects' height.
type fixedWidth float32

// Layout implements fyne.Layout.
func (f fixedWidth) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
}

// MinSize implements fyne.Layout.
func (f fixedWidth) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(float32(f), 0)
	for _, o := range objects {
		size.Height = max(size.Height, o.MinSize().Height)
	}
	return size
}
