package clip

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"assay/gui/look"
)

// frameView shows one picture whole on a plain ground, or a film's icon and a line where there is none.
type frameView struct {
	widget.BaseWidget
	picture image.Image
	note    string
	name    string // for those who cannot see it
	resized func()
}

var _ fyne.Accessible = (*frameView)(nil)

func newFrameView(resized func()) *frameView {
	v := &frameView{resized: resized}
	v.ExtendBaseWidget(v)
	return v
}

// set shows a picture, nil for none; note stands in its place.
func (v *frameView) set(picture image.Image, name, note string) {
	v.picture, v.name, v.note = picture, name, note
	v.Refresh()
}

// AccessibilityLabel implements fyne.Accessible.
func (v *frameView) AccessibilityLabel() string {
	if v.picture == nil {
		return v.note
	}
	return v.name
}

// AccessibilityRole implements fyne.Accessible.
func (v *frameView) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// CreateRenderer implements fyne.Widget.
func (v *frameView) CreateRenderer() fyne.WidgetRenderer {
	r := &frameRenderer{
		view: v, ground: canvas.NewRectangle(nil), note: canvas.NewText("", nil),
		icon:    look.NewGlyph(),
		picture: &canvas.Image{FillMode: canvas.ImageFillContain, ScaleMode: canvas.ImageScaleFastest},
	}
	r.ground.CornerRadius = look.RadiusCard
	r.note.Alignment = fyne.TextAlignCenter
	r.Refresh()
	return r
}

type frameRenderer struct {
	view    *frameView
	ground  *canvas.Rectangle
	icon    *look.Glyph
	picture *canvas.Image
	note    *canvas.Text
	size    fyne.Size
}

func (r *frameRenderer) Destroy() {}

func (r *frameRenderer) MinSize() fyne.Size { return fyne.NewSize(120, 90) }

func (r *frameRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.icon.Raster, r.note, r.picture}
}

func (r *frameRenderer) Layout(size fyne.Size) {
	const icon = 32
	r.ground.Resize(size)
	r.picture.Resize(size)
	top := (size.Height - icon - 2*look.Space - r.note.MinSize().Height) / 2
	r.icon.Raster.Move(fyne.NewPos((size.Width-icon)/2, top))
	r.icon.Raster.Resize(fyne.NewSquareSize(icon))
	r.note.Text = look.Fit(r.view.note, size.Width-4*look.Space, look.Size(look.SizeSmall), fyne.TextStyle{}, look.EllipsisEnd)
	r.note.Move(fyne.NewPos(0, top+icon+2*look.Space))
	r.note.Resize(fyne.NewSize(size.Width, r.note.MinSize().Height))
	if size != r.size {
		r.size = size
		r.view.resized()
	}
}

func (r *frameRenderer) Refresh() {
	none := r.view.picture == nil
	r.ground.FillColor = look.Color(look.ColorSunk)
	r.note.TextSize, r.note.Color = look.Size(look.SizeSmall), look.Color(look.ColorMuted)
	r.icon.Set(look.IconFilm.Tinted(look.ColorMuted))
	r.picture.Image = r.view.picture
	r.icon.Raster.Hidden, r.note.Hidden, r.picture.Hidden = !none, !none || r.view.note == "", none
	r.Layout(r.view.Size())
	for _, o := range []fyne.CanvasObject{r.ground, r.note, r.picture} {
		o.Refresh()
	}
	canvas.Refresh(r.view)
}
