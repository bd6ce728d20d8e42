package heat

import (
	"context"
	"image"
	"image/draw"
	"math"

	xdraw "golang.org/x/image/draw"
)

// Fit gives src at the largest size that lies within w × h pixels, its aspect ratio kept; it never enlarges. The
// smallest side is 1 pixel, however long the other is. A w or h below 1 gives an empty picture.
//
// A src that is an *image.RGBA of the right size and origin already comes back as it is: treat the result as read-only.
func Fit(src image.Image, w, h int) *image.RGBA {
	bounds := src.Bounds()
	if w < 1 || h < 1 || bounds.Empty() {
		return image.NewRGBA(image.Rectangle{})
	}
	return scaled(context.Background(), src, bounds, fittedSize(bounds.Size(), w, h))
}

// Thumbnail gives the largest square from the centre of src, as size × size pixels; a smaller src is enlarged.
// A size below 1 gives an empty picture.
func Thumbnail(src image.Image, size int) *image.RGBA {
	bounds := src.Bounds()
	if size < 1 || bounds.Empty() {
		return image.NewRGBA(image.Rectangle{})
	}
	side := min(bounds.Dx(), bounds.Dy())
	corner := bounds.Min.Add(image.Pt((bounds.Dx()-side)/2, (bounds.Dy()-side)/2))
	return scaled(context.Background(), src, image.Rectangle{Min: corner, Max: corner.Add(image.Pt(side, side))}, image.Pt(size, size))
}

// fittedSize is the largest size of the same aspect ratio within w × h, at most the source's own and at least 1 × 1.
func fittedSize(source image.Point, w, h int) image.Point {
	scale := min(float64(w)/float64(source.X), float64(h)/float64(source.Y), 1)
	return image.Pt(
		max(1, int(math.Round(float64(source.X)*scale))),
		max(1, int(math.Round(float64(source.Y)*scale))),
	)
}

// smoothFrom is the reduction from which pixels are averaged. Below it, ApproxBiLinear's four samples a pixel leave
// nothing out and take half the time.
const smoothFrom = 1.5

// scaled draws one part of src at another size. The choice of method was measured on 48 million pixels of YCbCr to
// 1333 × 1000, on two processors: averaged 70 ms, imaging's Linear 360 to 960 ms.
func scaled(ctx context.Context, src image.Image, part image.Rectangle, size image.Point) *image.RGBA {
	if rgba, ok := src.(*image.RGBA); ok && part.Size() == size && part == rgba.Rect && part.Min == (image.Point{}) {
		return rgba
	}
	target := image.NewRGBA(image.Rectangle{Max: size})
	reduction := max(float64(part.Dx())/float64(size.X), float64(part.Dy())/float64(size.Y))
	switch {
	case part.Size() == size:
		draw.Draw(target, target.Rect, src, part.Min, draw.Src)
	case reduction < smoothFrom:
		xdraw.ApproxBiLinear.Scale(target, target.Rect, src, part, xdraw.Src, nil)
	default:
		return averaged(ctx, src, part, size, 1)
	}
	return target
}

// pick draws src at another size without mixing pixels: each one shown is one that was there.
func pick(src image.Image, size image.Point) *image.RGBA {
	target := image.NewRGBA(image.Rectangle{Max: size})
	xdraw.NearestNeighbor.Scale(target, target.Rect, src, src.Bounds(), xdraw.Src, nil)
	return target
}
