package picture

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"io"
)

// Full is a whole picture for close inspection: any part of it, at any size. It keeps the pixels as the decoder returned
// them (a photo's YCbCr takes half the memory of RGBA) and turns only the parts that are asked for. It is immutable: any
// number of goroutines may use it at once.
type Full struct {
	stored      image.Image
	orientation int
	format      string
	unsmoothed  bool
}

// Open reads one encoded picture as Decode does, with the same errors and the same limits except LongSide, which it
// ignores. Set Limits.Unsmoothed for a heatmap.
//
// Memory: the encoded bytes until Open returns, and the decoder's own picture as long as Full lives.
func Open(ctx context.Context, r io.Reader, limits Limits) (*Full, error) {
	limits = limits.settled()
	stored, kind, orientation, err := readStored(ctx, codecs, r, limits, 0)
	if err != nil {
		return nil, err
	}
	full := FullOf(stored.Image, orientation)
	full.format, full.unsmoothed = string(kind), limits.Unsmoothed
	return full, nil
}

// FullOf makes a Full of a decoded picture, which it keeps without a copy: stored must not change. An orientation
// outside 1 to 8 counts as 1.
func FullOf(stored image.Image, orientation int) *Full {
	if orientation < 1 || orientation > 8 {
		orientation = 1
	}
	return &Full{stored: stored, orientation: orientation}
}

// Size is the picture's own, in pixels, upright.
func (f *Full) Size() image.Point { return Upright(f.stored.Bounds().Size(), f.orientation) }

// Orientation is the EXIF orientation, 1 to 8, that Size and Region take into account.
func (f *Full) Orientation() int { return f.orientation }

// Format is as in Picture; "" for a Full made by FullOf.
func (f *Full) Format() string { return f.format }

// Region returns one part of the picture, in its upright pixels, as w × h pixels. If that enlarges it, each of its pixels
// becomes a rectangle of its colour; if that reduces it, pixels are averaged, or picked where Limits.Unsmoothed was set.
// Whatever of the part lies outside the picture is transparent.
//
// An empty part, or a w or h below 1, returns an empty picture; an ended ctx, an unfinished one, which must not be used.
func (f *Full) Region(ctx context.Context, part image.Rectangle, w, h int) *image.RGBA {
	return f.region(ctx, f.orientation, f.Size(), part, w, h, !f.unsmoothed)
}

// LayerRegion returns the part of a heatmap that lies over one part of a photo, pixel on pixel over the photo's own Region
// of the same part and size. The Full is the heatmap, of any size; photo is the upright size of the photo, in whose pixels
// part is given; orientation comes from LayerOrientation for the heatmap's Size. No pixels are mixed.
func (f *Full) LayerRegion(ctx context.Context, orientation int, photo image.Point, part image.Rectangle, w, h int) *image.RGBA {
	return f.region(ctx, followedBy(f.orientation, orientation), photo, part, w, h, false)
}

// region draws one part of a photo of the given upright size from f's pixels, which are stretched over the whole of it.
func (f *Full) region(ctx context.Context, orientation int, photo image.Point, part image.Rectangle, w, h int, smooth bool) *image.RGBA {
	bounds := f.stored.Bounds()
	if w < 1 || h < 1 || part.Empty() || photo.X < 1 || photo.Y < 1 || bounds.Empty() {
		return image.NewRGBA(image.Rectangle{})
	}
	whole := Upright(photo, orientation) // Upright only swaps sides, so it also turns back
	part = storedPart(part, photo, orientation)
	size := Upright(image.Pt(w, h), orientation)
	var drawn *image.RGBA
	if inside := part.In(image.Rectangle{Max: whole}); inside && size == part.Size() && bounds.Size() == whole {
		drawn = copied(ctx, f.stored, part.Add(bounds.Min))
	} else if smooth && (size.X < part.Dx() || size.Y < part.Dy()) {
		drawn = reduced(ctx, f.stored, part.Add(bounds.Min), size)
	} else {
		drawn = pickPart(ctx, f.stored, whole, part, size)
	}
	return orient(drawn, orientation)
}

// copied draws one part of src at its own size: package draw is quicker at that than pickPart.
func copied(ctx context.Context, src image.Image, part image.Rectangle) *image.RGBA {
	target := image.NewRGBA(image.Rectangle{Max: part.Size()})
	const high = 64 // rows at a time
	shareRows(ctx, (part.Dy()+high-1)/high, func(next func() (int, bool)) {
		for band, ok := next(); ok; band, ok = next() {
			rows := image.Rect(0, band*high, part.Dx(), min((band+1)*high, part.Dy()))
			draw.Draw(target, rows, src, part.Min.Add(rows.Min), draw.Src)
		}
	})
	return target
}

// reduced draws one part of src smaller. What lies outside src stays transparent.
func reduced(ctx context.Context, src image.Image, part image.Rectangle, size image.Point) *image.RGBA {
	inside := part.Intersect(src.Bounds())
	if inside == part {
		return scaled(ctx, src, part, size)
	}
	target := image.NewRGBA(image.Rectangle{Max: size})
	place := func(at, start, length, count int) int { return ((at-start)*count + length/2) / length }
	at := image.Rect(
		place(inside.Min.X, part.Min.X, part.Dx(), size.X), place(inside.Min.Y, part.Min.Y, part.Dy(), size.Y),
		place(inside.Max.X, part.Min.X, part.Dx(), size.X), place(inside.Max.Y, part.Min.Y, part.Dy(), size.Y),
	)
	if inside.Empty() || at.Empty() {
		return target
	}
	drawn := scaled(ctx, src, inside, at.Size())
	for y := range at.Dy() {
		copy(target.Pix[target.PixOffset(at.Min.X, at.Min.Y+y):], drawn.Pix[y*drawn.Stride:][:4*at.Dx()])
	}
	return target
}

// pickPart draws one part of a photo by picking pixels from src, which is stretched over the whole of it.
func pickPart(ctx context.Context, src image.Image, whole image.Point, part image.Rectangle, size image.Point) *image.RGBA {
	target := image.NewRGBA(image.Rectangle{Max: size})
	bounds := src.Bounds()
	columns := picked(whole.X, bounds.Dx(), part.Min.X, part.Dx(), size.X)
	rows := picked(whole.Y, bounds.Dy(), part.Min.Y, part.Dy(), size.Y)
	pixels := sampled(src)
	shareRows(ctx, size.Y, func(next func() (int, bool)) {
		before, beforeRow := []byte(nil), -1 // the row that this goroutine drew last: when enlarged, the next is often the same
		for y, ok := next(); ok; y, ok = next() {
			row := target.Pix[y*target.Stride:][:4*size.X]
			switch {
			case rows[y] < 0:
			case rows[y] == beforeRow:
				copy(row, before)
			default:
				pickRow(row, pixels, columns, bounds.Min, rows[y])
				before, beforeRow = row, rows[y]
			}
		}
	})
	return target
}

// pickRow draws one row of picked pixels; where the source has none, it stays transparent.
func pickRow(to []byte, pixels image.RGBA64Image, columns []int, corner image.Point, row int) {
	before := -1
	for x, column := range columns {
		pixel := to[4*x : 4*x+4 : 4*x+4]
		switch {
		case column < 0:
		case column == before:
			copy(pixel, to[4*x-4:])
		default:
			c := pixels.RGBA64At(corner.X+column, corner.Y+row)
			pixel[0], pixel[1], pixel[2], pixel[3] = byte(c.R>>8), byte(c.G>>8), byte(c.B>>8), byte(c.A>>8)
		}
		before = column
	}
}

// picked returns, for each of count pixels, the pixel of the source's side that lies under its middle; -1 where that is
// outside. The count pixels show length pixels from start on, of a side of whole pixels; the source's side has side pixels.
func picked(whole, side, start, length, count int) []int {
	from := make([]int, count)
	for i := range from {
		middle := (2*i+1)*length + 2*count*start // in 2*count-ths of a pixel
		from[i] = -1
		if middle >= 0 && middle < 2*count*whole {
			from[i] = middle * side / (2 * count * whole)
		}
	}
	return from
}

// sampled returns an image that reads single pixels without allocating; every type of the standard library does so already.
func sampled(src image.Image) image.RGBA64Image {
	if quick, ok := src.(image.RGBA64Image); ok {
		return quick
	}
	return slowSamples{src}
}

type slowSamples struct{ image.Image }

func (s slowSamples) RGBA64At(x, y int) color.RGBA64 {
	return color.RGBA64Model.Convert(s.At(x, y)).(color.RGBA64)
}
