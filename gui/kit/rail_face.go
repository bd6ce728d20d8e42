package kit

import (
	"strconv"

	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// railFace draws one item of the Rail.
type railFace struct {
	frame     *frame
	icon      *look.Glyph
	label     *canvas.Text
	badge     *canvas.Rectangle
	badgeText *canvas.Text
}

func newRailFace() *railFace {
	return &railFace{
		frame:     newFrame(look.RadiusControl),
		icon:      look.NewGlyph(),
		label:     &canvas.Text{Alignment: fyne.TextAlignCenter},
		badge:     canvas.NewRectangle(nil),
		badgeText: &canvas.Text{Alignment: fyne.TextAlignCenter},
	}
}

func (f *railFace) objects() []fyne.CanvasObject {
	return append(f.frame.objects(), f.icon.Raster, f.label, f.badge, f.badgeText)
}

func (f *railFace) paint(item RailItem, count int, selected, hovered, focused bool) {
	fill, outline, ink, weight := fyne.ThemeColorName(""), fyne.ThemeColorName(""), look.ColorMuted, look.WeightRegular
	switch {
	case selected:
		fill, ink, weight = look.ColorSunk, look.ColorText, look.WeightBold
	case hovered:
		fill, ink = look.ColorHover, look.ColorText
	}
	if focused {
		outline = look.ColorAccent
		if fill != look.ColorSunk {
			fill = look.ColorSurface // the frame's outline shows through what is not opaque
		}
	}
	f.frame.paint(fill, outline, 2)
	f.icon.Set(look.Tinted(item.Icon, ink))
	look.SetText(f.label, item.Label, weight.Style())
	f.label.TextSize, f.label.Color = look.Size(look.SizeCaption), look.Color(ink)
	f.label.Refresh()
	f.badge.Hidden, f.badgeText.Hidden = count <= 0, count <= 0
	f.badge.FillColor, f.badgeText.Color = look.Color(look.ColorAccent), look.Color(look.ColorOnAccent)
	look.SetText(f.badgeText, badgeText(count), look.WeightBold.Style())
	f.badgeText.TextSize = 10
	f.badge.Refresh()
	f.badgeText.Refresh()
}

func badgeText(count int) string {
	if count > 99 {
		return "99+"
	}
	return strconv.Itoa(count)
}

func (f *railFace) place(x, y, width float32) {
	f.frame.place(x, y, width, railItemHeight)
	place(f.icon.Raster, x+(width-look.IconSize)/2, y+8, look.IconSize, look.IconSize)
	place(f.label, x, y+30, width, 16)
	w := max(f.badgeText.MinSize().Width+8, 17)
	left := x + width/2 + 14 - w/2
	f.badge.CornerRadius = 7
	place(f.badge, left, y+4, w, 14)
	place(f.badgeText, left, y+4, w, 14)
}
