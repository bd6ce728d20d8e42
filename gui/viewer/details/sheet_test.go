package details

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/google/go-cmp/cmp"

	"assay/gui/look"
)

func TestWrap(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.ModeLight))
	r := newRuler(look.SizeText, mono)
	of := func(n int) float32 { return r.Width('m')*r.size*float32(n) + 0.5 } // so many characters of one width
	for name, c := range map[string]struct {
		text  string
		width float32
		want  []string
	}{
		"one line":                            {"a few words", of(20), []string{"a few words"}},
		"at spaces":                           {"a few words more", of(11), []string{"a few words", "more"}},
		"a space at the line's very end":      {"abcd efgh", of(4), []string{"abcd", "efgh"}},
		"inside a word that is wider":         {"abcdefghij", of(4), []string{"abcd", "efgh", "ij"}},
		"a wide word behind others":           {"ab cdefghij", of(4), []string{"ab", "cdef", "ghij"}},
		"never between a letter and its mark": {"abcde\u0301f", of(5), []string{"abcde\u0301", "f"}},
		"nothing":                             {"", of(4), []string{""}},
		"a width of less than a character":    {"abc", 1, []string{"a", "b", "c"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, r.wrap(c.text, c.width)); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("a text without end is cut, and says so", func(t *testing.T) {
		lines := r.wrap(strings.Repeat("word ", 1000), of(10))
		if len(lines) != mostLines || !strings.HasSuffix(lines[mostLines-1], "…") {
			t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
		}
	})
}
