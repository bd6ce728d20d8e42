package pasteboard

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
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

func TestPaths(t *testing.T) {
	for name, c := range map[string]struct {
		list string
		want []string
	}{
		"one file":                     {"file:///a/b.jpg\r\n", []string{"/a/b.jpg"}},
		"several, as GNOME copies":     {"copy\nfile:///a.jpg\nfile:///b.jpg", []string{"/a.jpg", "/b.jpg"}},
		"cut files are only read":      {"cut\nfile:///a.jpg\x00", []string{"/a.jpg"}},
		"names with spaces and quotes": {"file:///My%20%22best%22%20%E2%9C%93.png", []string{`/My "best" ✓.png`}},
		"this computer by name":        {"file://localhost/a.jpg", []string{"/a.jpg"}},
		"comments are left out":        {"# comment\nfile:///a.jpg", []string{"/a.jpg"}},
		"another computer's file":      {"file://server/a.jpg", nil},
		"a link among files":           {"file:///a.jpg\nhttps://example.org/b.jpg", nil},
		"no path":                      {"file://", nil},
		"a name with a zero byte":      {"file:///a%00b", nil},
		"nothing":                      {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, paths(c.list))
		})
	}
}
