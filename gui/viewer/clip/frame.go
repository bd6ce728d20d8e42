package clip

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"assay/gui/kit"
	"assay/gui/look"
)

// fitting lays out picture, notice, controls and tracks below each other. Its least height is that of all, with the picture so high that the controls are in sight
// without scrolling.
type fitting struct{ pane *Pane }

const (
	fittingGap         = 2 * look.Space
	frameLeast float32 = 90
	frameGood  float32 = 180 // the height of a picture for which nothing has to be scrolled
	frameMost  float32 = 220 // the height that it takes where the tracks have to be scrolled to
	lowBelow   float32 = 560 // the room below which the tracks are low
	hintFrom   float32 = 430 // the room from which there is a line with where a chosen part stands in the answer, before one was chosen, too
)

// Layout implements fyne.Layout.
func (fitting) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	kit.Column{Gap: fittingGap, Grow: 0}.Layout(objects, size)
}

// MinSize implements fyne.Layout.
func (f fitting) MinSize(objects []fyne.CanvasObject) fyne.Size {
	column, controls := kit.Column{Gap: fittingGap}, objects[2].MinSize().Height
	size := column.MinSize(objects)
	rest := size.Height - objects[0].MinSize().Height
	frame := frameLeast
	if f.pane.Marks == nil && f.pane.room-rest < frameGood { // marks must be in sight, too
		frame = max(frame, min(frameMost, f.pane.room-fittingGap-controls))
	}
	return fyne.NewSize(size.Width, rest+frame)
}

// SetRoom tells the pane how much height it has without scrolling. Where that is little, the tracks are low.
func (p *Pane) SetRoom(height float32) {
	p.room = height
	if tight := height < hintFrom; tight != p.tight {
		p.tight = tight
		p.showSource()
	}
	if low := height < lowBelow; low != p.low {
		p.low = low
		gap, edge := 2*look.Space, 3*look.Space
		if low {
			gap, edge = look.Space, 2*look.Space
		}
		p.tracks.Layout = kit.Column{Gap: gap, Grow: -1}
		p.card.SetPadding(edge)
		p.lanes.Low = low
		p.lanes.Refresh()
		p.sound.SetLow(low)
		p.tracks.Refresh()
	}
}

// frameView shows a picture as large as fits on a plain background, or a film icon and a line if there is none.
type frameView struct {
	widget.BaseWidget
	picture image.Image
	note    string
	name    string // for screen readers
	resized func()
	over    func(inside bool) // called when the pointer moves over it, and with false when it leaves it
}

var (
	_ fyne.Accessible   = (*frameView)(nil)
	_ desktop.Hoverable = (*frameView)(nil)
)

// MouseIn implements desktop.Hoverable.
func (v *frameView) MouseIn(*desktop.MouseEvent) { v.over(true) }

// MouseMoved implements desktop.Hoverable.
func (v *frameView) MouseMoved(*desktop.MouseEvent) { v.over(true) }

// MouseOut implements desktop.Hoverable.
func (v *frameView) MouseOut() { v.over(false) }

func newFrameView(resized func()) *frameView {
	v := &frameView{resized: resized, over: func(bool) {}}
	v.ExtendBaseWidget(v)
	return v
}

// set shows a picture, or a note for nil.
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

func (r *frameRenderer) MinSize() fyne.Size { return fyne.NewSize(120, frameLeast) }

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
	look.SetText(r.note, look.Fit(r.view.note, size.Width-4*look.Space, look.Size(look.SizeSmall), fyne.TextStyle{}, look.EllipsisEnd), fyne.TextStyle{})
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
