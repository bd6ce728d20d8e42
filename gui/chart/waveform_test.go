package chart_test

import (
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"assay/client/assert"
	"assay/gui/chart"
	"assay/gui/look"
)

// scene is a waveform of 30 seconds in a window 300 wide, all of it at full loudness.
type scene struct {
	*chart.Waveform
	asked  []int // how many columns were asked for, painting by painting
	sought []float64
	window fyne.Window
}

func newScene(t *testing.T) *scene {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(look.New(look.ModeLight))
	s := &scene{Waveform: chart.NewWaveform()}
	s.SetLength(30)
	s.SetColumns(s.loud)
	s.OnSeek = func(at float64) { s.sought = append(s.sought, at) }
	s.Shift = func() bool { return false }
	s.window = test.NewTempWindow(t, s.Waveform)
	s.window.SetPadded(false)
	s.window.Resize(fyne.NewSize(300, 100))
	return s
}

func (s *scene) loud(columns []chart.Column) {
	s.asked = append(s.asked, len(columns))
	for i := range columns {
		columns[i] = chart.Column{Low: -1, High: 1, Known: true}
	}
}

// inked counts the columns of pixels, a pixel above the middle, that have a colour.
func (s *scene) inked(name fyne.ThemeColorName) (first, last, n int) {
	img := s.window.Canvas().Capture()
	wr, wg, wb, _ := look.Color(name).RGBA()
	first = -1
	for x := range img.Bounds().Dx() {
		r, g, b, _ := img.At(x, 20).RGBA()
		if r>>8 == wr>>8 && g>>8 == wg>>8 && b>>8 == wb>>8 {
			if first < 0 {
				first = x
			}
			last = x
			n++
		}
	}
	return first, last, n
}

func TestWaveformShowsWhatWasPlayed(t *testing.T) {
	s := newScene(t)
	s.SetMoment(10)
	first, last, n := s.inked(look.ColorAccent)
	if first > 3 || last > 101 || last < 94 || n < 50 {
		t.Errorf("%d columns of pixels from %d to %d are in the accent, want two of three up to 100", n, first, last)
	}
	if first, last, _ := s.inked(look.ColorText); first < 98 || last > 102 {
		t.Errorf("the line is at %d to %d", first, last)
	}
}

func TestWaveformPaintsNothingAgainWhileItPlays(t *testing.T) {
	s := newScene(t)
	s.window.Canvas().Capture()
	before := len(s.asked)
	for i := range 300 {
		s.SetMoment(float64(i) / 10)
	}
	s.SetLoop(3, 6)
	if len(s.asked) != before {
		t.Errorf("moving on asked for columns %d times", len(s.asked)-before)
	}
}

func TestWaveformAsksForWhatIsSeen(t *testing.T) {
	s := newScene(t)
	s.SetLength(3 * 3600)
	s.window.Canvas().Capture()
	for _, n := range s.asked {
		if n > 300 {
			t.Errorf("%d columns for 300 pixels", n)
		}
	}
}

func TestWaveformLeavesOutWhatIsNotKnown(t *testing.T) {
	s := newScene(t)
	s.SetColumns(func(columns []chart.Column) {
		for i := range len(columns) / 2 {
			columns[i] = chart.Column{Low: float32(math.NaN()), High: 2, Known: true}
		}
	})
	s.SetMoment(30)
	if _, last, n := s.inked(look.ColorAccent); last > 155 || n == 0 {
		t.Errorf("%d columns, the last at %d", n, last)
	}
}

func TestWaveformSeeks(t *testing.T) {
	t.Run("by a click and by dragging, held within the recording", func(t *testing.T) {
		s := newScene(t)
		s.Tapped(&fyne.PointEvent{Position: fyne.NewPos(150, 10)})
		for _, x := range []float32{60, -40, 900} {
			s.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 10)}})
		}
		assert.Equal(t, []float64{15, 6, 0, 30}, s.sought)
	})
	t.Run("by keys, a second or with Shift ten, and to both ends", func(t *testing.T) {
		s := newScene(t)
		shift := false
		s.Shift = func() bool { return shift }
		s.SetMoment(12)
		for _, key := range []fyne.KeyName{fyne.KeyLeft, fyne.KeyRight, fyne.KeyHome, fyne.KeyEnd} {
			s.TypedKey(&fyne.KeyEvent{Name: key})
		}
		shift = true
		s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
		s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		s.SetMoment(29.5)
		s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		assert.Equal(t, []float64{11, 13, 0, 30, 2, 22, 30}, s.sought)
	})
	t.Run("other keys and characters are passed on", func(t *testing.T) {
		s := newScene(t)
		var keys []fyne.KeyName
		var chars []rune
		s.OnTypedKey = func(e *fyne.KeyEvent) { keys = append(keys, e.Name) }
		s.window.Canvas().SetOnTypedRune(func(r rune) { chars = append(chars, r) })
		s.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
		s.TypedRune('w')
		if len(keys) != 1 || len(chars) != 1 || len(s.sought) != 0 {
			t.Errorf("%v, %v, %v", keys, chars, s.sought)
		}
	})
	t.Run("not at all while nothing is there, and the Tab key passes it by", func(t *testing.T) {
		s := newScene(t)
		s.SetLength(0)
		s.Tapped(&fyne.PointEvent{Position: fyne.NewPos(150, 10)})
		s.window.Canvas().FocusNext()
		if len(s.sought) != 0 || s.window.Canvas().Focused() != nil {
			t.Errorf("%v", s.sought)
		}
		s.SetLength(30)
		s.window.Canvas().FocusNext()
		if s.window.Canvas().Focused() != fyne.Focusable(s.Waveform) {
			t.Error("with a recording, it passes it by too")
		}
	})
}

func TestWaveformShowsTheFocusAndTheLoop(t *testing.T) {
	s := newScene(t)
	s.SetColumns(func([]chart.Column) {})
	count := func() int { _, _, n := s.inked(look.ColorAccent); return n }
	if count() != 0 {
		t.Fatal("the accent is there before")
	}
	s.SetLoop(10, 20)
	if count() < 2 {
		t.Error("the loop's ends are not seen")
	}
	s.SetLoop(0, 0)
	s.window.Canvas().Focus(s.Waveform)
	rings := 0
	for _, o := range test.WidgetRenderer(s.Waveform).Objects() {
		if r, ok := o.(*canvas.Rectangle); ok && r.Visible() && r.FillColor == look.Color(look.ColorAccent) {
			rings++
		}
	}
	if rings != 1 {
		t.Errorf("%d rings show the focus", rings)
	}
}

func TestWaveformSaysWhyThereIsNone(t *testing.T) {
	s := newScene(t)
	s.SetColumns(nil)
	s.SetNote("No waveform")
	if got := s.AccessibilityLabel(); got != "Waveform: No waveform" {
		t.Errorf("%q", got)
	}
	if _, _, n := s.inked(look.ColorAccent); n != 0 {
		t.Error("columns are left")
	}
}
