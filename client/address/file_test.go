package address

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestFilePath(t *testing.T) {
	root, prefix := "/", "file:///"
	if runtime.GOOS == "windows" {
		root, prefix = `C:\`, "file:///C:/"
	}
	for raw, want := range map[string]string{
		prefix + "a.jpg":       filepath.Join(root, "a.jpg"),
		prefix + "a/../b//c/":  filepath.Join(root, "b", "c"),
		prefix + "a%20%23b%3F": filepath.Join(root, "a #b?"),
		"file://localhost" + strings.TrimPrefix(prefix, "file://") + "a": filepath.Join(root, "a"),
		prefix + "photo #2.jpg": "", // not /photo
		prefix + "a?":           "",
		prefix + "a#":           "",
		prefix + "a%00b":        "",
		"file://server/a":       "",
		"file://///server/a/b":  map[bool]string{false: "/server/a/b"}[runtime.GOOS == "windows"], // there a share of another computer
		"file:a":                "",
		"https://example.org/a": "",
		"":                      "",
	} {
		t.Run(raw, func(t *testing.T) {
			if path, ok := FilePath(raw); path != want || ok != (want != "") {
				t.Errorf("%q, want %q", path, want)
			}
		})
	}
}

// FuzzFilePath holds that a path that is taken is whole, and that its own address names it again.
func FuzzFilePath(f *testing.F) {
	for _, raw := range []string{"file:///a/../b", "file:///C:/a", "file:///a%2F..%2Fb", "file:///a#b", "file://localhost/%FF", "file:////server/a", "FILE:/a"} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		path, ok := FilePath(raw)
		if !ok {
			return
		}
		if !filepath.IsAbs(path) || filepath.Clean(path) != path || strings.ContainsRune(path, 0) {
			t.Errorf("%q names %q", raw, path)
		}
		u := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")}
		if again, _ := FilePath(u.String()); again != path {
			t.Errorf("%q names %q, whose address names %q", raw, path, again)
		}
	})
}
