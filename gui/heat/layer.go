package heat

import "image"

// Layer makes the layer that lies over a photo of w × h pixels (upright, at the size that is seen) from a heatmap as the
// service sent it: greyscale with alpha or coloured, of the photo's size or another. It is turned like the photo and
// scaled by picking pixels: never smoothed, never recoloured, its alpha kept. Get orientation from HeatOrientation.
//
// A w or h below 1, or an empty heatmap, gives an empty layer.
func Layer(heat image.Image, orientation, w, h int) *image.RGBA {
	if w < 1 || h < 1 || heat.Bounds().Empty() {
		return image.NewRGBA(image.Rectangle{})
	}
	// Scaled first and turned afterwards, as Decode does with the photo, so that both round alike.
	return orient(pick(heat, Upright(image.Pt(w, h), orientation)), orientation)
}

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
