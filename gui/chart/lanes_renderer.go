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
	laneTitle  float32 = 18
	laneGap    float32 = 3
	laneRow            = spanHeight + 2*ringOver
	lanePitch          = laneTitle + laneRow + laneGap
	rulerLine  float32 = 18
	rulerApart float32 = 36 // between two labels
	spanMark   float32 = 13
	spanPad    float32 = 5 // between a box's edge and its content
	spanGap    float32 = 4 // between mark and text
	lanesWidth float32 = 120
	noteApart  float32 = 16

	lanesCursor float32 = 2
	lanesEnd    float32 = 6
)

// laneAt returns the index of the lane whose boxes are at a height, -1 for none.
func laneAt(y float32, lanes int) int {
	i := int(y / lanePitch)
	if y < 0 || i >= lanes {
		return -1
	}
	if below := y - float32(i)*lanePitch; below < laneTitle || below > laneTitle+laneRow {
		return -1
	}
	return i
}

// laneRowView has the objects of one lane.
type laneRowView struct {
	title, note *canvas.Text
	boxes       *canvas.Raster
	ends        [2]*canvas.Rectangle // of the line, above and below the boxes, so that their content stays legible
	marks       []*canvas.Raster
	texts       []*canvas.Text
}

type lanesRenderer struct {
	l       *Lanes
	rows    []*laneRowView
	ruler   []*canvas.Text
	objects []fyne.CanvasObject
	size    fyne.Size
	at      float32 // where the line was placed last
}

func newLanesRenderer(l *Lanes) *lanesRenderer {
	r := &lanesRenderer{l: l}
	l.moved = r.updateLine
	return r
}

func (r *lanesRenderer) Destroy() { r.l.moved = func() {} }

func (r *lanesRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *lanesRenderer) MinSize() fyne.Size {
	height := float32(len(r.l.lanes)) * lanePitch
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
		r.arrangeRow(row, r.l.lanes[i], float32(i)*lanePitch)
		r.objects = append(r.objects, row.title, row.note, row.boxes)
		for _, m := range row.marks {
			r.objects = append(r.objects, m)
		}
		for _, t := range row.texts {
			r.objects = append(r.objects, t)
		}
		for _, end := range row.ends {
			end.FillColor = look.Color(look.ColorText)
			r.objects = append(r.objects, end)
		}
	}
	r.arrangeRuler()
	r.move()
}

func (r *lanesRenderer) newRow(lane int) *laneRowView {
	v := &laneRowView{title: canvas.NewText("", nil), note: canvas.NewText("", nil)}
	v.ends = [2]*canvas.Rectangle{canvas.NewRectangle(nil), canvas.NewRectangle(nil)}
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
		a := axis{r.l.length, r.size.Width}
		return paintLane(w, h, a, r.l.lanes[lane].Spans, r.l.order[lane], ring, opaque(look.Color(ink)))
	})
	return v
}

func (r *lanesRenderer) arrangeRow(v *laneRowView, lane Lane, y float32) {
	width := r.size.Width
	small := look.Size(look.SizeCaption)
	note := look.Measure(lane.Note, small, fyne.TextStyle{}).Width
	title := look.Measure(lane.Title, small, fyne.TextStyle{}).Width
	kit.SetVisible(v.note, lane.Note != "" && title+note+noteApart <= width)
	update(v.title, look.Fit(lane.Title, width, small, fyne.TextStyle{}, look.EllipsisEnd), look.SizeCaption, fyne.TextStyle{}, look.ColorMuted)
	update(v.note, lane.Note, look.SizeCaption, fyne.TextStyle{}, look.ColorMuted)
	kit.PlaceAt(v.title, 0, y, width, laneTitle)
	kit.PlaceAt(v.note, width-note, y, note, laneTitle)
	kit.PlaceAt(v.boxes, 0, y+laneTitle, width, laneRow)
	v.boxes.Refresh()
	r.arrangeContent(v, lane.Spans, y+laneTitle+ringOver)
}

// arrangeContent places marks and texts in those boxes that have room for them.
func (r *lanesRenderer) arrangeContent(v *laneRowView, spans []Span, y float32) {
	v.marks, v.texts = v.marks[:0], v.texts[:0]
	a := axis{r.l.length, r.size.Width}
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
		x := from + (to-from-used-textWidth)/2
		if mark != nil {
			glyph := look.NewGlyph()
			glyph.Set(mark)
			kit.PlaceAt(glyph.Raster, x, y+(spanHeight-spanMark)/2, spanMark, spanMark)
			v.marks = append(v.marks, glyph.Raster)
			x += spanMark + spanGap
		}
		if text != "" {
			t := canvas.NewText("", nil)
			update(t, text, look.SizeCaption, style, look.MarkColor(barMark(s.Mark)))
			kit.PlaceAt(t, x, y, t.MinSize().Width, spanHeight)
			v.texts = append(v.texts, t)
		}
	}
}

func (r *lanesRenderer) arrangeRuler() {
	r.ruler = r.ruler[:0]
	if r.l.Clock == nil || len(r.l.lanes) == 0 {
		return
	}
	a := axis{r.l.length, r.size.Width}
	size := look.Size(look.SizeCaption)
	widest := look.Measure(r.l.Clock(r.l.length), size, fyne.TextStyle{}).Width
	free := float32(0)
	for _, at := range a.ticks(widest + rulerApart) {
		t := canvas.NewText("", nil)
		update(t, r.l.Clock(at), look.SizeCaption, fyne.TextStyle{}, look.ColorMuted)
		w := t.MinSize().Width
		x := min(max(a.x(at)-w/2, 0), max(r.size.Width-w, 0))
		if x < free {
			continue
		}
		free = x + w + rulerApart/4
		kit.PlaceAt(t, x, float32(len(r.l.lanes))*lanePitch, w, rulerLine)
		r.ruler = append(r.ruler, t)
		r.objects = append(r.objects, t)
	}
}

// updateLine moves the line if the change is visible.
func (r *lanesRenderer) updateLine() {
	seen := r.l.moment >= 0 && r.l.length > 0
	for _, row := range r.rows {
		if row.ends[0].Visible() != seen {
			r.move()
			return
		}
	}
	if !near(axis{r.l.length, r.size.Width}.x(r.l.moment), r.at) {
		r.move()
	}
}

// move only places the line.
func (r *lanesRenderer) move() {
	r.at = axis{r.l.length, r.size.Width}.x(r.l.moment)
	x := r.at - lanesCursor/2
	x = min(max(x, 0), max(r.size.Width-lanesCursor, 0))
	for i, row := range r.rows {
		top := float32(i)*lanePitch + laneTitle
		kit.PlaceAt(row.ends[0], x, top-1, lanesCursor, lanesEnd)
		kit.PlaceAt(row.ends[1], x, top+laneRow+1-lanesEnd, lanesCursor, lanesEnd)
		for _, end := range row.ends {
			kit.SetVisible(end, r.l.moment >= 0 && r.l.length > 0)
			end.Refresh()
		}
	}
}
