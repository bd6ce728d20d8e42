package pasteboard

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
			if diff := cmp.Diff(c.want, paths(c.list)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
