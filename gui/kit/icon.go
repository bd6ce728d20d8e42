package kit

import (
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

// NewIcon makes the icon in a token's colour; side is 16 to 32 device-independent pixels. A nil icon keeps its room.
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
			place(glyph.Raster, (size.Width-side)/2, (size.Height-side)/2, side, side)
		},
		minSize: func() fyne.Size { return fyne.NewSquareSize(side) },
		refresh: refresh,
	}
}
