package forensics

import (
	"image"
	"image/color"
	"image/draw"
)

// plane is the luma of a picture, 0..255, rows of width w without gaps.
type plane struct {
	w, h int
	pix  []uint8
}

func (p *plane) row(y int) []uint8 { return p.pix[y*p.w : (y+1)*p.w] }

// clipped tells whether a pixel is so near black or white that the sensor or the
// encoder cut it off there; neither quantisation nor noise can be measured on it.
func clipped(v uint8) bool { return v < 2 || v > 253 }

// lumaOf takes the luma of a picture. A JPEG's own luma is taken as it was coded:
// converting to RGB and back would add rounding to what is measured. What is
// transparent is laid over white.
func lumaOf(m image.Image) *plane {
	b := m.Bounds()
	p := &plane{w: b.Dx(), h: b.Dy(), pix: make([]uint8, b.Dx()*b.Dy())}
	switch m := m.(type) {
	case *image.YCbCr:
		for y := range p.h {
			copy(p.row(y), m.Y[m.YOffset(b.Min.X, b.Min.Y+y):])
		}
	case *image.Gray:
		for y := range p.h {
			copy(p.row(y), m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):])
		}
	default:
		// One row at a time through the standard converter keeps the memory at a row.
		line := image.NewRGBA(image.Rect(0, 0, p.w, 1))
		for y := range p.h {
			draw.Draw(line, line.Rect, image.White, image.Point{}, draw.Src)
			draw.Draw(line, line.Rect, m, image.Pt(b.Min.X, b.Min.Y+y), draw.Over)
			row := p.row(y)
			for x := range row {
				px := line.Pix[4*x : 4*x+3 : 4*x+3]
				row[x], _, _ = color.RGBToYCbCr(px[0], px[1], px[2])
			}
		}
	}
	return p
}
