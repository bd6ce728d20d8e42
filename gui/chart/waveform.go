package chart

import (
	"math"

	"assay/client/i18n"
	"assay/gui/kit"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Column has the lowest and the highest sample of a stretch of time, from -1 to 1. Known is false if there is no sound, or none was read yet.
type Column struct {
	Low, High float32
	Known     bool
}

// Waveform draws a recording over its whole length, and the position of playing. It asks for as many columns as are visible, so that three hours cost
// no more than three seconds. While it plays, only a line and the edge of the played part move; columns are not drawn again. A click or a drag seeks,
// and so do keys: left and right (1 s, with Shift 10 s), Home and End.
type Waveform struct {
	widget.BaseWidget
	// OnSeek is called with the moment to go to, in seconds. The caller sets the position, by SetMoment.
	OnSeek func(seconds float64)
	// OnTypedKey gets the keys that the widget does not use. It may be nil.
	OnTypedKey func(e *fyne.KeyEvent)
	// Shift reports whether the Shift key is down. If it is nil, the window is asked.
	Shift func() bool
	// Clock puts a moment into words for screen readers. It may be nil.
	Clock func(seconds float64) string
	// Height is the least height in device-independent pixels, 56 if it is not changed.
	Height float32

	columns          func(columns []Column)
	length           float64
	position         float64
	loopFrom, loopTo float64
	note             string
	focused          bool
	drawn            func() // called after the columns changed
	placed           func() // called after the loop, the focus or the length changed
	moved            func() // called after the position changed
}

var (
	_ fyne.Focusable     = (*Waveform)(nil)
	_ fyne.Tappable      = (*Waveform)(nil)
	_ fyne.Draggable     = (*Waveform)(nil)
	_ fyne.Disableable   = (*Waveform)(nil)
	_ desktop.Cursorable = (*Waveform)(nil)
	_ fyne.Accessible    = (*Waveform)(nil)
)

// NewWaveform makes an empty waveform.
func NewWaveform() *Waveform {
	w := &Waveform{Height: 56, drawn: func() {}, placed: func() {}, moved: func() {}}
	w.ExtendBaseWidget(w)
	return w
}

// SetColumns sets the function that fills columns with equal parts of the whole length; nil for none. It is called for each painting, on the UI
// goroutine. Call SetColumns again after more has become known.
func (w *Waveform) SetColumns(columns func(columns []Column)) {
	w.columns = columns
	w.drawn()
}

// SetLength sets the number of seconds that the width shows. If it is 0, for unknown, nothing can be sought.
func (w *Waveform) SetLength(seconds float64) {
	if w.length == seconds {
		return
	}
	w.length = seconds
	w.drawn()
	w.placed()
}

// SetMoment moves the line to a moment, in seconds.
func (w *Waveform) SetMoment(seconds float64) {
	if w.position == seconds {
		return
	}
	w.position = seconds
	w.moved()
}

// Moment is where the line is, in seconds.
func (w *Waveform) Moment() float64 { return w.position }

// SetLoop marks the stretch that is looped, in seconds; none if from and to are equal.
func (w *Waveform) SetLoop(from, to float64) {
	if w.loopFrom == from && w.loopTo == to {
		return
	}
	w.loopFrom, w.loopTo = from, to
	w.placed()
}

// SetNote sets a line of text that is shown in the middle while there is nothing to draw, "" for none.
func (w *Waveform) SetNote(note string) {
	if w.note == note {
		return
	}
	w.note = note
	w.Refresh()
}

func (w *Waveform) seek(seconds float64) {
	if w.OnSeek != nil && w.length > 0 {
		w.OnSeek(min(max(seconds, 0), w.length))
	}
}

func (w *Waveform) axis() axis { return axis{w.length, w.Size().Width} }

// Tapped implements fyne.Tappable.
func (w *Waveform) Tapped(e *fyne.PointEvent) { w.seek(w.axis().at(e.Position.X)) }

// Dragged implements fyne.Draggable.
func (w *Waveform) Dragged(e *fyne.DragEvent) { w.seek(w.axis().at(e.Position.X)) }

// DragEnd implements fyne.Draggable.
func (w *Waveform) DragEnd() {}

// TypedKey implements fyne.Focusable.
func (w *Waveform) TypedKey(e *fyne.KeyEvent) {
	step := 1.0
	if w.shifted() {
		step = 10
	}
	switch e.Name {
	case fyne.KeyLeft:
		w.seek(w.position - step)
	case fyne.KeyRight:
		w.seek(w.position + step)
	case fyne.KeyHome:
		w.seek(0)
	case fyne.KeyEnd:
		w.seek(w.length)
	default:
		if w.OnTypedKey != nil {
			w.OnTypedKey(e)
		}
	}
}

func (w *Waveform) shifted() bool {
	if w.Shift != nil {
		return w.Shift()
	}
	d, ok := fyne.CurrentApp().Driver().(desktop.Driver)
	return ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0
}

// TypedRune implements fyne.Focusable.
func (w *Waveform) TypedRune(char rune) { kit.PassOn(w, char) }

// FocusGained implements fyne.Focusable.
func (w *Waveform) FocusGained() { w.focused = true; w.placed() }

// FocusLost implements fyne.Focusable.
func (w *Waveform) FocusLost() { w.focused = false; w.placed() }

// Disabled reports whether nothing can be sought, so that the Tab key skips the widget.
func (w *Waveform) Disabled() bool { return w.OnSeek == nil || !(w.length > 0) }

// Enable implements fyne.Disableable; set OnSeek and a length instead.
func (w *Waveform) Enable() {}

// Disable ends seeking.
func (w *Waveform) Disable() { w.OnSeek = nil }

// Cursor implements desktop.Cursorable.
func (w *Waveform) Cursor() desktop.Cursor {
	if w.Disabled() {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// AccessibilityLabel implements fyne.Accessible.
func (w *Waveform) AccessibilityLabel() string {
	if w.note != "" && w.columns == nil {
		return i18n.F("Waveform: %s", w.note)
	}
	clock := w.Clock
	if clock == nil {
		clock = func(seconds float64) string { return i18n.F("%s s", i18n.Number(seconds, 1)) }
	}
	return i18n.F("Waveform, at %s of %s", clock(w.position), clock(w.length))
}

// AccessibilityRole implements fyne.Accessible.
func (w *Waveform) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// CreateRenderer implements fyne.Widget.
func (w *Waveform) CreateRenderer() fyne.WidgetRenderer { return newWaveformRenderer(w) }

// axis maps seconds to positions along a width.
type axis struct {
	length float64 // seconds
	width  float32
}

// x returns the position of a moment, clamped to the axis.
func (a axis) x(seconds float64) float32 {
	if !(a.length > 0) || math.IsNaN(seconds) {
		return 0
	}
	return float32(math.Min(math.Max(seconds/a.length, 0), 1)) * a.width
}

// at returns the moment at a position, clamped to the axis.
func (a axis) at(x float32) float64 {
	if a.width <= 0 {
		return 0
	}
	return math.Min(math.Max(float64(x)/float64(a.width), 0), 1) * a.length
}

// tickSteps are the intervals, in seconds, that a ruler may have.
var tickSteps = []float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 36000, 86400, 864000, 8640000}

// ticks are the moments to label, of which the labels are at least apart from each other.
func (a axis) ticks(apart float32) []float64 {
	if !(a.length > 0) || a.width <= 0 {
		return nil
	}
	step := 0.0
	for _, step = range tickSteps {
		if float32(step/a.length)*a.width >= apart {
			break
		}
	}
	var moments []float64
	for i := 0; float64(i)*step <= a.length*(1+1e-9) && i <= int(a.width/max(apart, 1))+1; i++ {
		moments = append(moments, float64(i)*step)
	}
	return moments
}
