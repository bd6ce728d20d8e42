package chart_test

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"assay/client/assert"
	"assay/gui/chart"
	"assay/gui/look"
)

// row is how high the boxes of the first lane stand, and second that of the second.
const (
	row    float32 = 14
	second float32 = 14 + 29
)

func newLanes(t *testing.T, width float32, length float64, lanes ...chart.Lane) (*chart.Lanes, fyne.Window) {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(look.New(look.ModeLight))
	l := chart.NewLanes()
	l.OnTapped = func(int, int) {}
	l.Clock = func(s, step float64) string {
		if step < 1 {
			return fmt.Sprintf("%.1f s", s)
		}
		return fmt.Sprintf("%.0f s", s)
	}
	l.SetLanes(lanes, length)
	w := test.NewTempWindow(t, l)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(width, 200))
	return l, w
}

func laneOf(marks ...look.Mark) chart.Lane {
	lane := chart.Lane{Title: "Audio"}
	for i, m := range marks {
		lane.Spans = append(lane.Spans, chart.Span{
			Start: float64(i), End: float64(i + 1), Mark: m, Texts: []string{"Likely manipulated · 97", "97"}, Tip: fmt.Sprintf("part %d", i),
		})
	}
	return lane
}

// colourAt is what is painted at a place.
func colourAt(img image.Image, x, y float32) [3]uint32 {
	r, g, b, _ := img.At(int(x), int(y)).RGBA()
	return [3]uint32{r >> 8, g >> 8, b >> 8}
}

func token(name fyne.ThemeColorName) [3]uint32 {
	r, g, b, _ := look.Color(name).RGBA()
	return [3]uint32{r >> 8, g >> 8, b >> 8}
}

// drawn are the visible objects of a kind.
func drawn[T fyne.CanvasObject](l *chart.Lanes) []T {
	var found []T
	for _, o := range test.WidgetRenderer(l).Objects() {
		if match, ok := o.(T); ok && o.Visible() {
			found = append(found, match)
		}
	}
	return found
}

func texts(l *chart.Lanes) []string {
	var all []string
	for _, t := range drawn[*canvas.Text](l) {
		all = append(all, t.Text)
	}
	return all
}

func TestLanesDrawWhatWasReportedAndHatchTheRest(t *testing.T) {
	t.Run("rule 12: what was not reported is hatched, at the ends too", func(t *testing.T) {
		lane := laneOf(look.MarkAuthentic)
		lane.Spans[0].Start, lane.Spans[0].End = 4, 6
		_, w := newLanes(t, 300, 10, lane)
		img := w.Canvas().Capture()
		hatched := func(from, to int) bool { // lines are more than one colour
			colours := map[[3]uint32]bool{}
			for x := from; x < to; x++ {
				colours[colourAt(img, float32(x), row+8)] = true
			}
			return len(colours) > 1
		}
		if !hatched(10, 110) || !hatched(190, 290) || hatched(125, 175) {
			t.Error("the hatching is not where nothing was reported")
		}
		if colourAt(img, 125, row+8) != token(look.ColorAuthenticSoft) {
			t.Error("the part that was reported has not its colour")
		}
	})
	t.Run("a part beyond the end is not drawn, and one across it up to it", func(t *testing.T) {
		lane := laneOf(look.MarkFake, look.MarkFake)
		lane.Spans[0].Start, lane.Spans[0].End = 8, 14
		lane.Spans[1].Start, lane.Spans[1].End = 11, 12
		l, w := newLanes(t, 300, 10, lane)
		if colourAt(w.Canvas().Capture(), 290, row+8) != token(look.ColorFakeSoft) {
			t.Error("the part across the end is not drawn up to it")
		}
		var told []int
		l.OnTapped = func(_, i int) { told = append(told, i) }
		l.Tapped(&fyne.PointEvent{Position: fyne.NewPos(299, row)})
		assert.Equal(t, []int{0}, told)
	})
	t.Run("where several fall on one pixel, the gravest is seen", func(t *testing.T) {
		lane := chart.Lane{}
		for i := range 3600 {
			m := look.MarkAuthentic
			if i == 1800 {
				m = look.MarkFake
			}
			lane.Spans = append(lane.Spans, chart.Span{Start: float64(3 * i), End: float64(3*i + 3), Mark: m})
		}
		_, w := newLanes(t, 300, 10800, lane)
		if got := colourAt(w.Canvas().Capture(), 151, row); got != token(look.ColorFake) {
			t.Errorf("%v in the middle", got)
		}
	})
	t.Run("narrow parts are told apart by shape, not by colour alone", func(t *testing.T) {
		shape := func(m look.Mark) string {
			_, w := newLanes(t, 300, 60, laneOf(m))
			img, column := w.Canvas().Capture(), ""
			for y := row - 11; y < row+11; y++ {
				column += map[bool]string{true: "#", false: "."}[colourAt(img, 2, y) == token(look.MarkColor(m))]
			}
			return column
		}
		fake, suspicious, authentic := shape(look.MarkFake), shape(look.MarkSuspicious), shape(look.MarkAuthentic)
		if fake == suspicious || suspicious == authentic || fake == authentic || !strings.Contains(fake, "####################") {
			t.Errorf("%q, %q, %q", fake, suspicious, authentic)
		}
	})
}

func TestLanesShowTextsWholeOrNotAtAll(t *testing.T) {
	for _, tt := range []struct {
		width float64 // of a part
		want  string
		marks int
	}{{400, "Likely manipulated · 97", 2}, {100, "97", 2}, {34, "", 2}, {20, "", 0}} {
		t.Run(fmt.Sprintf("%g wide", tt.width), func(t *testing.T) {
			l, _ := newLanes(t, 800, 800/tt.width, laneOf(look.MarkFake, look.MarkFake))
			got := ""
			for _, text := range texts(l) {
				if text != "Audio" && !strings.HasSuffix(text, " s") {
					got = text
				}
			}
			if n := marks(drawn[*canvas.Raster](l)); got != tt.want || n != tt.marks {
				t.Errorf("%q, want %q; %d marks, want %d", got, tt.want, n, tt.marks)
			}
		})
	}
	t.Run("no text stands where parts overlap", func(t *testing.T) {
		lane := laneOf(look.MarkFake, look.MarkSuspicious)
		lane.Spans[1].Start = 0.5
		l, _ := newLanes(t, 600, 2, lane)
		if n := marks(drawn[*canvas.Raster](l)); n != 0 {
			t.Errorf("%d marks over one another", n)
		}
	})
	t.Run("a mark that is unknown has none, and its text still stands", func(t *testing.T) {
		l, _ := newLanes(t, 600, 2, laneOf("new", look.MarkNone))
		if marks(drawn[*canvas.Raster](l)) != 0 || !strings.Contains(strings.Join(texts(l), "|"), "97") {
			t.Errorf("%q", texts(l))
		}
	})
}

func TestLanesRuler(t *testing.T) {
	for _, length := range []float64{0.4, 1, 7.3, 30, 61, 600, 10800, 1e6, 1e12} {
		l, _ := newLanes(t, 420, length, chart.Lane{Title: "x", Spans: []chart.Span{{Start: 0, End: length}}})
		right, labels := float32(-1), 0
		for _, text := range drawn[*canvas.Text](l) {
			if !strings.HasSuffix(text.Text, " s") {
				continue
			}
			labels++
			x := text.Position().X
			if x < right || x+text.MinSize().Width > 421 {
				t.Errorf("length %v: %q at %v, the one before ends at %v", length, text.Text, x, right)
			}
			right = x + text.MinSize().Width
		}
		if labels == 0 || length < 1e6 && labels < 2 {
			t.Errorf("length %v: %d labels", length, labels)
		}
	}
}

func TestLanesAreChosen(t *testing.T) {
	setup := func(t *testing.T) (*chart.Lanes, *[][2]int, fyne.Window) {
		t.Helper()
		below := laneOf(look.MarkSuspicious)
		below.Spans[0].End = 4
		l, w := newLanes(t, 400, 4, laneOf(look.MarkFake, look.MarkAuthentic, look.MarkFake), below)
		var told [][2]int
		l.OnTapped = func(lane, i int) { told = append(told, [2]int{lane, i}) }
		return l, &told, w
	}
	t.Run("by a click, not beside", func(t *testing.T) {
		l, told, _ := setup(t)
		for _, at := range []fyne.Position{{X: 150, Y: row}, {X: 50, Y: second}, {X: 350, Y: row}, {X: 50, Y: -5}, {X: 50, Y: 190}} {
			l.Tapped(&fyne.PointEvent{Position: at})
		}
		assert.Equal(t, [][2]int{{0, 1}, {1, 0}}, *told)
	})
	t.Run("by the keyboard", func(t *testing.T) {
		l, told, w := setup(t)
		w.Canvas().FocusNext()
		if w.Canvas().Focused() != fyne.Focusable(l) {
			t.Fatal("the Tab key passes it by")
		}
		for _, key := range []fyne.KeyName{fyne.KeyRight, fyne.KeyReturn, fyne.KeyEnd, fyne.KeyRight, fyne.KeyEnter, fyne.KeyDown, fyne.KeyReturn, fyne.KeyUp, fyne.KeyHome, fyne.KeyLeft, fyne.KeyReturn} {
			l.TypedKey(&fyne.KeyEvent{Name: key})
		}
		assert.Equal(t, [][2]int{{0, 1}, {0, 2}, {1, 0}, {0, 0}}, *told)
	})
	t.Run("the focus and what was chosen are ringed", func(t *testing.T) {
		l, _, w := setup(t)
		ringed := func(name fyne.ThemeColorName) bool {
			return colourAt(w.Canvas().Capture(), 150, row-13) == token(name)
		}
		l.Choose(0, 1)
		if !ringed(look.ColorText) {
			t.Error("what was chosen is not ringed")
		}
		w.Canvas().Focus(l)
		if !ringed(look.ColorAccent) {
			t.Error("the focus is not seen")
		}
		l.Choose(-1, -1)
		w.Canvas().Unfocus()
		if _, _, ok := l.Chosen(); ok || ringed(look.ColorText) || ringed(look.ColorAccent) {
			t.Error("a ring is left")
		}
	})
	t.Run("a click on an instant need not be exact", func(t *testing.T) {
		l, _ := newLanes(t, 400, 40, chart.Lane{Spans: []chart.Span{{Start: 10, End: 10}, {Start: 30, End: 30}}})
		var told []int
		l.OnTapped = func(_, i int) { told = append(told, i) }
		for _, x := range []float32{103, 297, 200} {
			l.Tapped(&fyne.PointEvent{Position: fyne.NewPos(x, row)})
		}
		assert.Equal(t, []int{0, 1}, told)
	})
	t.Run("other keys are passed on, and nothing is chosen where there is nothing", func(t *testing.T) {
		l, _ := newLanes(t, 400, 40)
		passed := 0
		l.OnTypedKey = func(*fyne.KeyEvent) { passed++ }
		for _, key := range []fyne.KeyName{fyne.KeyRight, fyne.KeyEnter, fyne.KeyUp, fyne.KeySpace} {
			l.TypedKey(&fyne.KeyEvent{Name: key})
		}
		l.Tapped(&fyne.PointEvent{Position: fyne.NewPos(10, row)})
		if passed != 4 || !l.Disabled() {
			t.Errorf("%d passed on", passed)
		}
	})
}

func TestLanesTellAllInATooltip(t *testing.T) {
	l, w := newLanes(t, 400, 4, laneOf(look.MarkFake, look.MarkAuthentic))
	w.SetContent(l)
	for x, want := range map[float32]string{50: "part 0", 150: "part 1", 350: "Not reported"} {
		l.MouseIn(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, row)}})
		if got := l.ToolTip(); got != want {
			t.Errorf("at %v: %q", x, got)
		}
		l.MouseOut()
	}
}

func TestLanesCostWhatIsSeen(t *testing.T) {
	lane := chart.Lane{}
	for i := range 5000 {
		lane.Spans = append(lane.Spans, chart.Span{Start: float64(i), End: float64(i + 1), Mark: look.MarkFake, Texts: []string{"1"}})
	}
	l, _ := newLanes(t, 400, 5000, lane)
	if n := len(test.WidgetRenderer(l).Objects()); n > 40 {
		t.Errorf("%d objects for 5000 parts", n)
	}
}
