package pasteboard

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// FuzzPaths holds that whatever another program hands over as a list of files, each path that is taken is one that the list names in full, and
// that a list of those paths gives them again.
func FuzzPaths(f *testing.F) {
	for _, list := range []string{
		"copy\nfile:///a.jpg\nfile:///b%20c.jpg", "# comment\r\nfile://localhost/a\r\n\x00", "file:///a/../b", "file:///a?b#c", "file:///a%00b", "file:relative", "file://server/a",
		"https://example.org/a", "file:///a%2Fb", "file:////a//b/", "cut\n\nfile:///%E2%9C%93", "file:///a%0Ab",
	} {
		f.Add(list)
	}
	f.Fuzz(func(t *testing.T, list string) {
		found := paths(list)
		again := make([]string, len(found))
		for i, path := range found {
			if !filepath.IsAbs(path) || filepath.Clean(path) != path || strings.ContainsRune(path, 0) {
				t.Errorf("%q gives the path %q", list, path)
			}
			again[i] = (&url.URL{Scheme: "file", Path: path}).String()
		}
		if got := paths("copy\n" + strings.Join(again, "\n")); !slices.Equal(got, found) {
			t.Errorf("%q gives %q, and a list of those %q", list, found, got)
		}
		for line := range strings.Lines(list) {
			if strings.HasPrefix(line, "file:") && strings.ContainsAny(line, "?#") && len(found) > 0 {
				t.Errorf("of %q a part is left out: %q", line, found)
			}
		}
	})
}
