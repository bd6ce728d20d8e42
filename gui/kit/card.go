package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Card is a rounded surface around its content.
type Card struct {
	widget.BaseWidget
	content fyne.CanvasObject
	fill    fyne.ThemeColorName
	outline fyne.ThemeColorName
	padding float32
}

// NewCard makes a card in the surface's colour with a hairline and a padding of 16.
func NewCard(content fyne.CanvasObject) *Card {
	return newCard(content, look.ColorSurface, look.ColorBorder)
}

// NewFilledCard makes a card in the given colour without a hairline, such as a verdict's in look.MarkSoftColor.
func NewFilledCard(fill fyne.ThemeColorName, content fyne.CanvasObject) *Card {
	return newCard(content, fill, "")
}

func newCard(content fyne.CanvasObject, fill, outline fyne.ThemeColorName) *Card {
	c := &Card{content: content, fill: fill, outline: outline, padding: 4 * look.Space}
	c.ExtendBaseWidget(c)
	return c
}

// SetPadding sets the room between edge and content, in device-independent pixels; 0 for a list that fills the card.
func (c *Card) SetPadding(padding float32) {
	c.padding = padding
	c.Refresh()
}

// SetFill changes the colour.
func (c *Card) SetFill(fill fyne.ThemeColorName) {
	c.fill = fill
	c.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (c *Card) CreateRenderer() fyne.WidgetRenderer {
	background := newFrame(look.RadiusCard)
	r := &renderer{}
	r.layout = func(size fyne.Size) {
		background.place(0, 0, size.Width, size.Height)
		if c.content == nil {
			return
		}
		// Even without padding the content must not cover the hairline.
		inset := max(c.padding, background.line)
		PlaceAt(c.content, inset, inset, size.Width-2*inset, size.Height-2*inset)
	}
	r.minSize = func() fyne.Size {
		inset := max(c.padding, background.line)
		if c.content == nil {
			return fyne.NewSquareSize(2 * inset)
		}
		return c.content.MinSize().AddWidthHeight(2*inset, 2*inset)
	}
	r.refresh = func() {
		background.paint(c.fill, c.outline, look.Hairline)
		r.objects = background.objects()
		if c.content != nil {
			r.objects = append(r.objects, c.content)
		}
		r.layout(c.Size())
		canvas.Refresh(c)
	}
	r.refresh()
	return r
}

// DropTarget is the dashed area that says "drop here", around its content. The window, not this widget, receives the drop.
type DropTarget struct {
	widget.BaseWidget
	content fyne.CanvasObject
	radius  float32
	line    float32
	padding float32
}

// NewDropTarget makes the large drop target of the empty inbox.
func NewDropTarget(content fyne.CanvasObject) *DropTarget {
	return newDropTarget(content, 20, 2, 10*look.Space)
}

// NewDropStrip makes the thin drop target above the inbox's table.
func NewDropStrip(content fyne.CanvasObject) *DropTarget {
	return newDropTarget(content, look.RadiusCard, 1, 4*look.Space)
}

func newDropTarget(content fyne.CanvasObject, radius, line, padding float32) *DropTarget {
	d := &DropTarget{content: content, radius: radius, line: line, padding: padding}
	d.ExtendBaseWidget(d)
	return d
}

// SetPadding sets the room between edge and content, in device-independent pixels.
func (d *DropTarget) SetPadding(padding float32) {
	d.padding = padding
	d.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (d *DropTarget) CreateRenderer() fyne.WidgetRenderer {
	background := newFrame(d.radius)
	edge := look.NewDashes(d.radius, d.line)
	layout := func(size fyne.Size) {
		background.place(0, 0, size.Width, size.Height)
		PlaceAt(edge.Raster, 0, 0, size.Width, size.Height)
		PlaceAt(d.content, d.padding, d.padding, size.Width-2*d.padding, size.Height-2*d.padding)
	}
	refresh := func() {
		background.paint(look.ColorSurface, "", 0)
		edge.Color = look.ColorDash
		edge.Raster.Refresh()
		layout(d.Size())
		canvas.Refresh(d)
	}
	refresh()
	return &renderer{
		objects: append(background.objects(), edge.Raster, d.content),
		layout:  layout,
		minSize: func() fyne.Size { return d.content.MinSize().AddWidthHeight(2*d.padding, 2*d.padding) },
		refresh: refresh,
	}
}
