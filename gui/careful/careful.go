// Package careful makes what may be shown of a picture that may be disturbing. It is the one gate between decoded pixels and the canvas: whatever paints
// a picture of a person's material passes it through Seen first, in pixels of its own, so that nothing uncovered is ever handed to the canvas.
// It does not use the toolkit. Its functions are pure, take milliseconds, and are called on workers.
package careful

import (
	"image"

	"assay/client/media/picture"
	"assay/gui/present"
)

// coveredSide is the longer side of a covered picture, in pixels, at most: more would show no more, and played frames are covered as fast as they come.
const coveredSide = 384

// Seen returns what of a picture may be shown: the picture itself where it is shown as it is, a grey copy of the same size, or else a copy that is blurred
// beyond recognition and grey, with 384 pixels on its longer side at most. It never changes img. nil stays nil.
func Seen(img *image.RGBA, p present.Preview) *image.RGBA {
	switch {
	case img == nil || p == present.PreviewPlain:
		return img
	case p == present.PreviewGrey:
		return picture.Grey(img)
	}
	small := img
	if size := img.Rect.Size(); max(size.X, size.Y) > coveredSide {
		small = picture.Fit(img, coveredSide, coveredSide)
	}
	return picture.Grey(picture.Blur(small, picture.PreviewBlur(small.Rect.Size())))
}
