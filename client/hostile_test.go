package client_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"assay/client"
	"assay/client/assert"
	"assay/client/keys"
	"assay/client/plain/plaintest"
)

// hosts are a service, its storage, and a host that neither has anything to do with; each may be hostile, and keeps what it saw.
type hosts struct {
	api, storage, other *service
}

// below is where the service's interface lies; signed links lie beside it.
const below = basePath + "/api/"

// startHosts has hosts that answer as they should, save where instead answers in their place.
func startHosts(t *testing.T, instead func(h *hosts, host string, rw http.ResponseWriter, r *http.Request) bool) *hosts {
	t.Helper()
	h := new(hosts)
	begin := func(host string, otherwise http.HandlerFunc) *service {
		return serve(t, func(rw http.ResponseWriter, r *http.Request) {
			rw.Header().Set("Set-Cookie", "session=of-"+host+"; Path=/")
			if !instead(h, host, rw, r) {
				otherwise(rw, r)
			}
		})
	}
	stored := answer(http.StatusOK, "stored")
	h.other = begin("other", answer(http.StatusOK, `{"requestId":"r1"}`))
	h.storage = begin("storage", stored)
	h.api = begin("api", func(rw http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, below) {
			stored(rw, r)
			return
		}
		for _, op := range operations {
			if r.Method == op.method && strings.TrimPrefix(r.URL.Path, basePath) == op.path {
				op.succeeds()(rw, r)
				return
			}
		}
		answer(http.StatusOK, "[]")(rw, r)
	})
	return h
}

// useAll does everything that there is to do with a service, whatever comes of it.
func (h *hosts) useAll(t *testing.T) {
	c := connect(t, h.api.URL)
	_ = client.Check(t.Context(), client.Options{BaseURL: h.api.URL + basePath, Key: func() string { return key }})
	for _, op := range operations {
		_ = op.do(t, c)
	}
	for _, host := range []string{h.api.URL, h.storage.URL} {
		link := host + "/inst/id.jpg?sig=" + signature
		_ = c.Put(t.Context(), link, open(t, []byte("bytes")), 5, nil)
		_, _ = c.Artifact(t.Context(), link, 100)
		artifacts := client.NewArtifacts(c, &client.Result{RequestID: "r1", Thumbnail: link}, time.Now())
		_, _ = artifacts.Fetch(t.Context(), client.Thumbnail, 100)
	}
}

func TestWhatHostileHostsReceive(t *testing.T) {
	redirectTo := func(status int, target func(h *hosts, r *http.Request) string) func(*hosts, string, http.ResponseWriter, *http.Request) bool {
		return func(h *hosts, host string, rw http.ResponseWriter, r *http.Request) bool {
			if host == "other" {
				return false
			}
			redirect(status, func() string { return target(h, r) })(rw, r)
			return true
		}
	}
	absolute := func(h *hosts, r *http.Request) string { return h.other.URL + r.URL.Path }
	relative := func(h *hosts, r *http.Request) string { return strings.TrimPrefix(absolute(h, r), "http:") }
	// home leads from everywhere into the interface, where only calls have any business.
	home := func(h *hosts) string { return h.api.URL + below + "media/users/r1" }
	byAnswer := func(h http.HandlerFunc) func(*hosts, string, http.ResponseWriter, *http.Request) bool {
		return func(_ *hosts, _ string, rw http.ResponseWriter, r *http.Request) bool {
			h(rw, r)
			return true
		}
	}
	for _, c := range []struct {
		name    string
		instead func(*hosts, string, http.ResponseWriter, *http.Request) bool
		honest  bool
	}{
		{"all is as it should be", func(*hosts, string, http.ResponseWriter, *http.Request) bool { return false }, true},
		{"302 to another host", redirectTo(302, absolute), false},
		{"303 to another host", redirectTo(303, absolute), false},
		{"307 to another host", redirectTo(307, absolute), false},
		{"308 to another host", redirectTo(308, absolute), false},
		{"302 to another host, without a scheme", redirectTo(302, relative), false},
		{"307 to another host, without a scheme", redirectTo(307, relative), false},
		{"307 from storage into the interface", func(h *hosts, _ string, rw http.ResponseWriter, r *http.Request) bool {
			if strings.HasPrefix(r.URL.Path, below) {
				return false
			}
			redirect(307, func() string { return home(h) })(rw, r)
			return true
		}, false},
		{"pages", byAnswer(answer(200, "<html>Welcome</html>")), false},
		{"denials", byAnswer(answer(403, `{"message":"No."}`)), false},
		{"log-ins", byAnswer(func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			rw.WriteHeader(http.StatusUnauthorized)
		}), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := startHosts(t, c.instead)
			h.useAll(t)
			keyed := 0
			for name, host := range map[string]*service{"service": h.api, "storage": h.storage, "other host": h.other} {
				for _, r := range host.seen() {
					path, query, _ := strings.Cut(r.Target, "?")
					if has := r.Header.Get("X-Api-Key"); has != "" {
						keyed++
						if has != key || host != h.api || !strings.HasPrefix(path, below) {
							t.Errorf("the %s saw the key: %s %s", name, r.Method, r.Target)
						}
					} else if c.honest && host == h.api && strings.HasPrefix(path, below) && !strings.Contains(path, "/pages/0") {
						t.Errorf("a call without the key: %s %s", r.Method, r.Target)
					}
					if strings.Contains(query, signature) && (host == h.other || path != "/inst/id.jpg") {
						t.Errorf("the %s saw the signature: %s %s", name, r.Method, r.Target)
					}
					for _, never := range []string{"Referer", "Cookie", "Authorization", "Proxy-Authorization", "Origin", "From"} {
						if r.Header.Get(never) != "" {
							t.Errorf("the %s saw %s: %s", name, never, r.Header.Get(never))
						}
					}
					r.Header.Del("X-Api-Key")
					if text := fmt.Sprintf("%s %s %v %s", r.Method, path, r.Header, r.Body); strings.Contains(text, key) || strings.Contains(text, signature) {
						t.Errorf("the %s saw a secret: %s", name, text)
					}
				}
			}
			if len(h.api.seen()) == 0 || len(h.storage.seen()) == 0 || c.honest && keyed < len(operations) {
				t.Errorf("little was done: %d calls with the key, %d of the service, %d of storage", keyed, len(h.api.seen()), len(h.storage.seen()))
			}
		})
	}
}

func TestEachServiceHasItsOwnKey(t *testing.T) {
	one, two, three := serve(t, answer(200, `{"requestId":"r1"}`)), serve(t, answer(200, `{"requestId":"r1"}`)), serve(t, answer(200, `{"requestId":"r1"}`))
	ring := keys.OpenRing(keys.RingParams{Environment: "of-the-environment"})
	defer ring.Close()
	named := func(s *service) *client.Client {
		var c *client.Client
		c = connect(t, s.URL, func(o *client.Options) {
			o.KeyRequired, o.Key = true, func() string { return ring.Key(c.Address()) }
		})
		return c
	}
	first, second, third := named(one), named(two), named(three)
	assert.NoError(t, ring.KeepForThisRun(first.Address(), "of-the-first"))
	assert.NoError(t, ring.KeepForThisRun(second.Address(), "of-the-second"))
	ring.GiveEnvironment(first.Address())
	for range 2 { // from one address to another, and back
		for _, c := range []*client.Client{first, second} {
			if _, err := c.Result(t.Context(), "r1"); err != nil {
				t.Error(err)
			}
		}
		_, err := third.Result(t.Context(), "r1")
		wantKind(t, err, client.KindKey)
	}
	for _, c := range []struct {
		at   *service
		want string
	}{{one, "of-the-environment"}, {two, "of-the-second"}} {
		seen := c.at.seen()
		for _, r := range seen {
			assert.Equal(t, c.want, r.Header.Get("X-Api-Key"))
		}
		if len(seen) != 2 {
			t.Errorf("%d requests", len(seen))
		}
	}
	if seen := three.seen(); len(seen) != 0 {
		t.Errorf("the one without a key saw %+v", seen)
	}
}

// asJSON is a text as a string of JSON.
func asJSON(t *testing.T, text string) string {
	t.Helper()
	raw, err := json.Marshal(text)
	assert.NoError(t, err)
	return string(raw)
}

// raw answers with bytes of its own, past Go's server.
func raw(t *testing.T, response string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = c.Write([]byte(response))
		_ = c.Close()
	}
}

// hostileAnswers are the ways in which a service, a proxy or a log-in page can say a text in place of an answer.
func hostileAnswers(t *testing.T, text string) map[string]http.HandlerFunc {
	message := `{"code":` + asJSON(t, text) + `,"message":` + asJSON(t, text) + `}`
	header := strings.Map(func(r rune) rune { // what would end the header is another response
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, text[:min(len(text), 1000)])
	return map[string]http.HandlerFunc{
		"400 with a message":        answer(http.StatusBadRequest, message),
		"401 with a message":        answer(http.StatusUnauthorized, message),
		"403 with a message":        answer(http.StatusForbidden, message),
		"500 with a message":        answer(http.StatusInternalServerError, message),
		"503 with a message":        answer(http.StatusServiceUnavailable, message),
		"400 with a text as error":  answer(http.StatusBadRequest, `{"error":`+asJSON(t, text)+`}`),
		"400 with a message within": answer(http.StatusBadRequest, `{"error":{"response":`+asJSON(t, text)+`}}`),
		"400 with a page":           answer(http.StatusBadRequest, "<html>"+text),
		"200 with a page":           answer(http.StatusOK, "<html>"+text),
		"200 with a text":           answer(http.StatusOK, text),
		"a redirect": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://"+url.PathEscape(text)+".example/")
			w.WriteHeader(http.StatusFound)
		},
		"a redirect as it is":          raw(t, "HTTP/1.1 302 Found\r\nLocation: http://"+header+".example/"+header+"\r\nContent-Length: 0\r\n\r\n"),
		"a status line":                raw(t, "HTTP/1.1 400 "+header+"\r\nContent-Length: 0\r\n\r\n"),
		"no status line":               raw(t, header+"\r\n\r\n"),
		"a header that is none":        raw(t, "HTTP/1.1 200 OK\r\n"+header+"\r\n\r\n"),
		"a length that is none":        raw(t, "HTTP/1.1 200 OK\r\nContent-Length: "+header+"\r\n\r\n"),
		"a transfer that is none":      raw(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: "+header+"\r\n\r\n"),
		"a time to wait that is none":  raw(t, "HTTP/1.1 503 Busy\r\nRetry-After: "+header+"\r\nContent-Length: 0\r\n\r\n"),
		"a chunk that is none":         raw(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"+header+"\r\n\r\n"),
		"a type of content that's odd": raw(t, "HTTP/1.1 400 Bad\r\nContent-Type: "+header+"\r\nContent-Length: 0\r\n\r\n"),
	}
}

// wantOneLine holds what a person, a log and a script get of an error to one line each, of bounded length.
func wantOneLine(t *testing.T, err error) {
	t.Helper()
	var e *client.Error
	if !errors.As(err, &e) {
		t.Fatalf("%T: %v", err, err)
	}
	for _, said := range []string{e.Sentence(), e.Message.String(), e.Hint.String(), fmt.Sprint(e.Code)} {
		plaintest.OneLine(t, said)
		if n := utf8.RuneCountInString(said); n > 700 {
			t.Errorf("%d characters are said", n)
		}
	}
	plaintest.OneLine(t, e.Error())
}

func TestNoErrorSaysMoreThanALine(t *testing.T) {
	if testing.Short() {
		t.Skip("it is about words, and starts nothing that other tests do not")
	}
	for _, text := range plaintest.Hostile() {
		for how, hostile := range hostileAnswers(t, text) {
			t.Run(fmt.Sprintf("%s: %.20q", how, text), func(t *testing.T) {
				s := serve(t, hostile)
				for _, op := range operations {
					if err := op.do(t, connect(t, s.URL)); err != nil {
						wantOneLine(t, err)
					}
				}
				if err := client.Check(t.Context(), client.Options{BaseURL: s.URL + basePath, Key: func() string { return key }}); err != nil {
					wantOneLine(t, err)
				}
				link := s.URL + "/inst/id.jpg?sig=" + signature
				c := connect(t, s.URL)
				if err := c.Put(t.Context(), link, open(t, []byte("bytes")), 5, nil); err != nil {
					wantOneLine(t, err)
				}
				if _, err := c.Artifact(t.Context(), link, 100); err != nil {
					wantOneLine(t, err)
				}
			})
		}
		t.Run(fmt.Sprintf("storage's XML: %.20q", text), func(t *testing.T) {
			var escaped strings.Builder
			assert.NoError(t, xml.EscapeText(&escaped, []byte(text)))
			for _, code := range []string{"EntityTooLarge", escaped.String()} {
				s := serve(t, answer(http.StatusBadRequest, "<Error><Code>"+code+"</Code><Message>"+escaped.String()+"</Message></Error>"))
				err := connect(t, s.URL).Put(t.Context(), s.URL+"/x?sig="+signature, open(t, []byte("bytes")), 5, nil)
				wantOneLine(t, err)
			}
		})
		t.Run(fmt.Sprintf("what is said of a link: %.20q", text), func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, `{"requestId":"r1","response":`+asJSON(t, text)+`}`))
			got, err := connect(t, s.URL).SubmitLink(t.Context(), "https://youtu.be/1")
			if err != nil || utf8.RuneCountInString(got.Message) > 500 {
				t.Fatal(len(got.Message), err)
			}
			plaintest.OneLine(t, got.Message)
		})
	}
}

func TestAKeyThatIsEchoedAmidHiddenCharactersIsLeftOut(t *testing.T) {
	for _, padding := range []int{0, 480, 490, 495} { // it may stand where the message is cut
		body := `{"message":` + asJSON(t, strings.Repeat("x", padding)+"\x1b"+key+"\u202e") + `}`
		s := serve(t, answer(http.StatusBadRequest, body))
		for _, op := range operations {
			if err := op.do(t, connect(t, s.URL)); err == nil || strings.Contains(err.Error(), key[:5]) {
				t.Errorf("%s: %v", op.name, err)
			}
		}
	}
}
