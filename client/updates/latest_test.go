package updates

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
)

func TestHostileAnswers(t *testing.T) {
	f := setup(t)
	other := newHost(t, "9.9.9")
	says := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { write(w, text) }
	}
	version := func(v string) http.HandlerFunc { return says(latestJSON(v, f.host.page("hostile"))) }
	page := func(p string) http.HandlerFunc { return says(latestJSON("9.9.9", p)) }
	to := func(where string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, where, http.StatusFound) }
	}
	for name, answer := range map[string]http.HandlerFunc{
		"a body without end": func(w http.ResponseWriter, r *http.Request) {
			write(w, `{"version": "9.9.9", "page": "`+f.host.page("hostile")+`", "x": "`)
			for r.Context().Err() == nil {
				write(w, strings.Repeat("hostile ", 1000))
			}
		},
		"a body that stops": func(w http.ResponseWriter, r *http.Request) {
			write(w, `{"version": "9.9.9", `)
			_ = http.NewResponseController(w).Flush() // if it fails, nothing arrives
			<-r.Context().Done()
		},
		"nothing at all":             func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"a network's log-in page":    says("<html>hostile</html>"),
		"an empty body":              says(""),
		"null":                       says("null"),
		"a list":                     says(`[{"version": "9.9.9"}]`),
		"a number":                   says(`{"version": 9.9, "page": "` + f.host.page("hostile") + `"}`),
		"more than one":              says(latestJSON("9.9.9", f.host.page("hostile")) + latestJSON("9.9.9", f.host.page("hostile"))),
		"no version":                 version(""),
		"a line break in it":         version("9.9.9\n"),
		"a blank before it":          version(" 9.9.9"),
		"words after it":             version("9.9.9 hostile"),
		"a v before it":              version("v9.9.9"),
		"two numbers":                version("9.9"),
		"four numbers":               version("9.9.9.9"),
		"leading zeros":              version("09.9.9"),
		"a pre-release":              version("9.9.9-hostile"),
		"a build":                    version("9.9.9+hostile"),
		"a number of twenty digits":  version("99999999999999999999.9.9"),
		"other digits":               version("９.９.９"),
		"no page":                    page(""),
		"a page on another host":     page(other.page("hostile")),
		"a page on another port":     page("https://127.0.0.1/hostile"),
		"a page that names the host": page("https://" + f.host.server.Listener.Addr().String() + "@evil.example/hostile"),
		"a page with a password":     page(strings.Replace(f.host.page("hostile"), "https://", "https://me:secret@", 1)),
		"a page without encryption":  page(strings.Replace(f.host.page("hostile"), "https://", "http://", 1)),
		"a file":                     page("file:///etc/hostile"),
		"a script":                   page("javascript:hostile()"),
		"a command":                  page(f.host.page("`hostile`")),
		"a page with a line break":   page(f.host.page("hostile\nhostile")),
		"an endless page":            page(f.host.page(strings.Repeat("hostile", 100))),
		"not found":                  func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "hostile", http.StatusNotFound) },
		"no content":                 func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"to another host":            to(other.address),
		"to no encryption":           to(strings.Replace(f.host.address, "https://", "http://", 1)),
		"to another scheme":          to("file:///etc/hostile"),
		"in a loop":                  to("/latest.json"),
	} {
		t.Run(name, func(t *testing.T) {
			f.host.answers(answer)
			f.host.requests()
			c := f.start(func(p *Params) {
				if name == "a body that stops" || name == "nothing at all" {
					p.patience = 300 * time.Millisecond
				}
			})
			latest, newer, err := c.Ask(t.Context())
			if err == nil || newer || latest != (Latest{}) {
				t.Fatalf("%+v, %v", latest, err)
			}
			said := client.LatestUnusable(nil).Message.String() + " Assay could not find out whether there is a newer version. Check the network connection."
			if sentence := err.(interface{ Sentence() string }).Sentence(); sentence == "" || !strings.Contains(said, sentence) {
				t.Errorf("it says %q", sentence)
			}
			if text := err.Error() + f.log.String(); strings.Contains(text, "hostile") || strings.Contains(text, "secret") {
				t.Errorf("it is quoted: %s", text)
			}
			if latest, ok := c.Newer(); ok {
				t.Errorf("%+v is shown", latest)
			}
			if n := len(f.host.requests()); n != 1 {
				t.Errorf("%d connections", n)
			}
			assert.Equal(t, 0, len(other.requests()))
		})
	}
	for name, answer := range map[string]http.HandlerFunc{
		"fields that this version does not know": says(`{"version": "0.2.0", "page": "` + f.host.page("0.2.0") + `", "files": ["setup.exe"], "run": true}`),
		"another path of the same host": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/latest.json" {
				http.Redirect(w, r, "/v2/latest.json", http.StatusMovedPermanently)
				return
			}
			if r.Header.Get("Referer") != "" || r.Header.Get("Cookie") != "" {
				t.Errorf("sent with %v", r.Header)
			}
			write(w, latestJSON("0.2.0", f.host.page("0.2.0")))
		},
	} {
		t.Run("taken: "+name, func(t *testing.T) {
			f.host.answers(answer)
			latest, newer, err := f.start().Ask(t.Context())
			if err != nil || !newer || latest != (Latest{Version: "0.2.0", Page: f.host.page("0.2.0")}) {
				t.Errorf("%+v, %v", latest, err)
			}
		})
	}
}

func TestOnlyAnEncryptedAddressIsAsked(t *testing.T) {
	f := setup(t)
	for _, bad := range []string{"", "http://127.0.0.1/latest.json", "updates.example", "file:///latest.json", "https://"} {
		if c, err := New(Params{Address: bad, Config: f.config, Log: nil}); err == nil || c != nil {
			t.Errorf("%q is asked", bad)
		}
	}
}

// FuzzLatest holds that whatever a host answers, what is taken of it is a version of three numbers and a page on that host.
func FuzzLatest(f *testing.F) {
	host, err := url.Parse("https://updates.example/latest.json")
	assert.NoError(f, err)
	for _, seed := range []string{latestJSON("0.2.0", "https://updates.example/new"), latestJSON("9.9.9\n", "https://updates.example@evil.example"), "null", "[]", ""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		latest, err := Parse(content, host)
		if err != nil {
			if latest != (Latest{}) {
				t.Errorf("%+v with %v", latest, err)
			}
			return
		}
		page, err := url.Parse(latest.Page)
		if err != nil || page.Scheme != "https" || !strings.EqualFold(page.Hostname(), "updates.example") || strings.Count(latest.Version, ".") != 2 ||
			strings.Trim(latest.Version, "0123456789.") != "" {
			t.Errorf("%+v is taken", latest)
		}
	})
}
