package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Card is a rounded surface round a content.
type Card struct {
	widget.BaseWidget
	content fyne.CanvasObject
	fill    fyne.ThemeColorName
	outline fyne.ThemeColorName
	padding float32
}

// NewCard makes a card in the surface's colour and a hairline, padded by 16.
func NewCard(content fyne.CanvasObject) *Card {
	return newCard(content, look.ColorSurface, look.ColorBorder)
}

// NewFilledCard makes a card in a fill and without a hairline, such as a verdict's in look.MarkSoftColor.
func NewFilledCard(fill fyne.ThemeColorName, content fyne.CanvasObject) *Card {
	return newCard(content, fill, "")
}

func newCard(content fyne.CanvasObject, fill, outline fyne.ThemeColorName) *Card {
	c := &Card{content: content, fill: fill, outline: outline, padding: 4 * look.Space}
	c.ExtendBaseWidget(c)
	return c
}

// SetPadding sets the room between edge and content; 0 for a list that fills the card.
func (c *Card) SetPadding(padding float32) {
	c.padding = padding
	c.Refresh()
}

// SetFill changes the fill.
func (c *Card) SetFill(fill fyne.ThemeColorName) {
	c.fill = fill
	c.Refresh()
}

// SetContent changes the content.
func (c *Card) SetContent(content fyne.CanvasObject) {
	c.content = content
	c.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (c *Card) CreateRenderer() fyne.WidgetRenderer {
	face := newFrame(look.RadiusCard)
	r := &renderer{}
	r.layout = func(size fyne.Size) {
		face.place(0, 0, size.Width, size.Height)
		if c.content == nil {
			return
		}
		// Even unpadded, the content keeps off the hairline.
		inset := max(c.padding, face.line)
		place(c.content, inset, inset, size.Width-2*inset, size.Height-2*inset)
	}
	r.minSize = func() fyne.Size {
		inset := max(c.padding, face.line)
		if c.content == nil {
			return fyne.NewSquareSize(2 * inset)
		}
		return c.content.MinSize().AddWidthHeight(2*inset, 2*inset)
	}
	r.refresh = func() {
		face.paint(c.fill, c.outline, look.Hairline)
		r.objects = face.objects()
		if c.content != nil {
			r.objects = append(r.objects, c.content)
		}
		r.layout(c.Size())
		canvas.Refresh(c)
	}
	r.refresh()
	return r
}
