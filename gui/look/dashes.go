package look

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
)

// Dashes is a rounded outline of dashes, drawn at the screen's own pixels.
type Dashes struct {
	// Raster is what to place; refresh it when the colour or the theme changes.
	Raster *canvas.Raster
	// Color is ColorDash at first.
	Color fyne.ThemeColorName

	radius float32
	line   float32
}

// NewDashes makes an outline with the corners' radius and the line's width, in device-independent pixels.
func NewDashes(radius, line float32) *Dashes {
	d := &Dashes{radius: radius, line: line, Color: ColorDash}
	d.Raster = canvas.NewRaster(d.draw)
	return d
}

// draw renders w × h pixels. The stroke's middle lies half its width inside, so that it covers whole pixels.
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
