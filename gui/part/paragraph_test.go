package part

import (
	"slices"
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
		"breaks what no font of ours has where it must":        {"写真写真写真", "写真写真i", TextStyle{}, []string{"写真写真", "写真"}},
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
