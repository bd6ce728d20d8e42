package kit

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"assay/gui/look"
)

func TestParagraph(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.ModeLight))
	lines := func(p *Paragraph) (all []string) {
		for _, o := range test.WidgetRenderer(p).Objects() {
			all = append(all, o.(*canvas.Text).Text)
		}
		return all
	}
	width := func(text string, style TextStyle) float32 {
		return look.Measure(text, look.Size(style.size()), style.fyneStyle()).Width
	}
	for name, c := range map[string]struct {
		text  string
		as    string // as wide as this
		style TextStyle
		want  []string
	}{
		"breaks at spaces":    {"one two three", "one two t", TextStyle{}, []string{"one two", "three"}},
		"breaks at line ends": {"one\ntwo\r\n\nthree", "one two three four", TextStyle{}, []string{"one", "two", "", "three"}},
		"does not break at a space that holds words together":  {"prêt\u202f: «\u00a0oui\u00a0»", "prêt\u202f: «\u00a0o", TextStyle{}, []string{"prêt\u202f:", "«\u00a0oui\u00a0»"}},
		"breaks within a word that is wider than a line":       {"aaaaaaaa", "aaaaaai", TextStyle{}, []string{"aaaaaa", "aa"}},
		"stays on one line in the width that it is":            {"AV. To Tr. LT Yo", "AV. To Tr. LT Yo", TextStyle{Weight: look.WeightBold}, []string{"AV. To Tr. LT Yo"}},
		"keeps spaces that stand at the beginning of the text": {"  one two", "  one t", TextStyle{}, []string{"  one", "two"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := NewParagraph(c.text, c.style)
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
		room := width("写真写真i", TextStyle{})
		p := NewParagraph(text, TextStyle{})
		p.Resize(fyne.NewSize(room, 500))
		got := lines(p)
		if len(got) < 2 || strings.Join(got, "") != text {
			t.Errorf("%q", got)
		}
		for _, line := range got {
			if is := width(line, TextStyle{}); is > room {
				t.Errorf("%q is %g wide, and has room for %g", line, is, room)
			}
		}
	})
	t.Run("takes other words, and another width", func(t *testing.T) {
		p := NewParagraph("one two three", TextStyle{})
		p.Resize(fyne.NewSize(width("one t", TextStyle{}), 100))
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
