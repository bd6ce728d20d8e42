package screen

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"assay/gui/look"
	"assay/gui/part"
)

// disc is an icon on a round ground: the sign of the drop target.
type disc struct {
	widget.BaseWidget
	icon fyne.Resource
	side float32
}

func newDisc(icon fyne.Resource, side float32) *disc {
	d := &disc{icon: icon, side: side}
	d.ExtendBaseWidget(d)
	return d
}

// CreateRenderer implements fyne.Widget.
func (d *disc) CreateRenderer() fyne.WidgetRenderer {
	r := &discRenderer{disc: d, ground: canvas.NewCircle(nil), icon: part.NewIcon(d.icon, look.ColorAccent, d.side*0.4)}
	r.Refresh()
	return r
}

type discRenderer struct {
	disc   *disc
	ground *canvas.Circle
	icon   *part.Icon
}

func (r *discRenderer) Destroy() {}

func (r *discRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	side := r.icon.MinSize()
	r.icon.Resize(side)
	r.icon.Move(fyne.NewPos((size.Width-side.Width)/2, (size.Height-side.Height)/2))
}

func (r *discRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(r.disc.side) }

func (r *discRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.icon}
}

func (r *discRenderer) Refresh() {
	r.ground.FillColor = look.Color(look.ColorSunk)
	r.ground.Refresh()
	r.icon.Refresh()
}
