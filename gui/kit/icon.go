package kit

import (
	"image"

	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Icon shows one of Assay's icons in a colour.
type Icon struct {
	widget.BaseWidget
	icon  fyne.Resource
	color fyne.ThemeColorName
	side  float32
}

// NewIcon makes the icon in a colour of the theme; side is 16 to 32 device-independent pixels. A nil icon leaves its room empty.
func NewIcon(icon fyne.Resource, color fyne.ThemeColorName, side float32) *Icon {
	i := &Icon{icon: icon, color: color, side: side}
	i.ExtendBaseWidget(i)
	return i
}

// Set changes icon and colour.
func (i *Icon) Set(icon fyne.Resource, color fyne.ThemeColorName) {
	if i.icon == icon && i.color == color {
		return
	}
	i.icon, i.color = icon, color
	i.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (i *Icon) CreateRenderer() fyne.WidgetRenderer {
	return iconRenderer(i, i.side, func() fyne.Resource { return look.Tinted(i.icon, i.color) })
}

func iconRenderer(owner fyne.Widget, side float32, resource func() fyne.Resource) fyne.WidgetRenderer {
	glyph := look.NewGlyph()
	refresh := func() {
		glyph.Set(resource())
		canvas.Refresh(owner)
	}
	refresh()
	return &renderer{
		objects: []fyne.CanvasObject{glyph.Raster},
		layout: func(size fyne.Size) {
			PlaceAt(glyph.Raster, (size.Width-side)/2, (size.Height-side)/2, side, side)
		},
		minSize: func() fyne.Size { return fyne.NewSquareSize(side) },
		refresh: refresh,
	}
}

// MarkIcon shows the shape of a verdict, always next to its word.
type MarkIcon struct {
	widget.BaseWidget
	mark look.Mark
	side float32
}

// NewMarkIcon makes the icon; side is 13 to 40 device-independent pixels. look.MarkNone leaves its room empty.
func NewMarkIcon(mark look.Mark, side float32) *MarkIcon {
	m := &MarkIcon{mark: mark, side: side}
	m.ExtendBaseWidget(m)
	return m
}

// SetMark changes the mark.
func (m *MarkIcon) SetMark(mark look.Mark) {
	if m.mark == mark {
		return
	}
	m.mark = mark
	m.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (m *MarkIcon) CreateRenderer() fyne.WidgetRenderer {
	return iconRenderer(m, m.side, func() fyne.Resource { return look.MarkResource(m.mark) })
}

// RoundIcon is an icon on a round background, as in the drop target.
type RoundIcon struct {
	widget.BaseWidget
	icon fyne.Resource
	side float32
}

// NewRoundIcon makes a RoundIcon; side is its diameter in device-independent pixels.
func NewRoundIcon(icon fyne.Resource, side float32) *RoundIcon {
	r := &RoundIcon{icon: icon, side: side}
	r.ExtendBaseWidget(r)
	return r
}

// CreateRenderer implements fyne.Widget.
func (r *RoundIcon) CreateRenderer() fyne.WidgetRenderer {
	background, icon := canvas.NewCircle(look.Color(look.ColorSunk)), NewIcon(r.icon, look.ColorAccent, r.side*0.4)
	return &renderer{
		objects: []fyne.CanvasObject{background, icon},
		layout: func(size fyne.Size) {
			background.Resize(size)
			side := icon.MinSize()
			PlaceAt(icon, (size.Width-side.Width)/2, (size.Height-side.Height)/2, side.Width, side.Height)
		},
		minSize: func() fyne.Size { return fyne.NewSquareSize(r.side) },
		refresh: func() {
			background.FillColor = look.Color(look.ColorSunk)
			background.Refresh()
			icon.Refresh()
		},
	}
}

// Thumb is a small rounded picture of a submission, or its medium's icon if it has none.
type Thumb struct {
	widget.BaseWidget
	side  float32
	icon  fyne.Resource
	image image.Image
}

// NewThumb makes a square that shows the icon; side is 40 or 44 device-independent pixels. With 0 it fills all its room.
func NewThumb(side float32, icon fyne.Resource) *Thumb {
	t := &Thumb{side: side, icon: icon}
	t.ExtendBaseWidget(t)
	return t
}

// SetImage shows a picture, or the icon for nil. A worker must have scaled the picture to the pixels needed; its middle fills the room.
func (t *Thumb) SetImage(img image.Image) {
	if t.image == img {
		return
	}
	t.image = img
	t.Refresh()
}

// SetIcon changes the icon that is shown if there is no picture.
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
	background := &canvas.Rectangle{CornerRadius: thumbRadius}
	icon := look.NewGlyph()
	picture := &canvas.Image{FillMode: canvas.ImageFillCover, ScaleMode: canvas.ImageScaleFastest, CornerRadius: thumbRadius}
	refresh := func() {
		background.FillColor = look.Color(look.ColorSunk)
		background.Refresh()
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
		objects: []fyne.CanvasObject{background, icon.Raster, picture},
		layout: func(size fyne.Size) {
			room := fyne.NewSquareSize(t.side)
			if t.side == 0 {
				room = size
			}
			x, y := (size.Width-room.Width)/2, (size.Height-room.Height)/2
			PlaceAt(background, x, y, room.Width, room.Height)
			PlaceAt(picture, x, y, room.Width, room.Height)
			PlaceAt(icon.Raster, (size.Width-look.IconSize)/2, (size.Height-look.IconSize)/2, look.IconSize, look.IconSize)
		},
		minSize: func() fyne.Size { return fyne.NewSquareSize(t.side) },
		refresh: refresh,
	}
}
