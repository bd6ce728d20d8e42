package kit

import (
	"image"

	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Thumb is a small rounded picture of a submission, or its medium's icon where there is none.
type Thumb struct {
	widget.BaseWidget
	side  float32
	icon  fyne.Resource
	image image.Image
}

// NewThumb makes a square of side device-independent pixels, 40 or 44, showing the icon.
func NewThumb(side float32, icon fyne.Resource) *Thumb {
	t := &Thumb{side: side, icon: icon}
	t.ExtendBaseWidget(t)
	return t
}

// SetImage shows a picture, which a worker has already fitted to the pixels needed; its middle fills the square. Nil shows the icon.
func (t *Thumb) SetImage(img image.Image) {
	if t.image == img {
		return
	}
	t.image = img
	t.Refresh()
}

// SetIcon changes the icon that is shown where there is no picture.
func (t *Thumb) SetIcon(icon fyne.Resource) {
	if t.icon == icon {
		return
	}
	t.icon = icon
	t.Refresh()
}

const thumbRadius float32 = 6

// CreateRenderer implements fyne.Widget.
func (t *Thumb) CreateRenderer() fyne.WidgetRenderer {
	ground := &canvas.Rectangle{CornerRadius: thumbRadius}
	icon := look.NewGlyph()
	picture := &canvas.Image{FillMode: canvas.ImageFillCover, ScaleMode: canvas.ImageScaleFastest, CornerRadius: thumbRadius}
	refresh := func() {
		ground.FillColor = look.Color(look.ColorSunk)
		ground.Refresh()
		picture.Hidden = t.image == nil
		icon.Set(look.Tinted(t.icon, look.ColorMuted))
		icon.Raster.Hidden = t.image != nil || t.icon == nil
		if picture.Image != t.image {
			picture.Image = t.image
			picture.Refresh()
		}
		canvas.Refresh(t)
	}
	refresh()
	return &renderer{
		objects: []fyne.CanvasObject{ground, icon.Raster, picture},
		layout: func(size fyne.Size) {
			x, y := (size.Width-t.side)/2, (size.Height-t.side)/2
			place(ground, x, y, t.side, t.side)
			place(picture, x, y, t.side, t.side)
			place(icon.Raster, (size.Width-look.IconSize)/2, (size.Height-look.IconSize)/2, look.IconSize, look.IconSize)
		},
		minSize: func() fyne.Size { return fyne.NewSquareSize(t.side) },
		refresh: refresh,
	}
}
