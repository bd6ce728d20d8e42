package client_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
)

// fault is one way in which a request fails.
type fault struct {
	name string
	// server starts what fails and returns its address.
	server func(t *testing.T) string
	change func(*client.Options)
	// spares names what does not fail by it.
	spares string
}

func byHandler(h http.HandlerFunc) func(*testing.T) string {
	return func(t *testing.T) string {
		s := newService(t, nil)
		s.Config.Handler = h
		s.Start()
		return s.URL
	}
}

// byBytes answers with these bytes, whatever was asked.
func byBytes(text func(r *http.Request) string) func(*testing.T) string {
	return byHandler(func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = io.WriteString(conn, text(r))
		_ = conn.Close()
	})
}

// echo is everything that a request gave away, for answers that quote it.
func echo(r *http.Request) string {
	return r.Header.Get("x-api-key") + " " + r.URL.RawQuery + " " + r.URL.Query().Get("sig")
}

func quoted(r *http.Request) string {
	text, err := json.Marshal(echo(r))
	if err != nil {
		panic(err)
	}
	return string(text)
}

func echoing(status int) func(*testing.T) string {
	return byHandler(func(w http.ResponseWriter, r *http.Request) {
		answer(status, `{"code":`+quoted(r)+`,"message":`+quoted(r)+`}`)(w, r)
	})
}

// quiet is for servers whose complaints are expected.
var quiet = log.New(io.Discard, "", 0)

var faults = []fault{
	{name: "refused", server: func(t *testing.T) string {
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		assert.NoError(t, err)
		defer listener.Close() //nolint:errcheck // now nothing listens there
		return "http://" + listener.Addr().String()
	}},
	{name: "name not found", server: func(*testing.T) string { return "https://api.example" }, change: func(o *client.Options) {
		o.DialWith((&net.Dialer{Resolver: &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, errors.New("no network")
		}}}).DialContext)
	}},
	{name: "reset", server: byBytes(func(*http.Request) string { return "" })},
	{name: "stalled", server: byHandler(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then is the end of the connection noticed
		<-r.Context().Done()
	}), change: func(o *client.Options) {
		o.CallTimeout, o.StallTimeout, o.AnswerTimeout = 50*time.Millisecond, 50*time.Millisecond, 50*time.Millisecond
	}},
	{name: "no certificate that is trusted", server: func(t *testing.T) string {
		s := newService(t, answer(http.StatusOK, ""))
		s.Config.ErrorLog = quiet
		s.StartTLS()
		return s.URL
	}},
	{name: "no TLS there", server: func(t *testing.T) string {
		s := serve(t, answer(http.StatusOK, ""))
		return strings.Replace(s.URL, "http:", "https:", 1)
	}, change: func(o *client.Options) { o.TLS = &tls.Config{MinVersion: tls.VersionTLS12} }},
	{name: "not HTTP, and an echo", server: byBytes(func(r *http.Request) string { return "SSH-2.0 " + echo(r) + "\r\n\r\n" })},
	{name: "a broken header, and an echo", server: byBytes(func(r *http.Request) string { return "HTTP/1.1 200 OK\r\n" + echo(r) + "\r\n\r\n" })},
	{name: "an unusable redirect, and an echo", server: byBytes(func(r *http.Request) string {
		return "HTTP/1.1 307 Moved\r\nLocation: http://[" + echo(r) + "\r\nContent-Length: 0\r\n\r\n"
	})},
	{name: "redirected", server: byHandler(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "http://elsewhere.example/?"+r.URL.RawQuery)
		w.WriteHeader(http.StatusTemporaryRedirect)
	})},
	{name: "cut off", spares: "Put", server: byBytes(func(*http.Request) string { return "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{" })},
	{name: "a broken chunk, and an echo", server: byBytes(func(r *http.Request) string {
		return "HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n" + echo(r)
	})},
	{name: "a page", server: byHandler(answer(http.StatusForbidden, "<html>No.</html>"))},
	{name: "denied, and an echo", server: echoing(http.StatusForbidden)},
	{name: "bad request, and an echo", server: echoing(http.StatusBadRequest)},
	{name: "not found, and an echo", server: echoing(http.StatusNotFound)},
	{name: "busy, and an echo", server: echoing(http.StatusTooManyRequests)},
	{name: "broken, and an echo", server: echoing(http.StatusInternalServerError)},
	{name: "an echo in an object, cut in the middle of the secret", server: byHandler(func(w http.ResponseWriter, r *http.Request) {
		padding := strings.Repeat("x", 490)
		body := map[string]any{"error": map[string]string{"message": padding + r.Header.Get("x-api-key") + r.URL.Query().Get("sig")}}
		text, err := json.Marshal(body)
		if err != nil {
			panic(err)
		}
		answer(http.StatusNotFound, string(text))(w, r)
	})},
}

func TestSecrets(t *testing.T) {
	for _, f := range faults {
		for _, op := range slices.Concat(operations, transfers("", "X-Expires=900&sig="+signature+"%3D%3D"), transfers(" by a bare query", signature)) {
			if f.spares != "" && strings.HasPrefix(op.name, f.spares) {
				continue
			}
			t.Run(f.name+": "+op.name+" shows neither the key nor a signature", func(t *testing.T) {
				var changes []func(*client.Options)
				if f.change != nil {
					changes = append(changes, f.change)
				}
				c := connect(t, f.server(t), changes...)
				err := op.do(t, c)
				e := failure(t, err)
				for text := range textsOf(err) {
					// its beginning is enough to give it away; where the file lies is nobody's business either
					for _, secret := range []string{key[:8], signature[:10], "inst/id"} {
						if strings.Contains(text, secret) {
							t.Errorf("%q is in %q", secret, text)
						}
					}
				}
				if e.Message.IsZero() || e.Op == "" || e.Kind == "" {
					t.Errorf("it says nothing: %+v", e)
				}
			})
		}
	}
}

// transfers are the two that go to a signed URL, here one on the API's own host.
func transfers(how, query string) []operation {
	signed := func(c *client.Client) string {
		return strings.TrimSuffix(c.Address(), basePath) + "/inst/id.jpg?" + query
	}
	return []operation{
		{name: "Put" + how, do: func(t *testing.T, c *client.Client) error {
			return c.Put(t.Context(), signed(c), open(t, []byte("bytes")), 5, nil)
		}},
		{name: "Artifact" + how, do: func(t *testing.T, c *client.Client) error {
			_, err := c.Artifact(t.Context(), signed(c), 100)
			return err
		}},
	}
}

// textsOf yields every text under which an error may reach a log or the screen.
func textsOf(err error) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		var e *client.Error
		if errors.As(err, &e) && (!yield(e.Sentence()) || !yield(e.Code.String())) {
			return
		}
		for ; err != nil; err = errors.Unwrap(err) {
			for _, format := range []string{"%v", "%+v", "%#v", "%q"} {
				if !yield(fmt.Sprintf(format, err)) {
					return
				}
			}
		}
	}
}

func TestShareable(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a signed address loses its query", `{"thumbnail":"https://s.example/a/b.jpg?X-Sig=abc&e=900"}`, `{"thumbnail":"https://s.example/a/b.jpg?…"}`},
		{"however it is escaped", `{"thumbnail":"https:\/\/s.example\/a\u003fX-Sig=abc"}`, `{"thumbnail":"https://s.example/a?…"}`},
		{"in a map of heatmaps", `{"heatmaps":{"oak":"http://127.0.0.1:1/h.png?s=1"}}`, `{"heatmaps":{"oak":"http://127.0.0.1:1/h.png?…"}}`},
		{"within a sentence", `["see https://s.example/x?sig=1 now"]`, `["see https://s.example/x?… now"]`},
		{"one that can't be read", `["https://s.example/%zz?sig=1"]`, `["https://s.example/%zz?…"]`},
		{"a name and password", `["https://me:secret@s.example/x"]`, `["https://s.example/x?…"]`},
		{"behind what looks like one", `["http/https://s.example/x?sig=1"]`, `["http/https://s.example/x?…"]`},
		{"as a name", `{"https://s.example/x?sig=1":1}`, `{"https://s.example/x?…":1}`},
		{"the person's own link stays", `{"socialLink":"https://v.example/watch?v=9"}`, `{"socialLink":"https://v.example/watch?v=9"}`},
		{"all else stays byte for byte", "{ \"n\" : 1.50e2,\n\t\"s\":\"a \\u00e9 \\\" ?\" , \"u\":\"https://s.example/plain\" }", "{ \"n\" : 1.50e2,\n\t\"s\":\"a \\u00e9 \\\" ?\" , \"u\":\"https://s.example/plain\" }"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, string(client.Shareable([]byte(c.in))))
		})
	}
	if client.Shareable([]byte(`{"a":"https://s.example/x?sig=1`)) != nil {
		t.Error("what is no JSON was let through")
	}
}

func FuzzShareable(f *testing.F) {
	f.Add([]byte(`{"a":"https://s.example/x?sig=1","b":[1,null,"\\\"?"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got := client.Shareable(data)
		if !json.Valid(data) {
			return
		}
		if !json.Valid(got) {
			t.Fatalf("%q became %q", data, got)
		}
		if again := client.Shareable(got); !strings.Contains(string(got), "http") && string(again) != string(got) {
			t.Fatalf("%q is not at rest: %q", got, again)
		}
	})
}
