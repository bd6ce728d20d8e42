package chart

import (
	"image"

	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// Sizes in device-independent pixels.
const (
	laneGap    float32 = 1
	rulerLine  float32 = 18
	rulerApart float32 = 36 // between two labels
	spanMark   float32 = 13
	spanPad    float32 = 5 // between a box's edge and its content
	spanGap    float32 = 4 // between mark and text
	lanesWidth float32 = 120
	titleApart float32 = 8 // between a title and the axis

	lanesOver float32 = 8 // how far the line goes beyond the first lane, to meet that of what stands above
)

// spanHigh is the height of a span, and pitch the distance from one row to the next.
func (l *Lanes) spanHigh() float32 {
	if l.Low {
		return spanLow
	}
	return spanHeight
}

func (l *Lanes) rowHigh() float32 { return l.spanHigh() + 2*ringOver }

func (l *Lanes) pitch() float32 { return l.rowHigh() + laneGap }

// laneAt returns the index of the lane whose boxes are at a height, -1 for none.
func (l *Lanes) laneAt(y float32) int {
	i := int(y / l.pitch())
	if y < 0 || i >= len(l.lanes) || y-float32(i)*l.pitch() > l.rowHigh() {
		return -1
	}
	return i
}

// laneRowView has the objects of one lane.
type laneRowView struct {
	title *canvas.Text
	boxes *canvas.Raster
	marks []*canvas.Raster
	texts []*canvas.Text
}

type lanesRenderer struct {
	l       *Lanes
	rows    []*laneRowView
	line    *canvas.Rectangle // at the moment
	ruler   []*canvas.Text
	objects []fyne.CanvasObject
	size    fyne.Size
	at      float32 // where the line was placed last
}

func newLanesRenderer(l *Lanes) *lanesRenderer {
	r := &lanesRenderer{l: l, line: canvas.NewRectangle(nil)}
	l.moved = r.updateLine
	return r
}

func (r *lanesRenderer) Destroy() { r.l.moved = func() {} }

func (r *lanesRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *lanesRenderer) MinSize() fyne.Size {
	height := float32(len(r.l.lanes)) * r.l.pitch()
	if r.l.Clock != nil && len(r.l.lanes) > 0 {
		height += rulerLine
	}
	return fyne.NewSize(lanesWidth, height)
}

func (r *lanesRenderer) Layout(size fyne.Size) {
	if size == r.size {
		return
	}
	r.size = size
	r.arrange()
}

func (r *lanesRenderer) Refresh() {
	r.arrange()
	canvas.Refresh(r.l)
}

// arrange makes the objects for the lanes at the width.
func (r *lanesRenderer) arrange() {
	for len(r.rows) < len(r.l.lanes) {
		r.rows = append(r.rows, r.newRow(len(r.rows)))
	}
	r.rows = r.rows[:len(r.l.lanes)]
	r.objects = r.objects[:0]
	for i, row := range r.rows {
		r.arrangeRow(row, r.l.lanes[i], float32(i)*r.l.pitch())
		r.objects = append(r.objects, row.title, row.boxes)
		for _, m := range row.marks {
			r.objects = append(r.objects, m)
		}
		for _, t := range row.texts {
			r.objects = append(r.objects, t)
		}
	}
	r.arrangeRuler()
	r.line.FillColor = look.Color(look.ColorText)
	r.objects = append(r.objects, r.line)
	r.move()
}

func (r *lanesRenderer) newRow(lane int) *laneRowView {
	v := &laneRowView{title: canvas.NewText("", nil)}
	v.boxes = canvas.NewRaster(func(w, h int) image.Image {
		if lane >= len(r.l.lanes) {
			return image.NewNRGBA(image.Rect(0, 0, w, h))
		}
		ring, ink := -1, look.ColorText
		switch {
		case r.l.Focused() && r.l.lane == lane:
			ring, ink = r.l.span, look.ColorAccent
		case r.l.chosen[0] == lane:
			ring = r.l.chosen[1]
		}
		return paintLane(w, h, r.axis(), r.l.lanes[lane].Spans, r.l.order[lane], ring, opaque(look.Color(ink)))
	})
	return v
}

func (r *lanesRenderer) arrangeRow(v *laneRowView, lane Lane, y float32) {
	small, gutter := look.Size(look.SizeCaption), r.l.Gutter
	kit.SetVisible(v.title, gutter > titleApart)
	update(v.title, look.Fit(lane.Title, max(gutter-titleApart, 0), small, fyne.TextStyle{}, look.EllipsisEnd), look.SizeCaption, fyne.TextStyle{}, look.ColorMuted)
	kit.PlaceAt(v.title, 0, y+(r.l.rowHigh()-v.title.MinSize().Height)/2, max(gutter-titleApart, 0), v.title.MinSize().Height)
	kit.PlaceAt(v.boxes, gutter, y, r.axis().width, r.l.rowHigh())
	v.boxes.Refresh()
	r.arrangeContent(v, lane.Spans, y+ringOver)
}

// arrangeContent places marks and texts in those boxes that have room for them.
func (r *lanesRenderer) arrangeContent(v *laneRowView, spans []Span, y float32) {
	v.marks, v.texts = v.marks[:0], v.texts[:0]
	a := r.axis()
	style, size := look.WeightBold.Style(), look.Size(look.SizeCaption)
	covered := float32(-1)
	for i, s := range spans {
		from, to, shown := spanEdges(a, s)
		if !shown {
			continue
		}
		free := from >= covered-0.5 // a box that overlaps another has no room for content
		covered = max(covered, to)
		if i+1 < len(spans) {
			if next, _, shown := spanEdges(a, spans[i+1]); shown && next < to-0.5 {
				free = false
			}
		}
		room := to - from - 2*(spanApart+spanPad)
		if !free || room < spanMark {
			continue
		}
		mark := look.MarkResource(barMark(s.Mark))
		used := float32(0)
		if mark != nil {
			used = spanMark
		}
		text, textWidth := "", float32(0)
		for _, t := range s.Texts {
			w := look.Measure(t, size, style).Width
			if used > 0 {
				w += spanGap
			}
			if t != "" && used+w <= room {
				text, textWidth = t, w
				break
			}
		}
		x := r.l.Gutter + from + (to-from-used-textWidth)/2
		if mark != nil {
			glyph := look.NewGlyph()
			glyph.Set(mark)
			kit.PlaceAt(glyph.Raster, x, y+(r.l.spanHigh()-spanMark)/2, spanMark, spanMark)
			v.marks = append(v.marks, glyph.Raster)
			x += spanMark + spanGap
		}
		if text != "" {
			t := canvas.NewText("", nil)
			update(t, text, look.SizeCaption, style, look.MarkColor(barMark(s.Mark)))
			kit.PlaceAt(t, x, y, t.MinSize().Width, r.l.spanHigh())
			v.texts = append(v.texts, t)
		}
	}
}

func (r *lanesRenderer) arrangeRuler() {
	r.ruler = r.ruler[:0]
	if r.l.Clock == nil || len(r.l.lanes) == 0 {
		return
	}
	a := r.axis()
	size := look.Size(look.SizeCaption)
	moments, step := []float64(nil), 1.0
	for range 2 { // the labels of a step below a second are wider, so they may need a longer one
		widest := look.Measure(r.l.Clock(r.l.length, step), size, fyne.TextStyle{}).Width
		if moments = a.ticks(widest + rulerApart); len(moments) < 2 || moments[1] >= 1 {
			break
		}
		step = moments[1]
	}
	if len(moments) > 1 {
		step = moments[1]
	}
	free := float32(0)
	for _, at := range moments {
		t := canvas.NewText("", nil)
		update(t, r.l.Clock(at, step), look.SizeCaption, fyne.TextStyle{}, look.ColorMuted)
		w := t.MinSize().Width
		x := r.l.Gutter + min(max(a.x(at)-w/2, 0), max(a.width-w, 0))
		if x < free {
			continue
		}
		free = x + w + rulerApart/4
		kit.PlaceAt(t, x, float32(len(r.l.lanes))*r.l.pitch(), w, rulerLine)
		r.ruler = append(r.ruler, t)
		r.objects = append(r.objects, t)
	}
}

// axis is that of the boxes, which begins after the gutter.
func (r *lanesRenderer) axis() axis { return axis{r.l.length, max(r.size.Width-r.l.Gutter, 0)} }

// updateLine moves the line if the change is visible.
func (r *lanesRenderer) updateLine() {
	if r.line.Visible() != r.seen() || !near(r.axis().x(r.l.moment), r.at) {
		r.move()
	}
}

// seen reports whether there is a line.
func (r *lanesRenderer) seen() bool { return r.l.moment >= 0 && r.l.length > 0 && len(r.rows) > 0 }

// move only places the line.
func (r *lanesRenderer) move() {
	a := r.axis()
	r.at = a.x(r.l.moment)
	x := r.l.Gutter + min(max(r.at-cursorWidth/2, 0), max(a.width-cursorWidth, 0))
	kit.PlaceAt(r.line, x, -lanesOver, cursorWidth, lanesOver+float32(len(r.rows))*r.l.pitch())
	kit.SetVisible(r.line, r.seen())
	r.line.Refresh()
}
