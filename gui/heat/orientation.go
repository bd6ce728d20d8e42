package heat

import (
	"bytes"
	"image"

	"github.com/bep/imagemeta"
)

// Upright gives the size that a picture of the stored size has once its EXIF orientation is applied: 5 to 8 swap the sides.
func Upright(stored image.Point, orientation int) image.Point {
	if orientation >= 5 && orientation <= 8 {
		return image.Pt(stored.Y, stored.X)
	}
	return stored
}

// HeatOrientation gives the orientation that Layer needs for a heatmap of the given size over this photo. A heatmap is
// taken to lie on the photo's pixels as they are stored, and so to need the same turn; but where its shape fits the
// upright photo and not the stored one (a service that turned the photo first), it needs none.
//
//nolint:revive // heat.Orientation would be taken for the photo's
func HeatOrientation(photo *Picture, heat image.Point) int {
	if AspectDiffers(photo.Source, Upright(heat, photo.Orientation)) && !AspectDiffers(photo.Source, heat) {
		return 1
	}
	return photo.Orientation
}

// readOrientation finds the EXIF orientation, 1 where there is none or none that makes sense. Broken metadata never
// keeps a picture from being shown.
func readOrientation(kind format, data []byte) int {
	options := imagemeta.Options{R: bytes.NewReader(data), Sources: imagemeta.EXIF}
	switch kind {
	case formatJPEG:
		options.ImageFormat = imagemeta.JPEG
	case formatPNG:
		options.ImageFormat = imagemeta.PNG
	case formatWebP:
		// imagemeta v1.0.1 loses its way in a WebP with a chunk of odd length, but reads the EXIF block, which is a
		// small TIFF, by itself.
		options.ImageFormat = imagemeta.TIFF
		options.R = bytes.NewReader(webPExif(data))
	default:
		return 1
	}
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
	// The error would say that the metadata is broken; what was found before that still holds.
	_, _ = guarded(func() (imagemeta.DecodeResult, error) { return imagemeta.Decode(options) })
	return orientation
}
