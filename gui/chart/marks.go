package chart

import (
	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Marks is a strip over the length of a clip with two marks, between which its part lies. A mark is dragged; a click or a drag elsewhere seeks.
type Marks struct {
	widget.BaseWidget
	// OnMarks is called with where the marks are while one is dragged, in seconds. The caller sets them, by SetMarks.
	OnMarks func(from, to float64)
	// OnSeek is called with the moment to go to, in seconds.
	OnSeek func(seconds float64)

	length, from, to, moment float64
	dragged                  markDragged
}

// markDragged is what a drag moves.
type markDragged int

const (
	dragsNothing markDragged = iota
	dragsFrom
	dragsTo
	dragsMoment
)

var (
	_ fyne.Tappable      = (*Marks)(nil)
	_ fyne.Draggable     = (*Marks)(nil)
	_ desktop.Mouseable  = (*Marks)(nil)
	_ desktop.Cursorable = (*Marks)(nil)
	_ fyne.Accessible    = (*Marks)(nil)
)

// The measures of a strip, in device-independent pixels.
const (
	marksHeight float32 = 28
	marksTrack  float32 = 10
	markWidth   float32 = 4
	markReach   float32 = 10 // around a mark, from where it is dragged
	marksApart          = 0.1
)

// NewMarks makes an empty strip.
func NewMarks() *Marks {
	m := &Marks{}
	m.ExtendBaseWidget(m)
	return m
}

// SetMarks sets the length and where the marks are, in seconds.
func (m *Marks) SetMarks(from, to, length float64) {
	m.from, m.to, m.length = from, to, length
	m.Refresh()
}

// SetMoment sets which moment is seen, in seconds.
func (m *Marks) SetMoment(seconds float64) {
	if m.moment != seconds {
		m.moment = seconds
		m.Refresh()
	}
}

func (m *Marks) axis() axis { return axis{m.length, m.Size().Width} }

// MouseDown implements desktop.Mouseable: it takes hold of the mark that is nearest, if it is near.
func (m *Marks) MouseDown(e *desktop.MouseEvent) {
	kit.PointerUsed()
	x, a := e.Position.X, m.axis()
	toFrom, toTo := distance(x, a.x(m.from)), distance(x, a.x(m.to))
	switch {
	case min(toFrom, toTo) > markReach:
		m.dragged = dragsMoment
	case toFrom < toTo || toFrom == toTo && x < a.x(m.from):
		m.dragged = dragsFrom
	default:
		m.dragged = dragsTo
	}
}

func distance(a, b float32) float32 { return max(a-b, b-a) }

// MouseUp implements desktop.Mouseable.
func (m *Marks) MouseUp(*desktop.MouseEvent) {}

// Tapped implements fyne.Tappable.
func (m *Marks) Tapped(e *fyne.PointEvent) { m.seek(m.axis().at(e.Position.X)) }

func (m *Marks) seek(seconds float64) {
	if m.OnSeek != nil && m.length > 0 {
		m.OnSeek(seconds)
	}
}

// Dragged implements fyne.Draggable. What is seen follows the mark.
func (m *Marks) Dragged(e *fyne.DragEvent) {
	if !(m.length > 0) {
		return
	}
	at := m.axis().at(e.Position.X)
	from, to := m.from, m.to
	switch m.dragged {
	case dragsFrom:
		at = max(min(at, to-marksApart), 0)
		from = at
	case dragsTo:
		at = min(max(at, from+marksApart), m.length)
		to = at
	}
	if (from != m.from || to != m.to) && m.OnMarks != nil {
		m.OnMarks(from, to)
	}
	m.seek(at)
}

// DragEnd implements fyne.Draggable.
func (m *Marks) DragEnd() { m.dragged = dragsNothing }

// Cursor implements desktop.Cursorable.
func (m *Marks) Cursor() desktop.Cursor { return desktop.HResizeCursor }

// AccessibilityLabel implements fyne.Accessible.
func (m *Marks) AccessibilityLabel() string {
	return i18n.F("Part from %s to %s", i18n.Elapsed(m.from), i18n.Elapsed(m.to))
}

// AccessibilityRole implements fyne.Accessible.
func (m *Marks) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// CreateRenderer implements fyne.Widget.
func (m *Marks) CreateRenderer() fyne.WidgetRenderer {
	r := &marksRenderer{m: m, track: canvas.NewRectangle(nil), part: canvas.NewRectangle(nil), line: canvas.NewRectangle(nil)}
	r.track.CornerRadius = marksTrack / 2
	for i := range r.ends {
		r.ends[i] = canvas.NewRectangle(nil)
		r.ends[i].CornerRadius = markWidth / 2
	}
	r.Refresh()
	return r
}

type marksRenderer struct {
	m                 *Marks
	track, part, line *canvas.Rectangle
	ends              [2]*canvas.Rectangle
}

func (r *marksRenderer) Destroy() {}

func (r *marksRenderer) MinSize() fyne.Size { return fyne.NewSize(waveformWidth, marksHeight) }

func (r *marksRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.track, r.part, r.line, r.ends[0], r.ends[1]}
}

func (r *marksRenderer) Layout(size fyne.Size) {
	a, top := axis{r.m.length, size.Width}, (size.Height-marksTrack)/2
	from, to := a.x(r.m.from), a.x(r.m.to)
	kit.PlaceAt(r.track, 0, top, size.Width, marksTrack)
	kit.PlaceAt(r.part, from, top, to-from, marksTrack)
	kit.PlaceAt(r.line, min(max(a.x(r.m.moment)-cursorWidth/2, 0), max(size.Width-cursorWidth, 0)), 0, cursorWidth, size.Height)
	for i, x := range []float32{from - markWidth/2, to - markWidth/2} {
		kit.PlaceAt(r.ends[i], min(max(x, 0), max(size.Width-markWidth, 0)), 2, markWidth, size.Height-4)
	}
}

func (r *marksRenderer) Refresh() {
	known := r.m.length > 0
	r.track.FillColor, r.part.FillColor, r.line.FillColor = look.Color(look.ColorTrack), faded(look.Color(look.ColorAccent)), look.Color(look.ColorText)
	for _, o := range []*canvas.Rectangle{r.part, r.line, r.ends[0], r.ends[1]} {
		o.Hidden = !known
	}
	for _, end := range r.ends {
		end.FillColor = look.Color(look.ColorAccent)
	}
	r.Layout(r.m.Size())
	canvas.Refresh(r.m)
}
