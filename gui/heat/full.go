package heat

import (
	"context"
	"image"
	"io"
)

// Full is a whole picture for looking at closely: any part of it, at any size. It keeps the pixels as the decoder made
// them (a photo's YCbCr takes half the room of RGBA) and turns only what is asked for. It does not change: any number
// of goroutines may use it at once.
type Full struct {
	stored      image.Image
	orientation int
	format      string
	unsmoothed  bool
}

// Open reads one encoded picture as Decode does, under the same limits but for LongSide, which it ignores, and with the
// same errors. Set Limits.Unsmoothed for a heatmap.
//
// Memory: the encoded bytes until Open returns, and the decoder's own picture for as long as Full is kept.
func Open(ctx context.Context, r io.Reader, limits Limits) (*Full, error) {
	limits = limits.settled()
	data, err := readAll(ctx, r, limits)
	if err != nil {
		return nil, err
	}
	kind := sniff(data)
	if kind == "" {
		return nil, &Unreadable{Reason: UnknownFormat, Limits: limits}
	}
	stored, err := decodeStored(ctx, codecs[kind], kind, data, limits, 0)
	if err != nil {
		return nil, err
	}
	full := FullOf(stored.Image, readOrientation(kind, data))
	full.format, full.unsmoothed = string(kind), limits.Unsmoothed
	return full, nil
}

// FullOf makes a Full of a picture that is decoded already. It is kept, not copied, and must not change. An orientation
// that is none of 1 to 8 counts as 1.
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

// Format is "JPEG", "PNG", "GIF" or "WebP", as the bytes say; "" where it came from FullOf.
func (f *Full) Format() string { return f.format }

// Region gives one part of the picture, in its upright pixels, as w × h pixels. Enlarged, each of its pixels becomes a
// rectangle of its colour; reduced, pixels are averaged, or picked where Limits.Unsmoothed was set. Of a part that
// reaches beyond the picture, what lies outside is transparent.
//
// An empty part, or a w or h below 1, gives an empty picture; an ended ctx gives an unfinished one, to be thrown away.
func (f *Full) Region(ctx context.Context, part image.Rectangle, w, h int) *image.RGBA {
	return f.region(ctx, f.orientation, f.Size(), part, w, h, !f.unsmoothed)
}

// LayerRegion gives the layer that lies over one part of a photo: Region of the photo, with the same part and size, lies
// under it pixel on pixel. The Full is the heatmap, of any size; photo is the upright size of the photo, whose pixels
// part counts in; get orientation from HeatOrientation, given the heatmap's Size. No pixels are mixed.
func (f *Full) LayerRegion(ctx context.Context, orientation int, photo image.Point, part image.Rectangle, w, h int) *image.RGBA {
	return f.region(ctx, followedBy(f.orientation, orientation), photo, part, w, h, false)
}
