package heat

import (
	"image"

	"assay/client/media/picture"
)

// AspectDiffers says whether the aspect ratios of photo and heatmap are more than 1 % apart, so that an overlay would
// show the heat in the wrong places. Both sizes must stand the same way round: see Upright. An empty size differs from
// every other.
func AspectDiffers(photo, heat image.Point) bool {
	if photo.X < 1 || photo.Y < 1 || heat.X < 1 || heat.Y < 1 {
		return true
	}
	a, b := int64(photo.X)*int64(heat.Y), int64(heat.X)*int64(photo.Y)
	return 100*max(a, b) > 101*min(a, b)
}

// HeatOrientation gives the orientation that Layer needs for a heatmap of the given size over this photo. A heatmap is
// taken to lie on the photo's pixels as they are stored, and so to need the same turn; but where its shape fits the
// upright photo and not the stored one (a service that turned the photo first), it needs none.
//
//nolint:revive // heat.Orientation would be taken for the photo's
func HeatOrientation(photo *picture.Picture, heat image.Point) int {
	if AspectDiffers(photo.Source, picture.Upright(heat, photo.Orientation)) && !AspectDiffers(photo.Source, heat) {
		return 1
	}
	return photo.Orientation
}
