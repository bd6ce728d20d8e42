package session

import (
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/client/assert"
)

func TestDataFolder(t *testing.T) {
	home := filepath.Join("some", "home")
	long := "https://" + strings.Repeat("very-long.", 20) + "example"
	for _, c := range []struct{ name, address, pattern string }{
		{"a service is named by its scheme and host", "https://api.example.org", `https\+api\.example\.org`},
		{"and by its port, where it has one of its own", "http://127.0.0.1:8080", `http\+127\.0\.0\.1\+8080`},
		{"a path adds a hash", "https://api.example.org/v1/eu", `https\+api\.example\.org\+v1\+eu\+[0-9a-f]{16}`},
		{"so does what no file system keeps", "http://[::1]:8080", `http\+--1\+8080\+[0-9a-f]{16}`},
		{"a dot at the end is not kept by Windows", "https://api.example.org.", `https\+api\.example\.org\+[0-9a-f]{16}`},
		{"a long host is cut", long, `https\+very-long[a-z.-]+\+[0-9a-f]{16}`},
		{"a name that Windows reserves is none with its scheme before it", "https://con", `https\+con`},
		{"nor is the sandbox's own", "https://sandbox", `https\+sandbox`},
		{"dots are no way out", "https://api.example.org/../../..", `https\+api\.example\.org\+\+\+\+[0-9a-f]{16}`},
		{"what is no address shows nothing", "user:secret@host/path", `service\+[0-9a-f]{16}`},
		{"nor does nothing", "", `service\+[0-9a-f]{16}`},
		{"a password is not shown", "https://user:secret@api.example.org", `https\+api\.example\.org`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := DataFolder(home, c.address, false)
			if filepath.Dir(got) != home || !regexp.MustCompile("^"+c.pattern+"$").MatchString(filepath.Base(got)) {
				t.Errorf("got %s, want %s", got, c.pattern)
			}
		})
	}
	t.Run("the embedded sandbox has its own, whatever its address", func(t *testing.T) {
		assert.Equal(t, filepath.Join(home, "sandbox"), DataFolder(home, "http://127.0.0.1:41234", true))
	})
	t.Run("every difference in scheme, host, port or path is another folder", func(t *testing.T) {
		seen := map[string]string{}
		for _, address := range []string{
			"https://a.example", "http://a.example", "https://a.example:8443", "http://a.example:8443", "https://b.example", "https://a.example.",
			"https://a.example/v1", "https://a.example/V1", "https://a.example/v1/x", "https://a.example/v1-x", "https://a.example/v1+x",
			"https://a.example/v1%2Fx", "https://a.example/8443", "https://a-example", "https://a_example", "https://a.example/v1?x", "https://a.example/v1%3Fx",
			"https://sandbox", "https://con", "sandbox", "", long, long + ".net", "https://a.example:0000000000008443",
			"https://a.example/ä", "https://a.example/ö", "https://[::1]", "https://[::2]",
		} {
			got := serviceFolder(address)
			if other, taken := seen[got]; taken {
				t.Errorf("%s and %s are both in %s", other, address, got)
			}
			seen[got] = address
		}
	})
	t.Run("what is the same service is in the same folder", func(t *testing.T) {
		for _, pair := range [][2]string{
			{"https://a.example", "https://A.Example"},
			{"https://a.example", "https://a.example/"},
			{"https://a.example", "https://a.example:443"},
			{"http://a.example", "http://a.example:80"},
			{"https://a.example/v1", "https://a.example/v1/"},
			{"HTTPS://a.example", " https://a.example\n"},
		} {
			if a, b := serviceFolder(pair[0]), serviceFolder(pair[1]); a != b {
				t.Errorf("%q is in %s and %q in %s", pair[0], a, pair[1], b)
			}
		}
	})
}

// safeName is what every file system keeps as it is.
var safeName = regexp.MustCompile(`^[a-z0-9][a-z0-9.+-]*\+[a-z0-9.+-]*[a-z0-9-]$`)

func FuzzServiceFolder(f *testing.F) {
	for _, pair := range [][2]string{
		{"https://api.example.org", "http://api.example.org"},
		{"https://a/b", "https://a/B"},
		{"https://a:8443", "https://a/8443"},
		{"https://A.example/", "https://a.example:443"},
		{"nul", "https://nul.txt/../x"},
		{"//host", "https://"},
		{"https://a/%2e%2e", "https://a/.."},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, one, other string) {
		a, b := serviceFolder(one), serviceFolder(other)
		if !safeName.MatchString(a) || len(a) > maxReadable+17 {
			t.Errorf("%q is in %q", one, a)
		}
		if a == b && identity(one) != identity(other) {
			t.Errorf("%q and %q are both in %s", one, other, a)
		}
	})
}

// identity tells services apart, in another way than folders' names do: by the parts that a request is made of.
func identity(address string) [6]string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme == "" || u.Host == "" {
		return [6]string{address}
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return [6]string{u.Scheme, strings.ToLower(u.Hostname()), port, strings.TrimRight(u.EscapedPath(), "/"), u.RawQuery, u.Fragment}
}
