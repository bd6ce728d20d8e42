package chart

import (
	"strings"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Span is a stretch of time for which something was reported. An instant has the same start and end.
type Span struct {
	Start, End float64 // seconds
	Mark       look.Mark
	// Texts are alternative labels in order of preference. The first that fits is shown in full; none is ever cut.
	Texts []string
	// Tip is the whole of it for the tooltip; it may have several lines.
	Tip string
}

// Lane is one row of spans, in order of time.
type Lane struct {
	Title string // shown to the left of it, cut if the gutter is narrower
	Note  string // for screen readers, and in the tooltip of the title
	Spans []Span
}

// Lanes shows what was reported for parts of a recording or a clip, as rows over a common axis of seconds with a ruler below. What was not reported
// is hatched. Each row is drawn as one image, so that thousands of spans cost no more than its pixels. Of several spans on one pixel the gravest is
// shown, but keys still move from one to the next: left and right, up and down, Home, End; Enter chooses.
type Lanes struct {
	kit.Control
	// OnTapped is called with the indices of the lane and the span chosen by a click or Enter. If it is nil, nothing can be chosen.
	OnTapped func(lane, span int)
	// OnTypedKey gets the keys that the widget does not use. It may be nil.
	OnTypedKey func(e *fyne.KeyEvent)
	// Clock puts a moment on the ruler into words; step is the seconds from one label to the next. If it is nil, there is no ruler.
	Clock func(seconds, step float64) string
	// Gutter is the width to the left of the axis, for the titles; they are not shown if it is 0.
	Gutter float32
	// Low has the rows lower than usual, where there is little height.
	Low bool

	lanes      []Lane
	order      [][]int // for each lane: indices of its spans in the order of painting, the gravest last
	length     float64
	moment     float64
	lane, span int // where the keyboard cursor is
	chosen     [2]int
	pointed    bool // whether a span is under the pointer
	moved      func()
}

// Gutter is the usual width of a gutter: the titles of lanes stand in it below each other, and that of a waveform above them.
func Gutter() float32 { return 6 * look.Size(look.SizeCaption) }

// none is no span.
var none = [2]int{-1, -1}

// NewLanes makes a widget without lanes.
func NewLanes() *Lanes {
	l := &Lanes{chosen: none, moment: -1, moved: func() {}}
	l.ExtendBaseWidget(l)
	return l
}

// SetLanes replaces all lanes; length is the number of seconds that the width shows. Nothing beyond it is drawn.
func (l *Lanes) SetLanes(lanes []Lane, length float64) {
	l.lanes, l.length = lanes, length
	l.order = make([][]int, len(lanes))
	for i, lane := range lanes {
		l.order[i] = byGravity(lane.Spans)
	}
	l.lane, l.span, l.chosen = 0, 0, none
	l.Refresh()
}

// byGravity returns the indices of spans, the gravest marks last; equal ones stay in order.
func byGravity(spans []Span) []int {
	order := make([]int, 0, len(spans))
	for grade := range 3 {
		for i, s := range spans {
			if gravity(s.Mark) == grade {
				order = append(order, i)
			}
		}
	}
	return order
}

func gravity(m look.Mark) int {
	switch m {
	case look.MarkFake:
		return 2
	case look.MarkSuspicious:
		return 1
	}
	return 0
}

// SetMoment moves the line over the lanes, in seconds; a negative moment hides it.
func (l *Lanes) SetMoment(seconds float64) {
	if l.moment == seconds {
		return
	}
	l.moment = seconds
	l.moved()
}

// Moment is where the line is, in seconds; negative if it is hidden.
func (l *Lanes) Moment() float64 { return l.moment }

// Choose marks a span as chosen, without calling OnTapped; -1 for none.
func (l *Lanes) Choose(lane, span int) {
	if lane < 0 || lane >= len(l.lanes) || span < 0 || span >= len(l.lanes[lane].Spans) {
		l.chosen = none
	} else {
		l.chosen = [2]int{lane, span}
		l.lane, l.span = lane, span
	}
	l.Refresh()
}

// Chosen returns the indices of the marked span; ok is false if there is none.
func (l *Lanes) Chosen() (lane, span int, ok bool) { return l.chosen[0], l.chosen[1], l.chosen != none }

func (l *Lanes) tap(lane, span int) {
	if l.Disabled() || span < 0 {
		return
	}
	l.Choose(lane, span)
	l.OnTapped(lane, span)
}

func (l *Lanes) axis() axis { return axis{l.length, max(l.Size().Width-l.Gutter, 0)} }

// hit returns the span at a position, -1 for none: the one that is visible there, or the nearest within a few pixels.
func (l *Lanes) hit(at fyne.Position) (lane, span, more int) {
	lane = l.laneAt(at.Y)
	if lane < 0 {
		return -1, -1, 0
	}
	const near float32 = 3
	a, best := l.axis(), near
	span = -1
	at.X -= l.Gutter
	if at.X < -near {
		return -1, -1, 0 // on a title
	}
	for _, i := range l.order[lane] {
		from, to, shown := spanEdges(a, l.lanes[lane].Spans[i])
		if !shown {
			continue
		}
		away := max(from-at.X, at.X-to, 0)
		if away > near {
			continue
		}
		if away == 0 {
			more++
		}
		if away <= best {
			span, best = i, away
		}
	}
	return lane, span, max(more-1, 0)
}

// Tapped implements fyne.Tappable.
func (l *Lanes) Tapped(e *fyne.PointEvent) {
	lane, span, _ := l.hit(e.Position)
	l.tap(lane, span)
}

// TypedKey implements fyne.Focusable.
func (l *Lanes) TypedKey(e *fyne.KeyEvent) {
	if len(l.lanes) == 0 {
		l.pass(e)
		return
	}
	last := len(l.lanes[l.lane].Spans) - 1
	switch e.Name {
	case fyne.KeyLeft:
		l.span = max(l.span-1, 0)
	case fyne.KeyRight:
		l.span = max(min(l.span+1, last), 0)
	case fyne.KeyHome:
		l.span = 0
	case fyne.KeyEnd:
		l.span = max(last, 0)
	case fyne.KeyUp:
		l.toLane(l.lane - 1)
	case fyne.KeyDown:
		l.toLane(l.lane + 1)
	case fyne.KeyReturn, fyne.KeyEnter:
		l.tap(l.lane, l.span)
		return
	default:
		l.pass(e)
		return
	}
	l.Refresh()
}

func (l *Lanes) pass(e *fyne.KeyEvent) {
	if l.OnTypedKey != nil {
		l.OnTypedKey(e)
	}
}

// toLane moves the cursor to the span of another lane at the same moment, or to the one before it.
func (l *Lanes) toLane(lane int) {
	if lane < 0 || lane >= len(l.lanes) || l.span >= len(l.lanes[l.lane].Spans) {
		return
	}
	at := l.lanes[l.lane].Spans[l.span].Start
	l.lane, l.span = lane, 0
	for i, s := range l.lanes[lane].Spans {
		if s.Start <= at {
			l.span = i
		}
	}
}

// Disabled reports whether nothing can be chosen, so that the Tab key skips the widget.
func (l *Lanes) Disabled() bool {
	return l.OnTapped == nil || l.Control.Disabled() || len(l.lanes) == 0
}

// MouseIn implements desktop.Hoverable.
func (l *Lanes) MouseIn(e *desktop.MouseEvent) { l.hover(e) }

// MouseMoved implements desktop.Hoverable.
func (l *Lanes) MouseMoved(e *desktop.MouseEvent) {
	l.Control.MouseMoved(e)
	if tip, _ := l.tipAt(e.Position); tip != l.ToolTip() {
		l.hover(e)
	}
}

// MouseOut implements desktop.Hoverable.
func (l *Lanes) MouseOut() {
	l.HideToolTip()
	l.pointed = false
}

func (l *Lanes) hover(e *desktop.MouseEvent) {
	l.HideToolTip()
	tip, over := l.tipAt(e.Position)
	l.SetToolTip(tip)
	l.pointed = over
	if tip != "" {
		l.ToolTipWidget.MouseIn(e)
	}
}

func (l *Lanes) tipAt(at fyne.Position) (tip string, over bool) {
	if i := l.laneAt(at.Y); i >= 0 && at.X < l.Gutter {
		return strings.TrimSpace(l.lanes[i].Title + "\n" + l.lanes[i].Note), false
	}
	lane, span, more := l.hit(at)
	if lane < 0 {
		return "", false
	}
	if span < 0 {
		return i18n.T("Not reported"), false
	}
	tip = l.lanes[lane].Spans[span].Tip
	if more > 0 {
		tip += "\n" + i18n.T("More parts are here. Use the arrow keys to go through them.")
	}
	return tip, true
}

// Cursor implements desktop.Cursorable.
func (l *Lanes) Cursor() desktop.Cursor {
	if l.pointed && l.OnTapped != nil {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// AccessibilityLabel implements fyne.Accessible: it names the lanes, and the span at the cursor.
func (l *Lanes) AccessibilityLabel() string {
	var lines []string
	for _, lane := range l.lanes {
		lines = append(lines, strings.TrimSpace(lane.Title+" "+lane.Note))
	}
	if l.Focused() && l.lane < len(l.lanes) && l.span < len(l.lanes[l.lane].Spans) {
		lines = append(lines, l.lanes[l.lane].Spans[l.span].Tip)
	}
	return strings.Join(lines, "; ")
}

// AccessibilityRole implements fyne.Accessible.
func (l *Lanes) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// CreateRenderer implements fyne.Widget.
func (l *Lanes) CreateRenderer() fyne.WidgetRenderer {
	r := newLanesRenderer(l)
	r.Refresh()
	return r
}
