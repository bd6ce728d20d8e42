package feedback

import (
	"fyne.io/fyne/v2"

	"assay/gui/look"
)

const gap = 3 * look.Space

// sides gives its first object what the second, at the right, leaves of the width.
type sides struct{ narrow func(bool) }

// narrowBelow is the width below which the bar says less.
const narrowBelow float32 = 540

// Layout implements fyne.Layout.
func (s sides) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	left, right := objects[0], objects[1]
	s.narrow(size.Width < narrowBelow)
	width := size.Width
	if right.Visible() {
		side := right.MinSize()
		right.Resize(side)
		right.Move(fyne.NewPos(size.Width-side.Width, 0))
		width -= side.Width + gap
	}
	left.Move(fyne.NewPos(0, 0))
	left.Resize(fyne.NewSize(max(0, width), size.Height))
}

// MinSize implements fyne.Layout.
func (sides) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := objects[0].MinSize()
	if objects[1].Visible() {
		side := objects[1].MinSize()
		size = fyne.NewSize(size.Width+gap+side.Width, max(size.Height, side.Height))
	}
	return size
}

// beside lays a wrapping text beside its buttons, or over them where the width is small.
type beside struct{}

// besideText is the least width of the text beside its buttons.
const besideText float32 = 260

// Layout implements fyne.Layout.
func (beside) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	text, actions := objects[0], objects[1]
	side := actions.MinSize()
	if size.Width < besideText+gap+side.Width {
		text.Resize(fyne.NewSize(size.Width, text.MinSize().Height))
		text.Move(fyne.NewPos(0, 2*look.Space))
		actions.Move(fyne.NewPos(0, text.MinSize().Height+4*look.Space))
		actions.Resize(side)
		return
	}
	width := min(naturalWidth(text), size.Width-gap-side.Width)
	text.Resize(fyne.NewSize(width, text.Size().Height)) // first: the height follows from the width
	height := text.MinSize().Height
	text.Resize(fyne.NewSize(width, height))
	text.Move(fyne.NewPos(0, max(0, (size.Height-height)/2)))
	actions.Resize(side)
	actions.Move(fyne.NewPos(width+gap, (size.Height-side.Height)/2))
}

// MinSize implements fyne.Layout. Its height is that of the width last given.
func (beside) MinSize(objects []fyne.CanvasObject) fyne.Size {
	text, actions := objects[0], objects[1]
	height := max(text.MinSize().Height, look.ControlHeight)
	if actions.Position().X == 0 && text.Size().Width > 0 && anyVisible(actions) {
		height = text.MinSize().Height + 4*look.Space + actions.MinSize().Height
	}
	return fyne.NewSize(max(120, actions.MinSize().Width), height)
}

// naturalWidth is what a text takes in one line.
func naturalWidth(o fyne.CanvasObject) float32 {
	said, ok := o.(interface{ Text() string })
	if !ok {
		return o.MinSize().Width
	}
	return look.Measure(said.Text(), look.Size(look.SizeText), fyne.TextStyle{}).Width + 2*look.Space
}

func anyVisible(o fyne.CanvasObject) bool {
	if c, ok := o.(*fyne.Container); ok {
		for _, inner := range c.Objects {
			if inner.Visible() {
				return true
			}
		}
	}
	return false
}
