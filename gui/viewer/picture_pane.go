package viewer

import (
	"context"
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"assay/gui/heat"
	"assay/gui/look"
	"assay/gui/part"
	"assay/gui/work"
)

// paneMode is how the photo and the heatmap stand to each other.
type paneMode int

const (
	modeOriginal   paneMode = iota // the photo alone
	modeOverlay                    // the heatmap over the photo
	modeSideBySide                 // the photo at the left, the heatmap at the right
)

// picturePane shows a photo and a heatmap as two stacked images. A change of opacity touches no pixel: the upper image's
// translucency is a number that the graphics card takes.
type picturePane struct {
	widget.BaseWidget
	workers *work.Workers

	photo       *heat.Picture
	heatmap     image.Image
	orientation int // of the heatmap
	mode        paneMode
	opacity     float64 // 0..1

	ground, repaint *canvas.Rectangle
	lower, upper    *canvas.Image
	caption         *part.Caption
	size            fyne.Size
	fitted          image.Point // pixels that the images were last fitted to
	cancelFit       context.CancelFunc
}

func newPicturePane(w *work.Workers) *picturePane {
	p := &picturePane{
		workers:   w,
		opacity:   1,
		ground:    canvas.NewRectangle(color.Transparent),
		repaint:   canvas.NewRectangle(color.Transparent),
		lower:     &canvas.Image{FillMode: canvas.ImageFillStretch, ScaleMode: canvas.ImageScaleFastest},
		upper:     &canvas.Image{FillMode: canvas.ImageFillStretch, ScaleMode: canvas.ImageScaleFastest},
		caption:   part.NewCaption(),
		cancelFit: func() {},
	}
	p.ground.CornerRadius = look.RadiusCard
	p.lower.Hide()
	p.upper.Hide()
	p.ExtendBaseWidget(p)
	return p
}

// setPhoto shows another photo, or none where it is nil, and drops the heatmap.
func (p *picturePane) setPhoto(photo *heat.Picture) {
	p.cancelFit()
	p.photo, p.heatmap, p.fitted = photo, nil, image.Point{}
	p.lower.Image, p.upper.Image = nil, nil
	p.lower.Hide()
	p.upper.Hide()
	p.arrange()
}

// setHeatmap takes the heatmap for the photo shown, nil for none.
func (p *picturePane) setHeatmap(h image.Image) {
	p.heatmap, p.fitted = h, image.Point{}
	if h != nil {
		p.orientation = heat.HeatOrientation(p.photo, h.Bounds().Size())
	}
	p.upper.Image = nil
	p.upper.Hide()
	p.arrange()
}

func (p *picturePane) setMode(m paneMode) {
	if p.mode == m {
		return
	}
	p.mode, p.fitted = m, image.Point{}
	p.arrange()
}

// setOpacity sets the heatmap's opacity, 0 (the photo as it is) to 1 (the heatmap as sent).
func (p *picturePane) setOpacity(o float64) {
	p.opacity = o
	p.applyOpacity()
	canvas.Refresh(p.repaint)
}

func (p *picturePane) applyOpacity() {
	p.upper.Translucency = 1 - p.opacity
	if p.mode == modeSideBySide {
		p.upper.Translucency = 0
	}
}

// setCaption lays a text over the picture's foot, none where it is empty.
func (p *picturePane) setCaption(text string) {
	p.caption.Text = text
	p.caption.Place(p.size)
	p.Refresh()
}

// arrange places the images for the pane's size and asks a worker for pixels of that size.
func (p *picturePane) arrange() {
	p.applyOpacity()
	p.ground.Resize(p.size)
	p.caption.Place(p.size)
	p.repaint.Resize(fyne.NewSize(1, 1))
	if p.photo == nil || p.size.Width < 1 || p.size.Height < 1 {
		p.Refresh()
		return
	}
	source := p.photo.Source
	frame := p.size
	split := p.mode == modeSideBySide
	if split {
		frame.Width = (frame.Width - 2*look.Space) / 2
	}
	scale := min(frame.Width/float32(source.X), frame.Height/float32(source.Y))
	size := fyne.NewSize(max(1, float32(source.X)*scale), max(1, float32(source.Y)*scale))
	at := fyne.NewPos((frame.Width-size.Width)/2, (frame.Height-size.Height)/2)
	p.lower.Move(at)
	p.lower.Resize(size)
	upperAt, upperSize := at, size
	if split {
		upperSize = containedSize(p.heatmapSize(), frame)
		upperAt = fyne.NewPos(p.size.Width-frame.Width+(frame.Width-upperSize.Width)/2, (frame.Height-upperSize.Height)/2)
	}
	p.upper.Move(upperAt)
	p.upper.Resize(upperSize)
	p.fit(size, upperSize)
	p.Refresh()
}

// heatmapSize is the heatmap's size in pixels as it stands on screen.
func (p *picturePane) heatmapSize() image.Point {
	if p.heatmap == nil {
		return p.photo.Source
	}
	return heat.Upright(p.heatmap.Bounds().Size(), p.orientation)
}

func containedSize(source image.Point, frame fyne.Size) fyne.Size {
	scale := min(frame.Width/float32(source.X), frame.Height/float32(source.Y))
	return fyne.NewSize(max(1, float32(source.X)*scale), max(1, float32(source.Y)*scale))
}

// fit makes pixels of the size that is seen, on a worker; until they are there the old ones stay, stretched.
func (p *picturePane) fit(lower, upper fyne.Size) {
	scale := float32(1)
	if c := fyne.CurrentApp().Driver().CanvasForObject(p); c != nil {
		scale = c.Scale()
	}
	p.show()
	want := pixels(lower, scale)
	if want == p.fitted {
		return
	}
	p.fitted = want
	p.cancelFit()
	photo, heatmap, orientation, layerSize := p.photo, p.heatmap, p.orientation, pixels(upper, scale)
	p.cancelFit = p.workers.Do(func(context.Context) func() {
		below := heat.Fit(photo.Image, want.X, want.Y)
		var above *image.RGBA
		if heatmap != nil {
			above = heat.Layer(heatmap, orientation, layerSize.X, layerSize.Y)
		}
		return func() {
			p.lower.Image = below
			if above != nil {
				p.upper.Image = above
			}
			p.show()
			p.lower.Refresh()
			p.upper.Refresh()
		}
	})
}

// show makes visible what there is.
func (p *picturePane) show() {
	part.SetVisible(p.lower, p.lower.Image != nil)
	part.SetVisible(p.upper, p.upper.Image != nil && p.mode != modeOriginal)
}

// layers are the images that are shown, nil where one is not.
func (p *picturePane) layers() (lower, upper *canvas.Image) {
	if p.lower.Visible() {
		lower = p.lower
	}
	if p.upper.Visible() {
		upper = p.upper
	}
	return lower, upper
}

func pixels(s fyne.Size, scale float32) image.Point {
	return image.Pt(int(math.Round(float64(s.Width*scale))), int(math.Round(float64(s.Height*scale))))
}

// CreateRenderer implements fyne.Widget.
func (p *picturePane) CreateRenderer() fyne.WidgetRenderer {
	return &picturePaneRenderer{pane: p}
}

type picturePaneRenderer struct{ pane *picturePane }

func (r *picturePaneRenderer) Destroy() { r.pane.cancelFit() }

func (r *picturePaneRenderer) Layout(size fyne.Size) {
	if size == r.pane.size {
		return
	}
	r.pane.size = size
	r.pane.arrange()
}

func (r *picturePaneRenderer) MinSize() fyne.Size { return fyne.NewSize(160, 120) }

func (r *picturePaneRenderer) Objects() []fyne.CanvasObject {
	p := r.pane
	return append([]fyne.CanvasObject{p.ground, p.lower, p.upper, p.repaint}, p.caption.Objects()...)
}

func (r *picturePaneRenderer) Refresh() {
	p := r.pane
	p.ground.FillColor = look.Color(look.ColorSunk)
	p.ground.Refresh()
	p.caption.Place(p.size)
	canvas.Refresh(p.repaint)
}
