package heat

import (
	"image"
	"image/color"
	"math"
)

// Point is a place in a photo, in its upright pixels from the upper left corner of the first; see TurnPoint.
type Point struct{ X, Y float64 }

// Box is a part of a photo that is marked with an outline.
type Box struct {
	Corners []Point // in order; the last is joined to the first
	Label   string  // stands at the box's upper left; may be empty
}

// The outline is white between two dark lines, so that it stands out of every photo and no colour says anything.
var (
	outlineLight = color.RGBA{255, 255, 255, 255}
	outlineDark  = color.RGBA{20, 20, 20, 255}
)

// drawBoxes draws the outlines of the boxes of a photo of that size, shown on the whole of img, then their labels.
func drawBoxes(img *image.RGBA, photo image.Point, boxes []Box, fonts fontChain) {
	frame := img.Rect
	width := max(1, float64(max(frame.Dx(), frame.Dy()))/800)
	scaledBoxes := make([][]Point, len(boxes))
	for i, box := range boxes {
		for _, corner := range box.Corners {
			scaledBoxes[i] = append(scaledBoxes[i], Point{
				float64(frame.Min.X) + corner.X*float64(frame.Dx())/float64(photo.X),
				float64(frame.Min.Y) + corner.Y*float64(frame.Dy())/float64(photo.Y),
			})
		}
	}
	for _, line := range []struct {
		width float64
		color color.RGBA
	}{{3 * width, outlineDark}, {width, outlineLight}} {
		for _, corners := range scaledBoxes {
			for i, corner := range corners {
				strokeLine(img, corner, corners[(i+1)%len(corners)], line.width, line.color)
			}
		}
	}
	drawBoxLabels(img, boxes, scaledBoxes, fonts)
}

// drawBoxLabels writes each label at its box's upper left, within img.
func drawBoxLabels(img *image.RGBA, boxes []Box, corners [][]Point, fonts fontChain) {
	if len(fonts) == 0 {
		return
	}
	writer := fonts.writer(legendTextSize(img.Rect.Dx()))
	defer writer.close()
	for i, box := range boxes {
		if box.Label == "" || len(corners[i]) == 0 {
			continue
		}
		at, end := corners[i][0], corners[i][0]
		for _, corner := range corners[i] {
			at.X, at.Y = min(at.X, corner.X), min(at.Y, corner.Y)
			end.X, end.Y = max(end.X, corner.X), max(end.Y, corner.Y)
		}
		if !isFinite(at) || !isFinite(end) || !image.Rect(int(at.X), int(at.Y), int(end.X)+1, int(end.Y)+1).Overlaps(img.Rect) {
			continue
		}
		label := writable(fonts, box.Label)
		size := image.Pt(writer.width(label)+writer.size/2, writer.lineHeight())
		left := clampInt(at.X, img.Rect.Min.X, max(img.Rect.Min.X, img.Rect.Max.X-size.X))
		top := clampInt(at.Y-float64(size.Y), img.Rect.Min.Y, max(img.Rect.Min.Y, img.Rect.Max.Y-size.Y))
		plate := image.Rectangle{Min: image.Pt(left, top), Max: image.Pt(left, top).Add(size)}
		fillRect(img, plate, outlineDark)
		writer.write(img, label, plate.Min.Add(image.Pt(writer.size/4, 0)), outlineLight)
	}
}

// strokeLine draws a line of that width, cut off at img's edges. One that leads nowhere, or to infinity, is left out.
func strokeLine(img *image.RGBA, from, to Point, width float64, c color.RGBA) {
	if !isFinite(from) || !isFinite(to) {
		return
	}
	from, to, ok := clippedLine(from, to, img.Rect.Inset(-int(width)-1))
	if !ok {
		return
	}
	steps := int(2*max(math.Abs(to.X-from.X), math.Abs(to.Y-from.Y))) + 1
	for i := range steps + 1 {
		part := float64(i) / float64(steps)
		x, y := from.X+(to.X-from.X)*part, from.Y+(to.Y-from.Y)*part
		stamp := image.Rect(
			int(math.Round(x-width/2)), int(math.Round(y-width/2)), int(math.Round(x+width/2)), int(math.Round(y+width/2)),
		)
		fillRect(img, stamp, c)
	}
}

// clippedLine cuts a line off at a frame; ok is false where it lies outside.
func clippedLine(from, to Point, frame image.Rectangle) (a, b Point, ok bool) {
	dx, dy := to.X-from.X, to.Y-from.Y
	start, end := 0.0, 1.0
	for _, edge := range [4]struct{ towards, distance float64 }{
		{-dx, from.X - float64(frame.Min.X)}, {dx, float64(frame.Max.X) - from.X},
		{-dy, from.Y - float64(frame.Min.Y)}, {dy, float64(frame.Max.Y) - from.Y},
	} {
		switch {
		case edge.towards < 0:
			start = max(start, edge.distance/edge.towards)
		case edge.towards > 0:
			end = min(end, edge.distance/edge.towards)
		case edge.distance < 0:
			return from, to, false
		}
	}
	a = Point{from.X + dx*start, from.Y + dy*start}
	b = Point{from.X + dx*end, from.Y + dy*end}
	return a, b, start <= end && isFinite(a) && isFinite(b)
}

// fillRect fills what of a rectangle lies on img.
func fillRect(img *image.RGBA, r image.Rectangle, c color.RGBA) {
	r = r.Intersect(img.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := img.Pix[img.PixOffset(r.Min.X, y):][:4*r.Dx()]
		for i := 0; i < len(row); i += 4 {
			row[i], row[i+1], row[i+2], row[i+3] = c.R, c.G, c.B, c.A
		}
	}
}

// farAway is beyond every picture, and near enough for arithmetic to stay exact.
const farAway = 1e9

func isFinite(p Point) bool { return math.Abs(p.X) < farAway && math.Abs(p.Y) < farAway }

func clampInt(v float64, low, high int) int { return int(min(max(v, float64(low)), float64(high))) }
