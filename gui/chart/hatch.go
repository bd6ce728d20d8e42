package chart

import (
	"image"
	"image/color"
	"math"

	"assay/gui/look"

	"fyne.io/fyne/v2/canvas"
)

// NewHatch returns an area of thin slanting lines with rounded corners: how Assay draws what was not reported. Radius is in
// device-independent pixels. Refresh it when the theme changes.
func NewHatch(radius float32) *canvas.Raster {
	hatch := &canvas.Raster{}
	hatch.Generator = func(w, h int) image.Image {
		scale := float64(1)
		if width := hatch.Size().Width; width > 0 {
			scale = float64(w) / float64(width)
		}
		return drawHatch(w, h, float64(radius)*scale, scale)
	}
	return hatch
}

const (
	hatchPeriod = 6.0 // from line to line, measured along an edge
	hatchLine   = 1.4
)

// drawHatch works in pixels; scale is pixels per device-independent pixel.
func drawHatch(w, h int, radius, scale float64) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	ink := color.NRGBAModel.Convert(look.Color(look.ColorDash)).(color.NRGBA)
	period, line := hatchPeriod*scale, hatchLine*scale
	for y := range h {
		for x := range w {
			phase := math.Mod(float64(x+y)+0.5, period)
			fromLine := math.Abs(phase-period/2)/math.Sqrt2 - line/2
			cover := clamp01(0.5-fromLine) * clamp01(0.5-outsideRounded(float64(x)+0.5, float64(y)+0.5, float64(w), float64(h), radius))
			if cover > 0 {
				pixel := ink
				pixel.A = uint8(cover * float64(ink.A))
				img.SetNRGBA(x, y, pixel)
			}
		}
	}
	return img
}

// outsideRounded is how far a point lies outside a rounded rectangle from 0,0 to w,h; negative inside.
func outsideRounded(x, y, w, h, radius float64) float64 {
	dx := math.Abs(x-w/2) - w/2 + radius
	dy := math.Abs(y-h/2) - h/2 + radius
	return math.Hypot(math.Max(dx, 0), math.Max(dy, 0)) + math.Min(math.Max(dx, dy), 0) - radius
}

func clamp01(v float64) float64 { return math.Min(math.Max(v, 0), 1) }
