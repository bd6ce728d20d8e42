package chart_test

import (
	"math"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/gui/chart"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

func value(v float64) *float64 { return &v }

func setup(t *testing.T, bars *chart.Bars, width float32) fyne.Window {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(look.New(look.ModeLight))
	window := test.NewTempWindow(t, nil)
	window.SetPadded(false)
	window.SetContent(bars)
	window.Resize(fyne.NewSize(width, 400))
	return window
}

// shown returns the visible objects of a kind.
func shown[T fyne.CanvasObject](b *chart.Bars) []T {
	var found []T
	for _, o := range test.WidgetRenderer(b).Objects() {
		if match, ok := o.(T); ok && o.Visible() {
			found = append(found, match)
		}
	}
	return found
}

// marks counts the drawings that are square; what is hatched is wide.
func marks(drawings []*canvas.Raster) int {
	n := 0
	for _, d := range drawings {
		if d.Size().Width == d.Size().Height {
			n++
		}
	}
	return n
}

// words returns all texts; a number's digits are single texts, which follow one another.
func words(b *chart.Bars) string {
	all := ""
	for _, text := range shown[*canvas.Text](b) {
		all += text.Text
		if len([]rune(text.Text)) > 1 {
			all += " "
		}
	}
	return all
}

// filled returns the bars proper: the rectangles in a mark's colour.
func filled(b *chart.Bars, m look.Mark) []*canvas.Rectangle {
	var found []*canvas.Rectangle
	for _, r := range shown[*canvas.Rectangle](b) {
		if r.FillColor == look.Color(look.MarkColor(m)) {
			found = append(found, r)
		}
	}
	return found
}

func tracks(b *chart.Bars) []*canvas.Rectangle {
	var found []*canvas.Rectangle
	for _, r := range shown[*canvas.Rectangle](b) {
		if r.FillColor == look.Color(look.ColorSunk) && r.CornerRadius > 0 {
			found = append(found, r)
		}
	}
	return found
}

func TestBarsAreAsLongAsTheirScores(t *testing.T) {
	for name, tt := range map[string]struct {
		value float64
		share float32
	}{
		"half": {50, 0.5}, "full": {100, 1}, "beyond the end": {140, 1},
		"zero keeps a sliver": {0, 0.01}, "below zero too": {-5, 0.01}, "no number is drawn at the start": {math.NaN(), 0.01},
	} {
		t.Run(name, func(t *testing.T) {
			b := chart.NewBars([]chart.Bar{{Name: "svc-oak-img", Mark: look.MarkFake, Value: value(tt.value), ValueText: "as sent"}}, nil)
			setup(t, b, 300)
			got, track := filled(b, look.MarkFake)[0].Size().Width, tracks(b)[0].Size().Width
			if math.Abs(float64(got-tt.share*track)) > 2 || got < 2 {
				t.Errorf("%g of %g, want a share of %g", got, track, tt.share)
			}
			if !strings.Contains(words(b), "as sent") {
				t.Errorf("the number as sent is missing in %q", words(b))
			}
		})
	}
}

func TestBarsWithoutAScoreAreGaps(t *testing.T) {
	b := chart.NewBars([]chart.Bar{
		{Name: "svc-oak-img", Mark: look.MarkFake, Value: value(0), ValueText: "0"},
		{Name: "svc-context-img", Mark: look.MarkFailed, Word: "failed", ValueText: "0"},
	}, nil)
	setup(t, b, 320)
	if n := len(shown[*canvas.Raster](b)) - marks(shown[*canvas.Raster](b)); n != 1 {
		t.Errorf("%d hatched, want the one without a score", n)
	}
	if n := len(filled(b, look.MarkFailed)); n != 0 {
		t.Error("a gap has a bar")
	}
	if got := words(b); !strings.Contains(got, "failed –") {
		t.Errorf("%q lacks the gap's word and dash", got)
	}
}

func TestAWordInPlaceOfANumberStandsWhole(t *testing.T) {
	b := chart.NewBars([]chart.Bar{
		{Name: "svc-img-ensemble", Mark: look.MarkFake, Value: value(88.5), ValueText: "88.5", Ensemble: true},
		{Name: "svc-a-very-long-model-name-img", Mark: look.MarkNotAssessable, Word: "no score reported"},
	}, nil)
	setup(t, b, 288)
	if got := words(b); !strings.Contains(got, "no score reported") || !strings.Contains(got, "svc-img-ensemble") {
		t.Errorf("%q", got)
	}
}

func TestBarsTakeTheirMarksColour(t *testing.T) {
	for mark, want := range map[look.Mark]fyne.ThemeColorName{
		look.MarkFake: look.ColorFake, look.MarkSuspicious: look.ColorSuspicious, look.MarkAuthentic: look.ColorAuthentic,
		look.MarkAnalysing: look.ColorNeutral, look.MarkNone: look.ColorNeutral, "new": look.ColorNeutral,
	} {
		t.Run(string(mark), func(t *testing.T) {
			b := chart.NewBars([]chart.Bar{{Name: "x", Mark: mark, Value: value(50), ValueText: "50"}}, nil)
			setup(t, b, 300)
			found := false
			for _, r := range shown[*canvas.Rectangle](b) {
				found = found || r.FillColor == look.Color(want)
			}
			if !found {
				t.Errorf("no bar in %s", want)
			}
		})
	}
}

func TestBarsAlignInColumns(t *testing.T) {
	long := "svc-a-very-long-model-name-indeed-that-does-not-fit-img"
	rows := []chart.Bar{
		{Name: "svc-img-ensemble", Mark: look.MarkFake, Value: value(88), ValueText: "88", Ensemble: true},
		{Name: long, Mark: look.MarkFake, Value: value(61.5), ValueText: "61.5"},
		{Name: "x", Mark: look.MarkAuthentic, Value: value(4), ValueText: "4"},
	}
	for _, width := range []float32{260, 318, 900} {
		b := chart.NewBars(rows, nil)
		setup(t, b, width)
		var lefts, widths []float32
		for _, track := range tracks(b) {
			lefts, widths = append(lefts, track.Position().X), append(widths, track.Size().Width)
		}
		if len(lefts) != 3 || lefts[0] != lefts[1] || lefts[1] != lefts[2] || widths[0] != widths[2] {
			t.Errorf("at %g: tracks from %v, wide %v", width, lefts, widths)
		}
		for _, text := range shown[*canvas.Text](b) {
			if right := text.Position().X + text.MinSize().Width; right > width+1 {
				t.Errorf("at %g: %q reaches to %g", width, text.Text, right)
			}
		}
		if cut := !strings.Contains(words(b), long); cut != (width < 900) {
			t.Errorf("at %g: long name cut: %v", width, cut)
		}
	}
}

func TestBarsSayWhatTheScaleMeansAndWhatDidNotApply(t *testing.T) {
	bars := []chart.Bar{{Name: "x", Value: value(1), ValueText: "1"}}
	b := chart.NewBars(bars, []string{"svc-slim-aud", "svc-llm-txt"})
	setup(t, b, 300)
	if got := words(b); !strings.Contains(got, "0 no indication – 100 strong") {
		t.Errorf("%q lacks the scale", got)
	}
	if got := b.AccessibilityLabel(); !strings.Contains(got, "Not applicable: svc-slim-aud, svc-llm-txt") {
		t.Errorf("%q lacks those not applicable", got)
	}
	withThem := b.MinSize().Height
	b.SetBars(bars, nil)
	if b.MinSize().Height >= withThem {
		t.Error("the line on those not applicable is left")
	}
}

func TestBarsOpenTheirSource(t *testing.T) {
	newBars := func(t *testing.T) (*chart.Bars, *[]int, fyne.Window) {
		t.Helper()
		b := chart.NewBars([]chart.Bar{
			{Name: "a", Value: value(1), ValueText: "1"}, {Name: "b", Word: "failed"}, {Name: "c", Value: value(3), ValueText: "3"},
		}, []string{"d"})
		w := setup(t, b, 320)
		var told []int
		b.OnTapped = func(i int) { told = append(told, i) }
		return b, &told, w
	}
	t.Run("by a click on a row, not beside", func(t *testing.T) {
		b, told, _ := newBars(t)
		for _, y := range []float32{5, 28 + 14, 28 + 38*2 + 14, 28 + 38*3 + 14} {
			b.Tapped(&fyne.PointEvent{Position: fyne.NewPos(50, y)})
		}
		assert.Equal(t, []int{0, 2}, *told)
	})
	t.Run("by the keyboard", func(t *testing.T) {
		b, told, w := newBars(t)
		w.Canvas().FocusNext()
		if w.Canvas().Focused() != fyne.Focusable(b) {
			t.Fatal("the Tab key passes it by")
		}
		for _, key := range []fyne.KeyName{fyne.KeyDown, fyne.KeyReturn, fyne.KeyEnd, fyne.KeyDown, fyne.KeySpace, fyne.KeyHome, fyne.KeyUp, fyne.KeyEnter} {
			b.TypedKey(&fyne.KeyEvent{Name: key})
		}
		assert.Equal(t, []int{1, 2, 0}, *told)
	})
	t.Run("not at all without a handler", func(t *testing.T) {
		b, told, w := newBars(t)
		b.OnTapped = nil
		b.Tapped(&fyne.PointEvent{Position: fyne.NewPos(50, 42)})
		w.Canvas().FocusNext()
		if len(*told) != 0 || w.Canvas().Focused() != nil {
			t.Errorf("told %v, focus on %v", *told, w.Canvas().Focused())
		}
	})
}

func TestBarsTellWhatTheyHadToShorten(t *testing.T) {
	long, why := "svc-a-very-long-model-name-indeed-that-does-not-fit-img", "no score was reported in this answer"
	b := chart.NewBars([]chart.Bar{
		{Name: long, Value: value(1), ValueText: "1"}, {Name: "b", Value: value(1), ValueText: "1"}, {Name: "c", Word: why},
	}, nil)
	w := setup(t, b, 260)
	w.SetContent(b)
	for row, want := range []string{long, "", "c: " + why} {
		b.MouseIn(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(30, 42+38*float32(row))}})
		got := b.ToolTip()
		b.MouseOut()
		if got != want {
			t.Errorf("row %d: %q, want %q", row, got, want)
		}
	}
}

func TestBarsTakeFewerAndNoRows(t *testing.T) {
	b := chart.NewBars([]chart.Bar{{Name: "a", Value: value(1), ValueText: "1"}, {Name: "b", Value: value(1), ValueText: "1"}}, nil)
	setup(t, b, 300)
	b.OnTapped = func(int) { t.Error("a row that is not there was tapped") }
	b.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	b.SetBars(nil, nil)
	for _, key := range []fyne.KeyName{fyne.KeyDown, fyne.KeyEnd, fyne.KeyReturn} {
		b.TypedKey(&fyne.KeyEvent{Name: key})
	}
	if n := len(tracks(b)); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

func TestFurtherNumbersStandBelowTheirModelsOwn(t *testing.T) {
	b := chart.NewBars([]chart.Bar{
		{Name: "erie", Mark: look.MarkFake, Value: value(93), ValueText: "93"},
		{Name: "rolling average", Mark: look.MarkFake, Value: value(46.5), ValueText: "47", Further: true},
	}, nil)
	setup(t, b, 340)
	bars := filled(b, look.MarkFake)
	if len(bars) != 2 {
		t.Fatalf("%d bars", len(bars))
	}
	own, further := bars[0], bars[1]
	t.Run("R10 on the same scale, from the same edge", func(t *testing.T) {
		if ratio := further.Size().Width / own.Size().Width; math.Abs(float64(ratio)-0.5) > 0.01 || further.Position().X != own.Position().X {
			t.Errorf("%v of the other's length, from %v instead of %v", ratio, further.Position().X, own.Position().X)
		}
	})
	t.Run("thinner, and without a mark of their own", func(t *testing.T) {
		if further.Size().Height >= own.Size().Height || marks(shown[*canvas.Raster](b)) != 1 {
			t.Errorf("%v high beside %v; %d marks", further.Size().Height, own.Size().Height, marks(shown[*canvas.Raster](b)))
		}
	})
}
