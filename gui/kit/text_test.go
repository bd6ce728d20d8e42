package kit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
)

func TestText(t *testing.T) {
	const name = "harbour-statement-of-the-minister-final.jpeg"
	t.Run("asks for its whole width without an ellipsis", func(t *testing.T) {
		text := kit.NewText(name, kit.TextStyle{})
		setup(t, text, 400, 20)
		if got, want := text.MinSize().Width, fyne.MeasureText(name, 13, fyne.TextStyle{}).Width; got != want {
			t.Errorf("%g, want %g", got, want)
		}
	})
	t.Run("is cut in the middle where it does not fit, and keeps the whole", func(t *testing.T) {
		text := kit.NewText(name, kit.TextStyle{Ellipsis: look.EllipsisMiddle, MinWidth: 40})
		setup(t, text, 150, 20)
		line := guitest.InSight[*canvas.Text](text)[0].Text
		if !strings.HasPrefix(line, "harb") || !strings.HasSuffix(line, ".jpeg") || text.Text() != name || text.AccessibilityLabel() != name {
			t.Errorf("%q of %q", line, text.Text())
		}
		if text.MinSize().Width != 40 {
			t.Errorf("asks for %g", text.MinSize().Width)
		}
	})
	t.Run("has a tooltip only while it is cut", func(t *testing.T) {
		text := kit.NewText(name, kit.TextStyle{Ellipsis: look.EllipsisEnd})
		w := setup(t, text, 150, 20)
		tips := func() []interface{ ToolTip() string } {
			var found []interface{ ToolTip() string }
			for _, o := range guitest.InSight[fyne.Widget](text) {
				if tip, ok := o.(interface{ ToolTip() string }); ok {
					found = append(found, tip)
				}
			}
			return found
		}
		if got := tips(); len(got) != 1 || got[0].ToolTip() != name {
			t.Errorf("cut: %d tooltips", len(got))
		}
		w.Resize(fyne.NewSize(500, 20))
		if got := tips(); len(got) != 0 {
			t.Errorf("whole: %d tooltips", len(got))
		}
	})
	t.Run("stands higher in letters that the toolkit puts lower", func(t *testing.T) {
		for words, lifted := range map[string]bool{"photo": false, "صورة": false, "写真.jpg": true, "한국": true} {
			text := kit.NewText(words, kit.TextStyle{})
			setup(t, text, 150, 20)
			if y := guitest.InSight[*canvas.Text](text)[0].Position().Y; y < 0 != lifted || y > 0 {
				t.Errorf("%q is drawn at %g", words, y)
			}
		}
	})
	t.Run("gives tabular digits one width", func(t *testing.T) {
		ones, eights := kit.NewText("111", kit.TextStyle{Tabular: true}), kit.NewText("888", kit.TextStyle{Tabular: true})
		setup(t, container.NewVBox(ones, eights), 100, 50)
		if ones.MinSize().Width != eights.MinSize().Width {
			t.Errorf("%g and %g", ones.MinSize().Width, eights.MinSize().Width)
		}
		ones.SetText("11")
		if ones.MinSize().Width >= eights.MinSize().Width {
			t.Error("a shorter number is as wide")
		}
	})
}

func TestParagraphWrapsAndReadsNoMarkup(t *testing.T) {
	p := kit.NewParagraph("**No** markup ![x](http://127.0.0.1/x.png) is read, and the text wraps where the line ends.", kit.TextStyle{Color: look.ColorMuted})
	w := setup(t, p, 700, 100)
	oneLine := p.MinSize().Height
	w.Resize(fyne.NewSize(200, 100))
	if p.MinSize().Height < 3*oneLine-2 {
		t.Errorf("%g high at 200, %g at 700", p.MinSize().Height, oneLine)
	}
	whole := ""
	for _, line := range guitest.InSight[*canvas.Text](p) {
		whole += line.Text + " "
		if line.Color != look.Color(look.ColorMuted) {
			t.Errorf("%q in %v", line.Text, line.Color)
		}
	}
	if !strings.HasPrefix(whole, "**No** markup ![x](http") {
		t.Errorf("shown: %q", whole)
	}
	if n := len(guitest.InSight[*canvas.Image](p)); n != 0 {
		t.Errorf("%d pictures", n)
	}
}

func TestParagraph(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.ModeLight))
	lines := func(p *kit.Paragraph) (all []string) {
		for _, o := range test.WidgetRenderer(p).Objects() {
			all = append(all, o.(*canvas.Text).Text)
		}
		return all
	}
	width := func(text string, style kit.TextStyle) float32 {
		return look.Measure(text, look.Size(look.SizeText), style.Weight.Style()).Width
	}
	for name, c := range map[string]struct {
		text  string
		as    string // as wide as this
		style kit.TextStyle
		want  []string
	}{
		"breaks at spaces":    {"one two three", "one two t", kit.TextStyle{}, []string{"one two", "three"}},
		"breaks at line ends": {"one\ntwo\r\n\nthree", "one two three four", kit.TextStyle{}, []string{"one", "two", "", "three"}},
		"does not break at a space that holds words together":  {"prêt\u202f: «\u00a0oui\u00a0»", "prêt\u202f: «\u00a0o", kit.TextStyle{}, []string{"prêt\u202f:", "«\u00a0oui\u00a0»"}},
		"breaks within a word that is wider than a line":       {"aaaaaaaa", "aaaaaai", kit.TextStyle{}, []string{"aaaaaa", "aa"}},
		"stays on one line in the width that it is":            {"AV. To Tr. LT Yo", "AV. To Tr. LT Yo", kit.TextStyle{Weight: look.WeightBold}, []string{"AV. To Tr. LT Yo"}},
		"leaves no short word alone on the last line":          {"the line ends with some more AI.", "the line ends with some more A", kit.TextStyle{}, []string{"the line ends with some", "more AI."}},
		"leaves a long word alone on the last line":            {"the line ends with a manipulation", "the line ends with a m", kit.TextStyle{}, []string{"the line ends with a", "manipulation"}},
		"keeps spaces that stand at the beginning of the text": {"  one two", "  one t", kit.TextStyle{}, []string{"  one", "two"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := kit.NewParagraph(c.text, c.style)
			high := p.MinSize().Height
			p.Resize(fyne.NewSize(width(c.as, c.style), 500))
			if got := lines(p); !slices.Equal(got, c.want) {
				t.Errorf("%q", got)
			}
			if got := p.MinSize(); got.Width != 0 || got.Height < high {
				t.Errorf("it takes %v, and %g before it was wrapped", got, high)
			}
		})
	}
	t.Run("breaks what no font of ours has, and keeps all of it", func(t *testing.T) { // how wide it is, the fonts of this computer say
		const text = "写真写真写真"
		room := width("写真写真i", kit.TextStyle{})
		p := kit.NewParagraph(text, kit.TextStyle{})
		p.Resize(fyne.NewSize(room, 500))
		got := lines(p)
		if len(got) < 2 || strings.Join(got, "") != text {
			t.Errorf("%q", got)
		}
		for _, line := range got {
			if is := width(line, kit.TextStyle{}); is > room {
				t.Errorf("%q is %g wide, and has room for %g", line, is, room)
			}
		}
	})
	t.Run("takes other words, and another width", func(t *testing.T) {
		p := kit.NewParagraph("one two three", kit.TextStyle{})
		p.Resize(fyne.NewSize(width("one t", kit.TextStyle{}), 100))
		p.Resize(fyne.NewSize(500, 100))
		if got := lines(p); !slices.Equal(got, []string{"one two three"}) {
			t.Errorf("%q", got)
		}
		p.SetText("four")
		if got := lines(p); !slices.Equal(got, []string{"four"}) {
			t.Errorf("%q", got)
		}
	})
}

func TestLongText(t *testing.T) {
	drawn := func(text *kit.LongText) (lines []string) {
		for _, line := range guitest.InSight[*canvas.Text](text) {
			lines = append(lines, line.Text)
		}
		return lines
	}
	numbered := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "line %d\n", i)
		}
		return strings.TrimSuffix(b.String(), "\n")
	}
	scrollOf := func(text *kit.LongText) *container.Scroll { return guitest.InSight[*container.Scroll](text)[0] }
	// whole puts together what is drawn on the way from the beginning to the end.
	whole := func(text *kit.LongText, window fyne.Window) (all []string) {
		at := map[int]string{}
		for {
			for _, line := range guitest.InSight[*canvas.Text](text) {
				at[int(line.Position().Y/line.Size().Height+0.5)] = line.Text
			}
			before := scrollOf(text).Offset.Y
			test.Scroll(window.Canvas(), fyne.NewPos(50, 50), 0, -100)
			if scrollOf(text).Offset.Y == before {
				break
			}
		}
		for i := range len(at) {
			all = append(all, at[i])
		}
		return all
	}
	t.Run("draws no more lines for a long text than for one that fills what is seen", func(t *testing.T) {
		text := kit.NewLongText(numbered(100), kit.TextStyle{})
		setup(t, text, 300, 200)
		few := len(drawn(text))
		text.SetText(numbered(100_000))
		if many := len(drawn(text)); many != few || many > 40 {
			t.Errorf("%d lines of a long one, %d of a short one", many, few)
		}
	})
	t.Run("shows the whole of it on the way to its end", func(t *testing.T) {
		text := kit.NewLongText(numbered(300), kit.TextStyle{Size: look.SizeSmall})
		window := setup(t, text, 300, 200)
		if got := strings.Join(whole(text, window), "\n"); got != numbered(300) {
			t.Errorf("it shows %q", got)
		}
	})
	t.Run("wraps at words, and cuts what is wider than a line", func(t *testing.T) {
		const words = "    An indented line of words that is far longer than this is wide, and then https://example.org/" +
			"an-address-without-any-space-that-does-not-fit-into-a-line-of-its-own-and-has-an-end\n\n  the end "
		text := kit.NewLongText(words, kit.TextStyle{})
		window := setup(t, text, 240, 200)
		lines := whole(text, window)
		for _, line := range lines {
			if width := fyne.MeasureText(line, look.Size(look.SizeText), fyne.TextStyle{}).Width; width > 240 {
				t.Errorf("%q is %g wide", line, width)
			}
		}
		if !strings.HasPrefix(lines[0], "    An indented ") || lines[len(lines)-1] != "  the end " || lines[len(lines)-2] != "" || len(lines) < 7 {
			t.Errorf("%q", lines)
		}
		if got := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); got != strings.NewReplacer(" ", "", "\n", "").Replace(words) {
			t.Errorf("it shows %q", got)
		}
		window.Resize(fyne.NewSize(480, 200))
		if wider := drawn(text); len(wider) >= len(lines) {
			t.Errorf("%d lines at twice the width, %d before", len(wider), len(lines))
		}
	})
	t.Run("turns pages to its end and back, with some lines in sight that were so before", func(t *testing.T) {
		text := kit.NewLongText(numbered(100), kit.TextStyle{})
		setup(t, text, 300, 200)
		page := scrollOf(text)
		text.TurnPage(true)
		if page.Offset.Y <= 100 || page.Offset.Y >= 200 {
			t.Errorf("a page on it is at %g", page.Offset.Y)
		}
		for range 50 {
			text.TurnPage(true)
		}
		lines := drawn(text)
		if end := page.Content.Size().Height - page.Size().Height; page.Offset.Y != end || lines[len(lines)-1] != "line 99" {
			t.Errorf("its end is at %g, not %g, with %q", page.Offset.Y, end, lines)
		}
		for range 50 {
			text.TurnPage(false)
		}
		if page.Offset.Y != 0 || drawn(text)[0] != "line 0" {
			t.Errorf("its beginning is at %g", page.Offset.Y)
		}
	})
	t.Run("begins another text at its top", func(t *testing.T) {
		text := kit.NewLongText(numbered(100), kit.TextStyle{})
		setup(t, text, 300, 200)
		text.TurnPage(true)
		text.SetText("another")
		if got := drawn(text); scrollOf(text).Offset.Y != 0 || len(got) != 1 || got[0] != "another" || text.AccessibilityLabel() != "another" {
			t.Errorf("it shows %q from %g", got, scrollOf(text).Offset.Y)
		}
	})
	t.Run("keeps clear of the bar by which it is scrolled", func(t *testing.T) {
		text := kit.NewLongText(strings.Repeat("word ", 1000), kit.TextStyle{})
		setup(t, text, 300, 200)
		for _, line := range guitest.InSight[*canvas.Text](text) {
			if line.MinSize().Width > 290 {
				t.Errorf("%q reaches to %g", line.Text, line.MinSize().Width)
			}
		}
	})
}
