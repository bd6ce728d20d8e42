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
	if diff := cmp.Diff([]string{"ab", "cdef", "ghij"}, r.wrap("ab  cdefghij ", of(4))); diff != "" {
		t.Error(diff)
	}
	t.Run("a text without end is cut, and says so", func(t *testing.T) {
		lines := r.wrap(strings.Repeat("word ", 1000), of(10))
		if len(lines) != mostLines || !strings.HasSuffix(lines[mostLines-1], "…") {
			t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
		}
	})
}
