package details

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"assay/client/assert"
	"assay/client/i18n/i18ntest"
	"assay/gui/guitest"
	"assay/gui/look"
	"assay/gui/present"
)

// line is a text on screen with its place in the window.
type line struct {
	text        string
	left, right float32
	top         float32
	color       any
}

// lines are all texts that are drawn, from the window's top.
func (s *fixture) lines() (all []line) {
	for _, text := range guitest.InSight[*canvas.Text](s.window.Content()) {
		if text.Text != "" {
			at := fyne.CurrentApp().Driver().AbsolutePositionForObject(text)
			all = append(all, line{text.Text, at.X, at.X + fyne.MeasureText(text.Text, text.TextSize, text.TextStyle).Width, at.Y, text.Color})
		}
	}
	return all
}

func (s *fixture) has(text string) bool {
	return slices.ContainsFunc(s.lines(), func(l line) bool { return strings.Contains(l.text, text) })
}

// scroll is the pane's.
func (s *fixture) scroll() *container.Scroll {
	return guitest.InSight[*container.Scroll](s.window.Content())[0]
}

func TestPaneShowsDetails(t *testing.T) {
	s := setup(t, look.ModeLight, 860, 480, harbour())
	s.show("harbour")
	t.Run("R17 the release is shown", func(t *testing.T) {
		if !s.has("Release") || !s.has("3.1.4") {
			t.Errorf("lines %v", s.lines())
		}
	})
	t.Run("groups with headings say whose words they hold", func(t *testing.T) {
		for _, want := range []string{"File", "from this computer", "Answer", "from the service", "EXIF", "from the file"} {
			if !s.has(want) {
				t.Errorf("no %q", want)
			}
		}
	})
	t.Run("a hash stands in groups that can be compared", func(t *testing.T) {
		if !s.has("9f86d081 884c7d65 9a2feaa0") {
			t.Errorf("lines %v", s.lines())
		}
	})
	t.Run("identifying rows carry the word", func(t *testing.T) {
		n := 0
		for _, l := range s.lines() {
			if l.text == "identifies" {
				n++
			}
		}
		if n != 3 {
			t.Errorf("%d rows in sight are marked, want 3", n)
		}
	})
	t.Run("the state of content credentials is a word in no verdict's colour", func(t *testing.T) {
		for _, l := range s.lines() {
			if l.text == string(CredentialsNotConfirmed) {
				if l.color != look.Color(look.ColorText) {
					t.Errorf("colour %v", l.color)
				}
				return
			}
		}
		t.Error("no state")
	})
	t.Run("only what is in sight is drawn", func(t *testing.T) {
		if n := len(s.lines()); n > 80 {
			t.Errorf("%d texts for %d rows", n, 312)
		}
		s.scroll().ScrollToBottom()
		s.scroll().Offset.Y -= 10
		s.scroll().OnScrolled(s.scroll().Offset)
		if !s.has("Field 299") || s.has("harbour-statement.jpg") || !s.has("Anyone can change or remove") {
			t.Errorf("at the end: %v", s.lines())
		}
	})
}

func TestPaneFitsItsWidth(t *testing.T) {
	for _, width := range []float32{300, 320, 479, 480, 860} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			s := setup(t, look.ModeDark, width, 480, harbour())
			s.show("harbour")
			for top := float32(0); top < 900; top += 300 {
				s.scroll().ScrollToOffset(fyne.NewPos(0, top))
				s.scroll().OnScrolled(s.scroll().Offset)
				for _, l := range s.lines() {
					if l.right > width-4 {
						t.Errorf("%q ends at %v", l.text, l.right)
					}
				}
			}
		})
	}
	t.Run("another width breaks the lines anew", func(t *testing.T) {
		s := setup(t, look.ModeLight, 860, 480, harbour())
		s.show("harbour")
		s.window.Resize(fyne.NewSize(320, 480))
		for _, l := range s.lines() {
			if l.right > 320 {
				t.Errorf("%q ends at %v", l.text, l.right)
			}
		}
	})
}

func TestPaneByKeyboard(t *testing.T) {
	s := setup(t, look.ModeLight, 860, 480, harbour())
	s.show("harbour")
	s.window.Canvas().FocusNext()
	s.key(fyne.KeyReturn, fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyEnter)
	assert.Equal(t, []string{"harbour-statement.jpg", hash}, s.copied)
	t.Run("says that it was copied", func(t *testing.T) {
		if !s.has("Copied") {
			t.Error("nothing says so")
		}
		s.key(fyne.KeyDown)
		if s.has("Copied") {
			t.Error("it still says so on another row")
		}
	})
	t.Run("the row of the keys is brought into sight", func(t *testing.T) {
		s.key(fyne.KeyEnd, fyne.KeyReturn)
		if s.copied[len(s.copied)-1] != "299" || !s.has("Field 299") || !s.has("Copied") {
			t.Errorf("copied %v", s.copied)
		}
		s.key(fyne.KeyHome)
		if !s.has("File") || !s.has("harbour-statement.jpg") {
			t.Error("the first is not in sight")
		}
	})
	t.Run("a key without a meaning here is the window's", func(t *testing.T) {
		var key fyne.KeyName
		s.window.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { key = e.Name })
		s.key(fyne.KeyEscape)
		if key != fyne.KeyEscape {
			t.Errorf("the window got %q", key)
		}
	})
	t.Run("keys that the viewer hands on do the same, others are left to it", func(t *testing.T) {
		if !s.pane.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown}) || s.pane.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace}) || s.pane.TypedRune('f') {
			t.Error("down is for the rows, the others are not")
		}
	})
}

func TestPaneByMouse(t *testing.T) {
	s := setup(t, look.ModeLight, 860, 480, harbour())
	s.show("harbour")
	for _, l := range s.lines() {
		if l.text == "Copy" {
			test.TapCanvas(s.window.Canvas(), fyne.NewPos(l.left+5, l.top+5))
		}
	}
	assert.Equal(t, []string{hash}, s.copied)
	test.TapCanvas(s.window.Canvas(), fyne.NewPos(220, 45))
	if len(s.copied) != 1 {
		t.Error("a tap on a value copies it")
	}
}

func TestPaneProblems(t *testing.T) {
	t.Run("details that can't be read are said, and may be tried again", func(t *testing.T) {
		s := setup(t, look.ModeLight, 860, 480, harbour())
		s.source.err = fmt.Errorf("opening: %w", fs.ErrNotExist)
		s.show("harbour")
		if !s.has("The details can't be shown.") || s.has("harbour-statement.jpg") {
			t.Errorf("lines %v", s.lines())
		}
		s.source.err = nil
		for _, l := range s.lines() {
			if l.text == "Try again" {
				test.TapCanvas(s.window.Canvas(), fyne.NewPos(l.left+5, l.top+5))
			}
		}
		s.Next()
		if !s.has("harbour-statement.jpg") {
			t.Errorf("lines %v", s.lines())
		}
	})
	t.Run("without the file, the rest is shown", func(t *testing.T) {
		d := harbour()
		d.Problem = "What the file says about itself can't be shown. The file is no longer where it was."
		s := setup(t, look.ModeLight, 860, 480, d)
		s.show("harbour")
		if !s.has("What the file says about itself can't be shown.") || !s.has("3.1.4") {
			t.Errorf("lines %v", s.lines())
		}
	})
	t.Run("no details are shown for another result than the one asked for", func(t *testing.T) {
		other := Details{ID: "other", Groups: []DetailGroup{{Heading: "File", Rows: []DetailRow{{Label: "Name", Value: "other.jpg"}}}}}
		s := setup(t, look.ModeLight, 860, 480, harbour(), other)
		s.show("harbour")
		s.pane.Show(present.Viewer{ID: "other"})
		if s.has("harbour-statement.jpg") || !s.has("Reading the file…") {
			t.Error("the earlier result stays")
		}
		s.Next()
		if !s.has("other.jpg") {
			t.Errorf("lines %v", s.lines())
		}
		s.pane.Clear()
		if n := len(s.lines()); n != 0 {
			t.Errorf("%d lines after clearing", n)
		}
	})
}

// TestEverythingIsTranslated shows the pane in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	i18ntest.Pseudo(t)
	row := DetailRow{Label: "LABEL", Value: "VALUE", Copy: "VALUE", Identifying: true}
	d := Details{ID: "1", Problem: "REASON", Groups: []DetailGroup{{Heading: "HEADING", From: "FROM", State: CredentialsIntact, Text: "TEXT",
		Rows: []DetailRow{row, {Label: "LABEL", Value: hash, Hash: true}}}}}
	for _, width := range []float32{300, 800} {
		s := setup(t, look.ModeLight, width, 600, d)
		s.pane.Show(present.Viewer{ID: "1"})
		guitest.CheckTranslated(t, s.pane.Object())
		s.Next()
		guitest.CheckTranslated(t, s.pane.Object(), "LABEL", "VALUE", "HEADING", "FROM", "TEXT", "REASON", "9f86d081 884c7d65 9a2feaa0 c55ad015 a3bf4f1b 2b0b822c d15d6c15 b0f00a08",
			"9f86d081", "884c7d65", "9a2feaa0", "c55ad015", "a3bf4f1b", "2b0b822c", "d15d6c15", "b0f00a08")
		s.source.err = errors.New("REASON")
		s.show("2")
		guitest.CheckTranslated(t, s.pane.Object(), "REASON")
		for _, s := range s.pane.Shortcuts() {
			guitest.CheckTextsTranslated(t, []string{s.Keys, s.Does})
		}
	}
}

func TestWrap(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.ModeLight))
	r := newRuler(look.SizeText, mono)
	of := func(n int) float32 { return r.Width('m')*r.size*float32(n) + 0.5 } // so many characters of one width
	assert.Equal(t, []string{"ab", "cdef", "ghij"}, r.wrap("ab  cdefghij ", of(4)))
	t.Run("a text without end is cut, and says so", func(t *testing.T) {
		lines := r.wrap(strings.Repeat("word ", 1000), of(10))
		if len(lines) != mostLines || !strings.HasSuffix(lines[mostLines-1], "…") {
			t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
		}
	})
}
