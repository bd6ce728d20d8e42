package look

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
)

// NewHatch returns an area of thin slanting lines with rounded corners, which shows that nothing was reported. Radius is in device-independent
// pixels. Refresh it when the theme changes.
func NewHatch(radius float32) *canvas.Raster {
	hatch := &canvas.Raster{}
	hatch.Generator = func(w, h int) image.Image {
		scale := float64(1)
		if width := hatch.Size().Width; width > 0 {
			scale = float64(w) / float64(width)
		}
		return DrawHatch(w, h, float64(radius)*scale, scale)
	}
	return hatch
}

const (
	hatchPeriod = 6.0 // pixels between two lines, measured along an edge
	hatchLine   = 1.4
)

// DrawHatch draws the hatch in pixels; scale is pixels per device-independent pixel.
func DrawHatch(w, h int, radius, scale float64) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	ink := color.NRGBAModel.Convert(Color(ColorDash)).(color.NRGBA)
	period, line := hatchPeriod*scale, hatchLine*scale
	for y := range h {
		for x := range w {
			phase := math.Mod(float64(x+y)+0.5, period)
			fromLine := math.Abs(phase-period/2)/math.Sqrt2 - line/2
			cover := Clamp01(0.5-fromLine) * Clamp01(0.5-OutsideRounded(float64(x)+0.5, float64(y)+0.5, float64(w), float64(h), radius))
			if cover > 0 {
				pixel := ink
				pixel.A = uint8(cover * float64(ink.A))
				img.SetNRGBA(x, y, pixel)
			}
		}
	}
	return img
}

// OutsideRounded is the distance of a point from a rounded rectangle from 0,0 to w,h; negative inside it.
func OutsideRounded(x, y, w, h, radius float64) float64 {
	dx := math.Abs(x-w/2) - w/2 + radius
	dy := math.Abs(y-h/2) - h/2 + radius
	return math.Hypot(math.Max(dx, 0), math.Max(dy, 0)) + math.Min(math.Max(dx, dy), 0) - radius
}

// Clamp01 clamps a number to 0..1.
func Clamp01(v float64) float64 { return math.Min(math.Max(v, 0), 1) }

// Dashes is a dashed, rounded outline, drawn in the screen's pixels.
type Dashes struct {
	// Raster is the object to place; refresh it when the colour or the theme changes.
	Raster *canvas.Raster
	// Color is ColorDash if it is not changed.
	Color fyne.ThemeColorName

	radius float32
	line   float32
}

// NewDashes makes an outline with a corner radius and a line width in device-independent pixels.
func NewDashes(radius, line float32) *Dashes {
	d := &Dashes{radius: radius, line: line, Color: ColorDash}
	d.Raster = canvas.NewRaster(d.draw)
	return d
}

// draw renders w × h pixels. The middle of the stroke is half its width from the edge, so that it covers whole pixels.
func (d *Dashes) draw(w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	width := d.Raster.Size().Width
	if width <= 0 {
		return img
	}
	scale := float64(w) / float64(width)
	line := max(float64(int(float64(d.line)*scale+0.5)), 1)
	dash := 4 * scale
	if d.line > 1 {
		dash = 6 * scale
	}
	dasher := rasterx.NewDasher(w, h, rasterx.NewScannerGV(w, h, img, img.Bounds()))
	dasher.SetColor(Color(d.Color))
	dasher.SetStroke(fixed.Int26_6(line*64), 0, rasterx.ButtCap, rasterx.ButtCap, rasterx.RoundGap, rasterx.ArcClip, []float64{dash, dash * 0.8}, 0)
	radius := float64(d.radius)*scale - line/2
	rasterx.AddRoundRect(line/2, line/2, float64(w)-line/2, float64(h)-line/2, radius, radius, 0, rasterx.RoundGap, dasher)
	dasher.Draw()
	return img
}
