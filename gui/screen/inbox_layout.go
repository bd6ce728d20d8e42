package screen

import "fyne.io/fyne/v2"

// relayout lays out a container's own objects anew, without drawing again what did not change.
func relayout(c *fyne.Container) { c.Layout.Layout(c.Objects, c.Size()) }

// show shows or hides an object, which costs nothing where it is so already.
func show(o fyne.CanvasObject, visible bool) {
	switch {
	case visible == o.Visible():
	case visible:
		o.Show()
	default:
		o.Hide()
	}
}
