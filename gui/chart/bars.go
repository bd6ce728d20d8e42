// Package chart draws a result's numbers from canvas primitives: bars on 0..100, waveforms, and lanes of time, with gaps where nothing was reported.
// It may import Fyne, gui/kit and gui/look. All of it must be used on the UI goroutine.
package chart

import (
	"strings"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Bar is one model's row.
type Bar struct {
	Name string
	Mark look.Mark
	// Value is the normalised score, 0..100; values beyond are drawn at the nearer end. Nil is a gap, never a zero.
	Value *float64
	// ValueText is the number as it was sent, in the words of the screen; if Value is nil, "–" is shown instead.
	ValueText string
	// Word is shown beside the dash of a row without a value: "failed", "no score reported", "still running".
	Word string
	// Ensemble shows the row's name and number in bold. The caller must put this row first.
	Ensemble bool
	// Further marks another number of the model in the row above, such as a rolling average: its bar is thinner.
	Further bool
	// Source is the field of the raw JSON that the row's number came from. Bars does not use it: it is for OnTapped.
	Source string
}

// Bars shows models and their scores, one row each, on a common scale of 0..100. With OnTapped set, rows react to the pointer and, when it has the
// focus, to Up, Down, Home, End, Enter and Space.
type Bars struct {
	kit.Control
	// Title is shown above the rows; "" for none.
	Title string
	// OnTapped is called with a row's index, to show where its number came from. If it is nil, rows can't be chosen.
	OnTapped func(i int)

	bars          []Bar
	notApplicable []string
	cursor        int // index of the row that keys act on
	hovered       int // index of the row under the pointer, or -1
}

// NewBars makes the chart. Models that were not applicable are named separately below it.
func NewBars(bars []Bar, notApplicable []string) *Bars {
	b := &Bars{Title: i18n.T("Models"), bars: bars, notApplicable: notApplicable, hovered: -1}
	b.ExtendBaseWidget(b)
	return b
}

// SetBars replaces all rows.
func (b *Bars) SetBars(bars []Bar, notApplicable []string) {
	b.bars, b.notApplicable = bars, notApplicable
	b.cursor, b.hovered = min(b.cursor, max(len(bars)-1, 0)), -1
	b.Refresh()
}

// rowAt returns the index of the row at a height in the widget, or -1.
func (b *Bars) rowAt(y float32) int {
	i := int((y - headerHeight(b.Title, b.Size().Width)) / rowHeight)
	if y < headerHeight(b.Title, b.Size().Width) || i >= len(b.bars) {
		return -1
	}
	return i
}

// Tapped implements fyne.Tappable.
func (b *Bars) Tapped(e *fyne.PointEvent) { b.choose(b.rowAt(e.Position.Y)) }

func (b *Bars) choose(i int) {
	if b.Disabled() || i < 0 || i >= len(b.bars) {
		return
	}
	b.cursor = i
	b.Refresh()
	b.OnTapped(i)
}

// TypedKey implements fyne.Focusable.
func (b *Bars) TypedKey(e *fyne.KeyEvent) {
	last := len(b.bars) - 1
	switch e.Name {
	case fyne.KeyDown:
		b.cursor = max(min(b.cursor+1, last), 0)
	case fyne.KeyUp:
		b.cursor = max(b.cursor-1, 0)
	case fyne.KeyHome:
		b.cursor = 0
	case fyne.KeyEnd:
		b.cursor = max(last, 0)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		b.choose(b.cursor)
		return
	default:
		kit.PassOnKey(b, e)
		return
	}
	b.Refresh()
}

// Disabled reports whether rows can't be chosen, so that the Tab key skips the chart.
func (b *Bars) Disabled() bool { return b.OnTapped == nil || b.Control.Disabled() }

// MouseIn implements desktop.Hoverable.
func (b *Bars) MouseIn(e *desktop.MouseEvent) { b.hover(b.rowAt(e.Position.Y), e) }

// MouseMoved implements desktop.Hoverable.
func (b *Bars) MouseMoved(e *desktop.MouseEvent) {
	b.Control.MouseMoved(e)
	if row := b.rowAt(e.Position.Y); row != b.hovered {
		b.hover(row, e)
	}
}

// MouseOut implements desktop.Hoverable.
func (b *Bars) MouseOut() { b.hover(-1, nil) }

// hover marks the row under the pointer, and sets the tooltip to the text that the row shortened.
func (b *Bars) hover(row int, e *desktop.MouseEvent) {
	b.HideToolTip()
	b.SetToolTip("")
	if row >= 0 {
		b.SetToolTip(shortened(b.bars[row], b.Size().Width))
		b.ToolTipWidget.MouseIn(e)
	}
	b.hovered = row
	b.Refresh()
}

// Cursor implements desktop.Cursorable.
func (b *Bars) Cursor() desktop.Cursor {
	if b.OnTapped != nil && b.hovered >= 0 {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// AccessibilityLabel implements fyne.Accessible.
func (b *Bars) AccessibilityLabel() string {
	title := b.Title
	if title == "" {
		title = i18n.T("Models")
	}
	lines := []string{title + ": " + i18n.T(scaleHint)}
	for _, bar := range b.bars {
		lines = append(lines, bar.Name+": "+numberText(bar)+" "+bar.Word)
	}
	if text := notApplicableText(b.notApplicable); text != "" {
		lines = append(lines, text)
	}
	return strings.Join(lines, "; ")
}

// AccessibilityRole implements fyne.Accessible.
func (b *Bars) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// CreateRenderer implements fyne.Widget.
func (b *Bars) CreateRenderer() fyne.WidgetRenderer {
	r := newBarsRenderer(b)
	r.Refresh()
	return r
}

func numberText(bar Bar) string {
	if bar.Value == nil {
		return "–"
	}
	return bar.ValueText
}

func notApplicableText(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return i18n.F("Not applicable: %s", strings.Join(names, ", "))
}
