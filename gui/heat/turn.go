package heat

import "image"

// TurnPoint gives the place in the upright picture of a point in the picture as it is stored, whose size is given: both
// in pixels from the upper left corner of the first pixel, so that the lower right corner of the picture is its size.
// An orientation that is none of 2 to 8 turns nothing.
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

// inverse is the orientation that undoes another: all but the two quarter turns undo themselves.
func inverse(orientation int) int {
	switch orientation {
	case 6:
		return 8
	case 8:
		return 6
	}
	return orientation
}

// followedBy is the orientation that turns as one and then another do.
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

// storedPart gives the part of the picture as stored that is seen as that part of the upright picture, whose size is given.
func storedPart(part image.Rectangle, upright image.Point, orientation int) image.Rectangle {
	back := inverse(orientation)
	x0, y0 := TurnPoint(float64(part.Min.X), float64(part.Min.Y), upright, back)
	x1, y1 := TurnPoint(float64(part.Max.X), float64(part.Max.Y), upright, back)
	return image.Rect(int(x0), int(y0), int(x1), int(y1)) // swaps what came out the wrong way round
}
