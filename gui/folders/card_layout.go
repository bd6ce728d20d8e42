package folders

import (
	"fyne.io/fyne/v2"

	"assay/gui/kit"
	"assay/gui/look"
)

// reveal scrolls as little as brings a control into sight that the keyboard has reached, with what belongs to it.
func (c *card) reveal(o fyne.CanvasObject) {
	const margin = 8 * look.Space
	driver, seen := fyne.CurrentApp().Driver(), c.scroll.Size().Height
	top := driver.AbsolutePositionForObject(o).Y - driver.AbsolutePositionForObject(c.body).Y
	most := max(0, c.body.Size().Height-seen)
	switch y, bottom := c.scroll.Offset.Y, top+o.Size().Height; {
	case seen <= 0:
	case top-margin < y:
		c.scroll.ScrollToOffset(fyne.NewPos(0, min(max(0, top-margin), most)))
	case bottom+margin > y+seen:
		c.scroll.ScrollToOffset(fyne.NewPos(0, min(bottom+margin-seen, most)))
	}
}

// revealBelow scrolls as little as brings what was unfolded into sight, and at most as far as shows its beginning.
func (c *card) revealBelow(o fyne.CanvasObject) {
	const margin = 4 * look.Space
	driver, seen := fyne.CurrentApp().Driver(), c.scroll.Size().Height
	top := driver.AbsolutePositionForObject(o).Y - driver.AbsolutePositionForObject(c.body).Y
	most := max(0, c.body.MinSize().Height-seen)
	if y := min(top-margin, top+o.MinSize().Height+margin-seen, most); seen > 0 && y > c.scroll.Offset.Y {
		c.scroll.ScrollToOffset(fyne.NewPos(0, y))
	}
}

// layOut makes room for what was shown or hidden. Twice: heights of wrapping texts follow from the widths of the first pass.
func (c *card) layOut() {
	for range 2 {
		kit.Relayout(c.root)
		kit.Relayout(c.foot)
	}
	c.root.Refresh()
}

// cardLayout centres the card, as high as what is in it and at most as high as the window.
type cardLayout struct{ card *card }

const cardWidth float32 = 720

// Layout implements fyne.Layout.
func (l *cardLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const edge = 4 * look.Space
	width := min(cardWidth, size.Width-2*edge)
	inner := width - 2*look.Hairline
	l.card.body.Resize(fyne.NewSize(inner, l.card.body.Size().Height)) // first: the height follows from the width
	height := l.card.body.MinSize().Height + 2*look.Hairline
	for i, o := range l.card.parts.Objects {
		if i != 2 { // the scroll
			o.Resize(fyne.NewSize(inner, o.Size().Height))
			height += o.MinSize().Height
		}
	}
	most := size.Height - 2*edge
	if l.card.choosing() {
		height = most
	}
	height = min(height, most)
	objects[0].Move(fyne.NewPos((size.Width-width)/2, edge))
	objects[0].Resize(fyne.NewSize(width, height))
}

// MinSize implements fyne.Layout.
func (l *cardLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(480, 300) }
