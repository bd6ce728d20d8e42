package screen

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"assay/gui/look"
)

// ground is a plain area in a token's colour, which follows the theme.
type ground struct {
	widget.BaseWidget
	color fyne.ThemeColorName
}

func newGround(color fyne.ThemeColorName) *ground {
	g := &ground{color: color}
	g.ExtendBaseWidget(g)
	return g
}

// CreateRenderer implements fyne.Widget.
func (g *ground) CreateRenderer() fyne.WidgetRenderer {
	area := canvas.NewRectangle(look.Color(g.color))
	return &groundRenderer{WidgetRenderer: widget.NewSimpleRenderer(area), ground: g, area: area}
}

type groundRenderer struct {
	fyne.WidgetRenderer
	ground *ground
	area   *canvas.Rectangle
}

// Refresh takes the colour again.
func (r *groundRenderer) Refresh() {
	r.area.FillColor = look.Color(r.ground.color)
	r.area.Refresh()
}
