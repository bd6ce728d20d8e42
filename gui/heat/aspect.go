package heat

import "image"

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
