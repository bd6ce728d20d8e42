package address

import (
	"errors"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// hostless are addresses that a dialler takes for this computer's, or for none.
var hostless = []string{
	"https://", "https:///path", "https://:443", "https://:443/path", "https://./", "https://.:443", "https://user@:443", "https://0.0.0.0", "https://0.0.0.0:443",
	"https://[::]", "https://[::]:443", "https://[::ffff:0.0.0.0]", "https://[::%25eth0]", "https://0", "https://0x0:443", "https://0X", "https://00.0", "https://127.1", "https://a.0x7f", "https://[fe80::1%25\x87]", "https://example.org:0", "https://example.org:65536", "https://example.org:99999",
	"https://example.org:00000000000000000000443x", "https://example.org:", "https:example.org", "//example.org",
}

func TestParse(t *testing.T) {
	for _, good := range []string{
		"https://example.org", "HTTPS://Example.org", "https://example.org.", "https://example.org:1", "https://example.org:65535/a?b#c", "https://[::1]:443", "https://127.0.0.1",
		"https://bücher.example", "https://3com.example", "https://a.0xg", "https://user:word@example.org",
	} {
		t.Run("takes "+good, func(t *testing.T) {
			if u, err := Parse(good, "https"); err != nil || u.Hostname() == "" {
				t.Error(u, err)
			}
		})
	}
	for _, bad := range append(hostless, "", "example.org", "http://example.org", "https://[::1", "https://a b", "https://example.org:port") {
		t.Run("refuses "+bad, func(t *testing.T) {
			if u, err := Parse(bad, "https"); u != nil || !errors.Is(err, ErrUnusable) {
				t.Error(u, err)
			}
		})
	}
}

// FuzzParse holds that what is taken names a host by which it is dialled, and is the same when it is read again.
func FuzzParse(f *testing.F) {
	for _, seed := range append(hostless, "https://example.org:443/a", "https://[fe80::1%25eth0]:8443/x?y") {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := Parse(raw, "https", "http")
		if err != nil {
			return
		}
		again, err := url.Parse(u.String())
		if err != nil || again.Host != u.Host || !HasHost(again) {
			t.Errorf("%q is %q, and read again %q: %v", raw, u, again, err)
		}
	})
}

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
