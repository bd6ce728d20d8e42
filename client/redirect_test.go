package client_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
)

// redirect answers with a redirect to wherever to() says by then.
func redirect(status int, to func() string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", to())
		w.WriteHeader(status)
	}
}

func TestRedirects(t *testing.T) {
	for _, op := range operations {
		for _, status := range []int{301, 302, 303, 307, 308} {
			t.Run("a call is not redirected to another origin, which sees nothing: "+op.name+" "+http.StatusText(status), func(t *testing.T) {
				other := serve(t, op.succeeds())
				s := serve(t, redirect(status, func() string { return other.URL + "/login" }))
				err := op.do(t, connect(t, s.URL))
				wantKind(t, err, client.KindAnswer)
				if failure(t, err).Temporary() {
					t.Error("it is tried again")
				}
				if seen := other.seen(); len(seen) != 0 {
					t.Errorf("the other origin saw %+v", seen)
				}
			})
		}
	}

	t.Run("the other host is named, so that the person can judge", func(t *testing.T) {
		s := serve(t, redirect(http.StatusFound, func() string { return "https://login.cafe.example/welcome" }))
		_, err := connect(t, s.URL).Result(t.Context(), "r1")
		if e := failure(t, err); !strings.Contains(e.Message.String(), "login.cafe.example") || e.Hint.IsZero() {
			t.Errorf("it says %q", e.Sentence())
		}
	})

	for _, to := range []string{"file:///etc/passwd", "mailto:desk@example.org", "https:///path"} {
		t.Run("what names no host is said without one: "+to, func(t *testing.T) {
			s := serve(t, redirect(http.StatusFound, func() string { return to }))
			_, err := connect(t, s.URL).Result(t.Context(), "r1")
			wantKind(t, err, client.KindAnswer)
			if e := failure(t, err); !strings.Contains(e.Message.String(), "not a web address") {
				t.Errorf("it says %q", e.Sentence())
			}
		})
	}

	for _, to := range []string{"https://:443/copy.png", "https://0.0.0.0/copy.png", "https://s.example:99999/copy.png"} {
		t.Run("an artifact is not followed to an address that would be this computer's, or can't be: "+to, func(t *testing.T) {
			dialled := false
			s := serve(t, redirect(http.StatusTemporaryRedirect, func() string { return to }))
			c := connect(t, s.URL, func(o *client.Options) {
				o.Proxy = func(r *http.Request) (*url.URL, error) {
					dialled = dialled || "https://"+r.URL.Host == to[:strings.LastIndex(to, "/")]
					return nil, nil
				}
			})
			if _, err := c.Artifact(t.Context(), s.URL+"/heat.png", 100); err == nil || dialled {
				t.Errorf("%v, dialled %v", err, dialled)
			}
		})
	}

	t.Run("within the origin a read is followed, with the key and without a Referer", func(t *testing.T) {
		moved := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/new/") {
				answer(http.StatusOK, `{"requestId":"r1"}`)(w, r)
				return
			}
			w.Header().Set("Location", "/new"+r.URL.Path)
			w.WriteHeader(http.StatusMovedPermanently)
		})
		r, err := connect(t, moved.URL).Result(t.Context(), "r1")
		if err != nil || r.RequestID != "r1" {
			t.Fatal(r, err)
		}
		seen := moved.seen()
		if last := seen[len(seen)-1]; len(seen) != 2 || last.Header.Get("x-api-key") != key || last.Header.Get("Referer") != "" {
			t.Errorf("saw %+v", seen)
		}
	})

	t.Run("a redirect that would turn a submission into a read is not followed", func(t *testing.T) {
		s := serve(t, redirect(http.StatusFound, func() string { return "/odd/base/welcome" }))
		_, err := connect(t, s.URL).RequestUpload(t.Context(), "a.jpg")
		wantKind(t, err, client.KindAnswer)
		assert.Equal(t, 1, len(s.seen()))
	})

	t.Run("redirects in a circle end", func(t *testing.T) {
		s := serve(t, redirect(http.StatusFound, func() string { return "/odd/base/again" }))
		if _, err := connect(t, s.URL).Result(t.Context(), "r1"); err == nil {
			t.Error("no error")
		}
		if got := len(s.seen()); got > 10 {
			t.Errorf("%d requests", got)
		}
	})

	for _, status := range []int{301, 302, 303, 307, 308} {
		t.Run("an upload that is redirected is not taken for done: "+http.StatusText(status), func(t *testing.T) {
			portal := serve(t, answer(http.StatusOK, "<html>Welcome</html>"))
			s := serve(t, redirect(status, func() string { return portal.URL + "/login" }))
			err := connect(t, s.URL).Put(t.Context(), s.URL+"/x?sig="+signature, open(t, []byte("bytes")), 5, nil)
			wantKind(t, err, client.KindAnswer)
			if seen := portal.seen(); len(seen) != 0 {
				t.Errorf("the other host saw %+v", seen)
			}
		})
	}

	t.Run("A5 an artifact is followed to another origin, with neither key nor Referer", func(t *testing.T) {
		other := serve(t, answer(http.StatusOK, "picture"))
		s := serve(t, redirect(http.StatusTemporaryRedirect, func() string { return other.URL + "/copy.png?part=1" }))
		body, err := connect(t, s.URL).Artifact(t.Context(), s.URL+"/heat.png?sig="+signature, 100)
		if err != nil || string(body) != "picture" {
			t.Fatalf("got %q, %v", body, err)
		}
		for _, r := range append(s.seen(), other.seen()...) {
			if r.Header.Get("x-api-key") != "" || r.Header.Get("Referer") != "" || r.Header.Get("Cookie") != "" {
				t.Errorf("%s saw %v", r.Host, r.Header)
			}
		}
		if strings.Contains(other.only(t).Target, signature) {
			t.Error("the other origin saw the signature")
		}
	})

	t.Run("A5 an artifact is not followed to an unencrypted address", func(t *testing.T) {
		s := serve(t, redirect(http.StatusFound, func() string { return "http://elsewhere.example/copy.png" }))
		_, err := connect(t, s.URL).Artifact(t.Context(), s.URL+"/heat.png", 100)
		if e := failure(t, err); !strings.Contains(e.Error(), "unencrypted") {
			t.Errorf("got %v", e)
		}
	})
}
