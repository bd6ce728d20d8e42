package picture

import (
	"bytes"
	"image"

	"assay/client/media/container"

	"github.com/bep/imagemeta"
)

// Upright returns the size of a picture of the stored size once its EXIF orientation is applied: 5 to 8 swap the sides.
func Upright(stored image.Point, orientation int) image.Point {
	if orientation >= 5 && orientation <= 8 {
		return image.Pt(stored.Y, stored.X)
	}
	return stored
}

// readOrientation returns the EXIF orientation, 1 where there is none or an invalid one. Broken metadata never
// keeps a picture from being shown.
func readOrientation(kind container.Format, data []byte) int {
	options := imagemeta.Options{R: bytes.NewReader(data), Sources: imagemeta.EXIF}
	switch kind {
	case container.JPEG:
		options.ImageFormat = imagemeta.JPEG
	case container.PNG:
		options.ImageFormat = imagemeta.PNG
	case container.WebP:
		// imagemeta v1.0.1 misreads a WebP with a chunk of odd length, but it reads the EXIF block by itself, which is a
		// small TIFF.
		options.ImageFormat = imagemeta.TIFF
		options.R = bytes.NewReader(webPExif(data))
	default:
		return 1
	}
	return orientationOf(options)
}

// orientationOf reads the orientation with the options given.
func orientationOf(options imagemeta.Options) int {
	orientation := 1
	options.ShouldHandleTag = func(tag imagemeta.TagInfo) bool {
		return tag.Tag == "Orientation" && tag.Namespace == "IFD0"
	}
	options.HandleTag = func(tag imagemeta.TagInfo) error {
		if value, ok := tag.Value.(uint16); ok && value >= 1 && value <= 8 {
			orientation = int(value)
		}
		return imagemeta.ErrStopWalking
	}
	// The error would mean that the metadata is broken; what was found before that still counts.
	_, _ = guarded(func() (imagemeta.DecodeResult, error) { return imagemeta.Decode(options) })
	return orientation
}

// TurnPoint returns the place in the upright picture of a point in the picture as it is stored, whose size is given. Both
// are in pixels from the upper left corner of the first pixel, so the picture's lower right corner is at its size.
// An orientation outside 2 to 8 turns nothing.
func TurnPoint(x, y float64, stored image.Point, orientation int) (float64, float64) {
	w, h := float64(stored.X), float64(stored.Y)
	switch orientation {
	case 2:
		return w - x, y
	case 3:
		return w - x, h - y
	case 4:
		return x, h - y
	case 5:
		return y, x
	case 6:
		return h - y, x
	case 7:
		return h - y, w - x
	case 8:
		return y, w - x
	}
	return x, y
}

// inverse is the orientation that undoes another one: all except the two quarter turns undo themselves.
func inverse(orientation int) int {
	switch orientation {
	case 6:
		return 8
	case 8:
		return 6
	}
	return orientation
}

// followedBy is the orientation with the effect of one and then another.
func followedBy(first, second int) int {
	turned := func(x, y float64, orientations ...int) image.Point {
		for _, orientation := range orientations {
			x, y = TurnPoint(x, y, image.Pt(2, 2), orientation)
		}
		return image.Pt(int(x), int(y))
	}
	for both := 1; both <= 8; both++ {
		if turned(0, 1, both) == turned(0, 1, first, second) && turned(1, 0, both) == turned(1, 0, first, second) {
			return both
		}
	}
	return 1
}

// storedPart returns the part of the stored picture that appears as part of the upright picture, whose size is given.
func storedPart(part image.Rectangle, upright image.Point, orientation int) image.Rectangle {
	back := inverse(orientation)
	x0, y0 := TurnPoint(float64(part.Min.X), float64(part.Min.Y), upright, back)
	x1, y1 := TurnPoint(float64(part.Max.X), float64(part.Max.Y), upright, back)
	return image.Rect(int(x0), int(y0), int(x1), int(y1)) // image.Rect swaps coordinates that are in the wrong order
}

// AspectDiffers reports whether the aspect ratios of photo and heatmap are more than 1 % apart, so that an overlay would
// show the heat in the wrong places. Both sizes must be turned the same way: see Upright. An empty size differs from
// every other.
func AspectDiffers(photo, heat image.Point) bool {
	if photo.X < 1 || photo.Y < 1 || heat.X < 1 || heat.Y < 1 {
		return true
	}
	a, b := int64(photo.X)*int64(heat.Y), int64(heat.X)*int64(photo.Y)
	return 100*max(a, b) > 101*min(a, b)
}

// LayerOrientation returns the orientation that LayerRegion needs for a heatmap of the given size over this photo. A
// heatmap normally has the photo's pixels as they are stored, and so needs the same turn. It needs none if its shape fits
// the upright photo and not the stored one, because the service turned the photo first.
func LayerOrientation(photo *Picture, heat image.Point) int {
	if AspectDiffers(photo.Source, Upright(heat, photo.Orientation)) && !AspectDiffers(photo.Source, heat) {
		return 1
	}
	return photo.Orientation
}
