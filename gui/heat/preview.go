package heat

import (
	"context"
	"image"
	"image/draw"

	"github.com/disintegration/imaging"
)

// previewParts is how many radii of PreviewBlur go along the longer side. What is finer than an eighth of that side then
// vanishes: of a face that fills the picture a patch is left, and of a crowd nothing.
const previewParts = 16

// PreviewBlur is the radius at which Blur leaves nothing recognisable of a picture of that size.
func PreviewBlur(size image.Point) float64 { return float64(max(size.X, size.Y, 1)) / previewParts }

// Grey gives a picture without its colours, its alpha kept.
func Grey(img *image.RGBA) *image.RGBA {
	grey := image.NewRGBA(image.Rectangle{Max: img.Rect.Size()})
	for y := range grey.Rect.Dy() {
		from, to := img.Pix[y*img.Stride:], grey.Pix[y*grey.Stride:][:4*grey.Rect.Dx()]
		for i := 0; i < len(to); i += 4 {
			// The weights of ITU-R BT.601, as in color.GrayModel. They hold for premultiplied values as for others.
			v := byte((19595*uint32(from[i]) + 38470*uint32(from[i+1]) + 7471*uint32(from[i+2]) + 1<<15) >> 16)
			to[i], to[i+1], to[i+2], to[i+3] = v, v, v, from[i+3]
		}
	}
	return grey
}

// blurRadius is the radius at which blurring is still quick: for larger ones, a smaller picture is blurred.
const blurRadius = 4

// Blur gives a picture blurred by a bell curve whose standard deviation is radius, in pixels. A radius that is not above
// 0 gives a copy. The time it takes does not grow with the radius.
func Blur(img *image.RGBA, radius float64) *image.RGBA {
	size := img.Rect.Size()
	blurred := image.NewRGBA(image.Rectangle{Max: size})
	if !(radius > 0) || img.Rect.Empty() { // nor is what is no number
		draw.Draw(blurred, blurred.Rect, img, img.Rect.Min, draw.Src)
		return blurred
	}
	small := img
	part := max(1, min(radius, float64(max(size.X, size.Y)))/blurRadius)
	if part > 1 {
		smallSize := image.Pt(max(1, int(float64(size.X)/part)), max(1, int(float64(size.Y)/part)))
		small = averaged(context.Background(), img, img.Rect, smallSize, 1)
	}
	straight := image.NewNRGBA(image.Rectangle{Max: small.Rect.Size()}) // as imaging needs it: it weighs colours by alpha itself
	draw.Draw(straight, straight.Rect, small, small.Rect.Min, draw.Src)
	straight = imaging.Blur(straight, min(radius, float64(max(size.X, size.Y)))/part)
	straight = imaging.Resize(straight, size.X, size.Y, imaging.BSpline) // which leaves no grid
	draw.Draw(blurred, blurred.Rect, straight, image.Point{}, draw.Src)
	return blurred
}
