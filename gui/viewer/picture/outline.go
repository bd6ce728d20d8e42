package picture

// clippedLine is what of a line lies in an area; ok is false where nothing does. A box may reach far beyond its picture, and a picture
// far beyond its frame, further than a painter counts.
func clippedLine(a, b spot, area placed) (from, to spot, ok bool) {
	first, last := 0.0, 1.0
	delta := spot{b.X - a.X, b.Y - a.Y}
	for _, side := range [4][2]float64{ // the speed out of each side, and the way to it
		{-delta.X, a.X - area.left}, {delta.X, area.left + area.width - a.X},
		{-delta.Y, a.Y - area.top}, {delta.Y, area.top + area.height - a.Y},
	} {
		speed, way := side[0], side[1]
		switch {
		case speed == 0 && way < 0:
			return spot{}, spot{}, false
		case speed < 0:
			first = max(first, way/speed)
		case speed > 0:
			last = min(last, way/speed)
		}
	}
	if first > last {
		return spot{}, spot{}, false
	}
	return spot{a.X + first*delta.X, a.Y + first*delta.Y}, spot{a.X + last*delta.X, a.Y + last*delta.Y}, true
}

// inside reports whether a point lies in a box of corners in order, either way round.
func inside(at spot, corners [4]spot) bool {
	in := false
	for i, a := range corners {
		b := corners[(i+1)%4]
		if (a.Y > at.Y) != (b.Y > at.Y) && at.X < a.X+(at.Y-a.Y)/(b.Y-a.Y)*(b.X-a.X) {
			in = !in
		}
	}
	return in
}

// area is how much a box of corners in order covers.
func area(corners [4]spot) float64 {
	twice := 0.0
	for i, a := range corners {
		b := corners[(i+1)%4]
		twice += a.X*b.Y - b.X*a.Y
	}
	return max(twice, -twice) / 2
}
