package chart

import (
	"image"
	"image/color"
	"math"
	"slices"

	"assay/gui/look"
)

// Sizes in device-independent pixels.
const (
	spanHeight float32 = 22
	spanLow    float32 = 17
	spanRadius float32 = 5
	spanApart  float32 = 1.5 // room between a box and the ends of its span, if it is wide enough
	spanBox    float32 = 7   // a span of at least this width is drawn as an outlined box
	spanLeast  float32 = 2.5 // the width at which a shorter span is drawn
	ringOver   float32 = 3   // by how much the ring around the chosen span is larger than it
	ringLine   float32 = 2
	gapLeast   float32 = 3 // the least width of a stretch that is hatched
)

// spanEdges returns where a span is drawn; shown is false if it lies beyond the axis. Spans that are too short to be seen are widened.
func spanEdges(a axis, s Span) (from, to float32, shown bool) {
	if !(a.length > 0) || s.Start > a.length {
		return 0, 0, false
	}
	from, to = a.x(s.Start), a.x(s.End)
	if short := spanLeast - (to - from); short > 0 {
		if s.End <= s.Start {
			from -= short / 2
		}
		from = min(max(from, 0), max(a.width-spanLeast, 0))
		to = from + spanLeast
	}
	return from, to, true
}

// lanePainter paints a lane into an image.
type lanePainter struct {
	img   *image.NRGBA
	scale float64 // pixels per device-independent pixel
	axis  axis
}

// paintLane paints boxes where something was reported and hatches the rest. ring is the index of the span with a ring round it, -1 for none.
func paintLane(w, h int, a axis, spans []Span, order []int, ring int, ringColor color.NRGBA) *image.NRGBA {
	p := lanePainter{img: image.NewNRGBA(image.Rect(0, 0, w, h)), axis: a}
	if a.width <= 0 || !(a.length > 0) || w <= 0 || h <= 0 {
		return p.img
	}
	p.scale = float64(w) / float64(a.width)
	for _, gap := range gaps(a, spans) {
		p.hatch(gap[0], gap[1])
	}
	for _, i := range p.uncovered(spans, order) {
		p.span(spans[i])
	}
	if ring >= 0 && ring < len(spans) {
		p.span(spans[ring])
		p.ring(spans[ring], ringColor)
	}
	return p.img
}

// gaps are the stretches of the width that no span covers, in device-independent pixels.
func gaps(a axis, spans []Span) [][2]float32 {
	var found [][2]float32
	covered := float32(0)
	for _, s := range spans { // sorted by their starts
		from, to, shown := spanEdges(a, s)
		if !shown {
			continue
		}
		if from-covered >= gapLeast {
			found = append(found, [2]float32{covered, from})
		}
		covered = max(covered, to)
	}
	if a.width-covered >= gapLeast {
		found = append(found, [2]float32{covered, a.width})
	}
	return found
}

// high is the height of the lane in pixels.
func (p lanePainter) high() float64 { return float64(p.img.Rect.Dy()) }

func (p lanePainter) hatch(from, to float32) {
	apart := min(spanApart, (to-from)/4)
	x0, x1 := float64(from+apart)*p.scale, float64(to-apart)*p.scale
	y0, y1 := float64(ringOver)*p.scale, p.high()-float64(ringOver)*p.scale
	w, h := int(x1)-int(x0), int(y1-y0)
	if w <= 0 || h <= 0 {
		return
	}
	lines := look.DrawHatch(w, h, float64(spanRadius)*p.scale, p.scale)
	for y := range h {
		for x := range w {
			p.over(int(x0)+x, int(y0)+y, lines.NRGBAAt(x, y), 1)
		}
	}
	p.box(x0, y0, x1, y1, float64(spanRadius)*p.scale, color.NRGBA{}, opaque(look.Color(look.ColorBorder)), p.scale)
}

// extent returns where a span is painted, in pixels.
func (p lanePainter) extent(s Span) (x0, x1 float64, shown bool) {
	from, to, shown := spanEdges(p.axis, s)
	apart := float32(0)
	switch {
	case to-from >= spanBox:
		apart = spanApart
	case to-from >= 4:
		apart = 0.5
	}
	return float64(from+apart) * p.scale, float64(to-apart) * p.scale, shown
}

// uncovered removes from the order the spans that later ones cover completely. So no more spans are painted than the width has columns of pixels,
// however many there are.
func (p lanePainter) uncovered(spans []Span, order []int) []int {
	width := p.img.Rect.Dx()
	next := make([]int, width+1) // index of the first column, from this one on, that nothing covers; width for none
	for x := range next {
		next[x] = x
	}
	free := func(x int) int {
		for next[x] != x {
			next[x] = next[next[x]]
			x = next[x]
		}
		return x
	}
	var seen []int
	for _, i := range slices.Backward(order) {
		from, to, shown := p.extent(spans[i])
		x0 := min(max(int(math.Round(from)), 0), width)
		x1 := min(max(int(math.Round(to)), x0+1), width)
		x := free(x0)
		if !shown || x >= x1 {
			continue
		}
		seen = append(seen, i)
		for ; x < x1; x = free(x) {
			next[x] = x + 1
		}
	}
	slices.Reverse(seen)
	return seen
}

func (p lanePainter) span(s Span) {
	from, to, shown := spanEdges(p.axis, s)
	if !shown {
		return
	}
	x0, x1, _ := p.extent(s)
	ink, soft := opaque(look.Color(look.MarkColor(barMark(s.Mark)))), opaque(look.Color(look.MarkSoftColor(barMark(s.Mark))))
	y0, y1 := float64(ringOver)*p.scale, p.high()-float64(ringOver)*p.scale
	if to-from >= spanBox {
		p.box(x0, y0, x1, y1, float64(spanRadius)*p.scale, soft, ink, p.scale)
		return
	}
	// If there is no room for a mark, the shape conveys what the colour does: whole, in two parts, or two ends.
	switch s.Mark {
	case look.MarkFake:
		p.box(x0, y0, x1, y1, 0, ink, ink, 0)
	case look.MarkSuspicious:
		p.box(x0, y0, x1, y1, 0, ink, ink, 0)
		p.box(x0, y0+(y1-y0)*0.4, x1, y0+(y1-y0)*0.6, 0, soft, soft, 0)
	default:
		end := (y1 - y0) * 0.12
		p.box(x0, y0, x1, y1, 0, soft, soft, 0)
		p.box(x0, y0, x1, y0+end, 0, ink, ink, 0)
		p.box(x0, y1-end, x1, y1, 0, ink, ink, 0)
	}
}

func (p lanePainter) ring(s Span, ink color.NRGBA) {
	from, to, shown := spanEdges(p.axis, s)
	if !shown {
		return
	}
	if to-from >= spanBox {
		from, to = from+spanApart, to-spanApart
	}
	from, to = max(from-ringOver, 0), min(to+ringOver, p.axis.width)
	radius := float64(spanRadius+ringOver) * p.scale
	p.box(float64(from)*p.scale, 0, float64(to)*p.scale, p.high(), radius, color.NRGBA{}, ink, float64(ringLine)*p.scale)
}

// box draws a rounded rectangle with an outline inside its edge; a fill without opacity leaves the inside as it is.
func (p lanePainter) box(x0, y0, x1, y1, radius float64, fill, outline color.NRGBA, line float64) {
	w, h := x1-x0, y1-y0
	radius = min(radius, w/2, h/2)
	for y := int(math.Floor(y0)); y < int(math.Ceil(y1)); y++ {
		for x := int(math.Floor(x0)); x < int(math.Ceil(x1)); x++ {
			d := look.OutsideRounded(float64(x)+0.5-x0, float64(y)+0.5-y0, w, h, radius)
			outer := look.Clamp01(0.5 - d)
			if outer == 0 {
				continue
			}
			inner := look.Clamp01(0.5 - d - line)
			if line == 0 {
				inner = outer
			}
			if inner > 0 && fill.A > 0 {
				p.over(x, y, fill, inner)
			}
			if outer > inner {
				p.over(x, y, outline, outer-inner)
			}
		}
	}
}

// over blends a colour that covers a share of a pixel over what is there.
func (p lanePainter) over(x, y int, ink color.NRGBA, cover float64) {
	if !(image.Point{X: x, Y: y}.In(p.img.Rect)) {
		return
	}
	a := cover * float64(ink.A) / 255
	if a <= 0 {
		return
	}
	i := p.img.PixOffset(x, y)
	below := float64(p.img.Pix[i+3]) / 255 * (1 - a)
	sum := a + below
	for c, v := range [3]uint8{ink.R, ink.G, ink.B} {
		p.img.Pix[i+c] = uint8((float64(v)*a+float64(p.img.Pix[i+c])*below)/sum + 0.5)
	}
	p.img.Pix[i+3] = uint8(sum*255 + 0.5)
}
