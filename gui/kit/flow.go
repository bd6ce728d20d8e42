package kit

import "fyne.io/fyne/v2"

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
