package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"assay/gui/look"
)

// Disc is an icon on a round ground: the sign of the drop target.
type Disc struct {
	widget.BaseWidget
	icon fyne.Resource
	side float32
}

// NewDisc makes it; side is its diameter in device-independent pixels.
func NewDisc(icon fyne.Resource, side float32) *Disc {
	d := &Disc{icon: icon, side: side}
	d.ExtendBaseWidget(d)
	return d
}

// CreateRenderer implements fyne.Widget.
func (d *Disc) CreateRenderer() fyne.WidgetRenderer {
	r := &discRenderer{disc: d, ground: canvas.NewCircle(nil), icon: NewIcon(d.icon, look.ColorAccent, d.side*0.4)}
	r.Refresh()
	return r
}

type discRenderer struct {
	disc   *Disc
	ground *canvas.Circle
	icon   *Icon
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
