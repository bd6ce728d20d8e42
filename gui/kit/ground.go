package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"assay/gui/look"
)

// Ground is a plain area in a token's colour, which follows the theme.
type Ground struct {
	widget.BaseWidget
	color fyne.ThemeColorName
}

// NewGround makes an area of a colour.
func NewGround(color fyne.ThemeColorName) *Ground {
	g := &Ground{color: color}
	g.ExtendBaseWidget(g)
	return g
}

// CreateRenderer implements fyne.Widget.
func (g *Ground) CreateRenderer() fyne.WidgetRenderer {
	area := canvas.NewRectangle(look.Color(g.color))
	return &groundRenderer{WidgetRenderer: widget.NewSimpleRenderer(area), ground: g, area: area}
}

type groundRenderer struct {
	fyne.WidgetRenderer
	ground *Ground
	area   *canvas.Rectangle
}

// Refresh takes the colour again.
func (r *groundRenderer) Refresh() {
	r.area.FillColor = look.Color(r.ground.color)
	r.area.Refresh()
}
