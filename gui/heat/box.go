package heat

import (
	"image"
	"image/color"
	"math"
)

// Point is a position in a photo, in pixels of the upright photo from its upper left corner; see TurnPoint.
type Point struct{ X, Y float64 }

// Box is a part of a photo to mark by an outline.
type Box struct {
	Corners []Point // in order; the last is joined to the first
	Label   string  // shown at the upper left of the box; may be empty
}

// The outline is white between two dark lines, so that it is visible on every photo and no colour seems to mean anything.
var (
	outlineLight = color.RGBA{255, 255, 255, 255}
	outlineDark  = color.RGBA{20, 20, 20, 255}
)

// drawBoxes draws outlines and labels of boxes. photo is the size of the photo that fills img.
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

// drawBoxLabels draws each label at the upper left of its box, within img.
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

// strokeLine draws a line, clipped to img. A line without length or with an infinite end is left out.
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

// clippedLine clips a line to a frame; ok is false if it is outside.
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

// fillRect fills the part of a rectangle that is within img.
func fillRect(img *image.RGBA, r image.Rectangle, c color.RGBA) {
	r = r.Intersect(img.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := img.Pix[img.PixOffset(r.Min.X, y):][:4*r.Dx()]
		for i := 0; i < len(row); i += 4 {
			row[i], row[i+1], row[i+2], row[i+3] = c.R, c.G, c.B, c.A
		}
	}
}

// farAway is outside every picture, yet small enough for exact arithmetic.
const farAway = 1e9

func isFinite(p Point) bool { return math.Abs(p.X) < farAway && math.Abs(p.Y) < farAway }

func clampInt(v float64, low, high int) int { return int(min(max(v, float64(low)), float64(high))) }
