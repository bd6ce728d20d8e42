//go:build unix && !darwin

package desktop

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzCache holds that whatever stands in a desktop's cache, all entries that are read of it are still there, in their order, once it is
// written again, and that no text can end its line.
func FuzzCache(f *testing.F) {
	for _, text := range []string{
		"[MIME Cache]\nimage/png=a.desktop;b.desktop;\n", "image/png=a.desktop\r\nimage/png=b.desktop;;", "# a=b;\n[x]\n=a;\n =;", "a=b=c;d\n", "image/png=a.desktop;\u00a0", "\ufeff[MIME Cache]\na=b",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read := parseCache(text)
		written := writeCache(read)
		if diff := cmp.Diff(read, parseCache(written)); diff != "" {
			t.Errorf("%q is written as %q: %s", text, written, diff)
		}
		if n := strings.Count(written, "\n"); n > 1+len(read) || !strings.HasPrefix(written, cacheHead+"\n") {
			t.Errorf("%q is written as %q", text, written)
		}
	})
}
