package keys_test

import (
	"errors"
	"testing"

	"assay/client/keys"
)

func TestAProxysPassword(t *testing.T) {
	f := newFake()
	const proxy, given = "http://anna@proxy.example:3128", " päss word\t" + "!"
	t.Run("is kept by host and port alone, and never told to a service", func(t *testing.T) {
		r := openRing(t, f, secret)
		password := " päss: word! " //nolint:gosec // a test's own
		if err := r.SetProxyPassword(t.Context(), proxy, password+"\r\n"); err != nil {
			t.Fatal(err)
		}
		if got := f.kept["Assay proxy proxy.example:3128"]; got != password || len(f.kept) != 1 {
			t.Errorf("kept: %q", f.kept)
		}
		later := openRing(t, f, "")
		if err := later.LoadProxyPassword(t.Context(), "http://PROXY.example:3128"); err != nil {
			t.Fatal(err)
		}
		for proxy, want := range map[string]string{
			"http://proxy.example:3128": password, "socks5://berta@proxy.example:3128/": password,
			"http://proxy.example": "", "http://proxy.example:8080": "", "http://other.example:3128": "", "": "",
		} {
			if got := later.ProxyPassword(proxy); got != want {
				t.Errorf("%q has %q, want %q", proxy, got, want)
			}
		}
		for _, service := range []string{"http://proxy.example:3128", "https://proxy.example:3128", "proxy proxy.example:3128x", "proxy.example:3128"} {
			if got := later.Key(service); got != "" {
				t.Errorf("as the key of %s: %q", service, got)
			}
		}
		if is := later.ProxyStatus(proxy); is != (keys.Status{Where: keys.InKeychain}) {
			t.Errorf("%+v", is)
		}
		if err := later.ClearProxyPassword(t.Context(), proxy); err != nil || len(f.kept) != 0 || later.ProxyPassword(proxy) != "" {
			t.Errorf("%v, %v", err, f.kept)
		}
	})
	t.Run("ports that go without saying are those of the kind of proxy", func(t *testing.T) {
		for proxy, account := range map[string]string{"http://p.example": "p.example:80", "https://p.example": "p.example:443", "socks5://p.example": "p.example:1080", "socks5h://[::1]": "::1:1080"} {
			f := newFake()
			if err := openRing(t, f, "").SetProxyPassword(t.Context(), proxy, "x"); err != nil || f.kept["Assay proxy "+account] != "x" {
				t.Errorf("%s: %v, kept %v", proxy, err, f.kept)
			}
		}
	})
	t.Run("serves for this run where there is no keychain", func(t *testing.T) {
		f := newFake()
		f.err = &keys.Problem{Cause: keys.Absent}
		r := openRing(t, f, "")
		if err := r.SetProxyPassword(t.Context(), proxy, "x"); !keys.IsProblem(err, keys.Absent) {
			t.Errorf("set: %v", err)
		}
		if err := r.KeepProxyPasswordForThisRun(proxy, "x"); err != nil || r.ProxyPassword(proxy) != "x" || r.ProxyStatus(proxy).Where != keys.ForThisRun {
			t.Errorf("%v, %+v", err, r.ProxyStatus(proxy))
		}
	})
	t.Run("that can't be sent is refused without repeating it", func(t *testing.T) {
		r := openRing(t, newFake(), "")
		for _, password := range []string{"", "\n", given} {
			var u *keys.Unusable
			if err := r.SetProxyPassword(t.Context(), proxy, password); !errors.As(err, &u) {
				t.Errorf("set %q: %v", password, err)
			}
			if err := r.KeepProxyPasswordForThisRun(proxy, password); !errors.As(err, &u) {
				t.Errorf("keep %q: %v", password, err)
			}
		}
	})
}
