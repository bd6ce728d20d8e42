package picture

import (
	"image"
	"math"
)

// spot is a position or a size: in screen pixels, or in shares of a picture's sides.
type spot struct{ X, Y float64 }

// camera is which part of a picture is visible, and at what zoom. All views of a picture share it, and so show the same part.
type camera struct {
	zoom   float64 // screen pixels per pixel of the picture; 0: as large as fits
	centre spot    // the position of the picture that is in the middle, in shares of its sides
}

// fitted shows the whole picture, as large as fits.
var fitted = camera{centre: spot{0.5, 0.5}}

// maxZoom is the zoom at which single pixels can be counted.
const maxZoom = 32

// zoomLadder are the steps of + and −, at each of which whole pixels meet whole pixels where that can be.
var zoomLadder = []float64{1.0 / 64, 1.0 / 48, 1.0 / 32, 1.0 / 24, 1.0 / 16, 1.0 / 12, 1.0 / 8, 1.0 / 6, 1.0 / 4, 1.0 / 3, 1.0 / 2, 2.0 / 3, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32}

// fitZoom is the zoom at which a picture just fits a frame.
func fitZoom(picture image.Point, frame spot) float64 {
	return min(frame.X/float64(picture.X), frame.Y/float64(picture.Y))
}

// placed is where the whole picture is in a frame, in screen pixels; it may extend beyond.
type placed struct{ left, top, width, height float64 }

// place places a picture in a frame. The zoom applies to the lead picture; one of another size is scaled by the same factor relative to its fit.
func (c camera) place(picture, lead image.Point, frame spot) placed {
	scale := fitZoom(picture, frame)
	if c.zoom != 0 {
		scale *= c.zoom / fitZoom(lead, frame)
	}
	p := placed{width: max(1, float64(picture.X)*scale), height: max(1, float64(picture.Y)*scale)}
	p.left = math.Round(edge(p.width, frame.X, c.centre.X))
	p.top = math.Round(edge(p.height, frame.Y, c.centre.Y))
	return p
}

// edge is where a side begins: centred if it is shorter than the frame, else so that it covers the whole frame.
func edge(side, frame, centre float64) float64 {
	if side <= frame {
		return (frame - side) / 2
	}
	return min(0, max(frame-side, frame/2-centre*side))
}

// settled clamps the centre to where the picture is placed, so that panning against an edge has no effect on panning back.
func (c camera) settled(lead image.Point, frame spot) camera {
	p := c.place(lead, lead, frame)
	settle := func(side, frame, centre float64) float64 {
		if side <= frame {
			return 0.5
		}
		return min(1-frame/2/side, max(frame/2/side, centre))
	}
	c.centre = spot{settle(p.width, frame.X, c.centre.X), settle(p.height, frame.Y, c.centre.Y)}
	return c
}

// actual is the zoom, computed if the picture is fitted.
func (c camera) actual(lead image.Point, frame spot) float64 {
	if c.zoom == 0 {
		return fitZoom(lead, frame)
	}
	return c.zoom
}

// zoomedTo changes the zoom so that the position at of the frame keeps what it shows. The zoom is at least the smaller of 1 and the fit, and at most
// maxZoom, or the fit if that is larger.
func (c camera) zoomedTo(zoom float64, at spot, lead image.Point, frame spot) camera {
	fit := fitZoom(lead, frame)
	zoom = min(max(zoom, min(fit, 1)), max(maxZoom, fit))
	before := c.place(lead, lead, frame)
	c.zoom = zoom
	after := spot{float64(lead.X) * zoom, float64(lead.Y) * zoom}
	held := func(at, left, side, after, frame float64) float64 {
		return (frame/2 - at + (at-left)/side*after) / after
	}
	c.centre = spot{
		held(at.X, before.left, before.width, after.X, frame.X),
		held(at.Y, before.top, before.height, after.Y, frame.Y),
	}
	return c.settled(lead, frame)
}

// stepped returns the next zoom up or down the ladder; the fit counts as a step.
func (c camera) stepped(up bool, lead image.Point, frame spot) (zoom float64, fits bool) {
	const hair = 1.0001 // tolerance for rounding
	now, fit := c.actual(lead, frame), fitZoom(lead, frame)
	best := 0.0
	for _, step := range append([]float64{fit}, zoomLadder...) {
		switch {
		case up && step > now*hair && (best == 0 || step < best):
			best = step
		case !up && step < now/hair && step > best && step >= min(fit, 1)/hair:
			best = step
		}
	}
	if best == 0 {
		return now, c.zoom == 0
	}
	return best, best == fit
}

// panned moves the picture by screen pixels.
func (c camera) panned(by spot, lead image.Point, frame spot) camera {
	c = c.settled(lead, frame)
	p := c.place(lead, lead, frame)
	c.centre = spot{c.centre.X - by.X/p.width, c.centre.Y - by.Y/p.height}
	return c.settled(lead, frame)
}

// roams reports whether the picture is larger than the frame.
func (c camera) roams(lead image.Point, frame spot) bool {
	p := c.place(lead, lead, frame)
	return p.width > frame.X || p.height > frame.Y
}

// seen returns the part of a picture that is visible in a frame, in pixels of a grid over the picture, rounded outwards.
func (p placed) seen(grid image.Point, frame spot) image.Rectangle {
	x, y := float64(grid.X)/p.width, float64(grid.Y)/p.height
	part := image.Rect(
		int(math.Floor(max(0, -p.left)*x)), int(math.Floor(max(0, -p.top)*y)),
		int(math.Ceil(min(p.width, frame.X-p.left)*x)), int(math.Ceil(min(p.height, frame.Y-p.top)*y)),
	)
	return part.Intersect(image.Rectangle{Max: grid})
}

// at returns where a part of a grid is in the frame.
func (p placed) at(part image.Rectangle, grid image.Point) placed {
	x, y := p.width/float64(grid.X), p.height/float64(grid.Y)
	return placed{
		left: p.left + float64(part.Min.X)*x, top: p.top + float64(part.Min.Y)*y,
		width: float64(part.Dx()) * x, height: float64(part.Dy()) * y,
	}
}

// pixels returns the size in whole screen pixels, at least one.
func (p placed) pixels() image.Point {
	return image.Pt(max(1, int(math.Round(p.width))), max(1, int(math.Round(p.height))))
}

// within clips it to the frame.
func (p placed) within(frame spot) placed {
	left, top := max(0, p.left), max(0, p.top)
	return placed{left: left, top: top, width: max(0, min(frame.X, p.left+p.width)-left), height: max(0, min(frame.Y, p.top+p.height)-top)}
}
