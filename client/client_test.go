package client_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
)

// operation is one call under the base URL.
type operation struct {
	name, method, path string
	answer             string // what makes it succeed
	do                 func(*testing.T, *client.Client) error
	status             int  // with that answer; 0: 200
	once               bool // it must not be done twice
}

// succeeds is a service that lets it succeed.
func (op operation) succeeds() http.HandlerFunc {
	return answer(max(op.status, http.StatusOK), op.answer)
}

var operations = []operation{
	{name: "RequestUpload", method: http.MethodPost, path: "/api/files/cloud-presigned", answer: `{"response":{"signedUrl":"https://s.example/x"}}`,
		do: func(t *testing.T, c *client.Client) error {
			_, err := c.RequestUpload(t.Context(), "photo.jpg")
			return err
		}},
	{name: "SubmitLink", method: http.MethodPost, path: "/api/files/social", answer: `{"requestId":"r1"}`, once: true,
		do: func(t *testing.T, c *client.Client) error {
			_, err := c.SubmitLink(t.Context(), "https://youtu.be/1")
			return err
		}},
	{name: "Result", method: http.MethodGet, path: "/api/media/users/r1", answer: `{"requestId":"r1"}`,
		do: func(t *testing.T, c *client.Client) error {
			_, err := c.Result(t.Context(), "r1")
			return err
		}},
	{name: "List", method: http.MethodGet, path: "/api/v2/media/users", answer: `[]`,
		do: func(t *testing.T, c *client.Client) error {
			_, err := c.List(t.Context(), client.ListQuery{})
			return err
		}},
	{name: "Results", method: http.MethodGet, path: "/api/v2/media/users/pages/0", answer: `{"mediaList":[],"totalItems":0}`,
		do: func(t *testing.T, c *client.Client) error {
			for _, err := range c.Results(t.Context(), client.ListQuery{}) {
				return err
			}
			return nil
		}},
	{name: "SendFeedback", method: http.MethodPost, path: "/api/v2/user-feedback", answer: `{}`, status: http.StatusCreated, once: true,
		do: func(t *testing.T, c *client.Client) error {
			_, err := c.SendFeedback(t.Context(), client.Feedback{RequestID: "r1", Label: client.LabelReal, Category: client.FalsePositive})
			return err
		}},
}

func TestCalls(t *testing.T) {
	for _, op := range operations {
		t.Run("K1 the call carries the key: "+op.name, func(t *testing.T) {
			s := serve(t, op.succeeds())
			assert.NoError(t, op.do(t, connect(t, s.URL)))
			assert.Equal(t, []string{key}, s.only(t).Header.Values("x-api-key"))
		})
		t.Run("K6 the call has the path and method of its operation: "+op.name, func(t *testing.T) {
			s := serve(t, op.succeeds())
			assert.NoError(t, op.do(t, connect(t, s.URL)))
			got := s.only(t)
			path, _, _ := strings.Cut(got.Target, "?")
			if got.Method != op.method || path != basePath+op.path {
				t.Errorf("saw %s %s, want %s %s", got.Method, path, op.method, basePath+op.path)
			}
		})
	}

	t.Run("K1 a key that is replaced serves from the next call on", func(t *testing.T) {
		var calls atomic.Int32
		s := serve(t, answer(http.StatusOK, `{"requestId":"r1"}`))
		c := connect(t, s.URL, func(o *client.Options) {
			o.Key = func() string { return []string{"first-key", " second-key\n"}[calls.Add(1)-1] }
		})
		for range 2 {
			if _, err := c.Result(t.Context(), "r1"); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, r := range s.seen() {
			got = append(got, r.Header.Get("x-api-key"))
		}
		assert.Equal(t, []string{"first-key", "second-key"}, got)
	})

	t.Run("a key that no header can hold is a matter of the key, and is not sent", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, `{}`))
		c := connect(t, s.URL, func(o *client.Options) { o.Key = func() string { return key + "\r\nX-Other: 1" } })
		_, err := c.Result(t.Context(), "r1")
		wantKind(t, err, client.KindKey)
		if strings.Contains(err.Error(), key) || len(s.seen()) != 0 {
			t.Errorf("%v, after %d requests", err, len(s.seen()))
		}
	})

	t.Run("without a key the call goes without", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, `{"requestId":"r1"}`))
		c := connect(t, s.URL, func(o *client.Options) { o.Key = nil })
		if _, err := c.Result(t.Context(), "r1"); err != nil {
			t.Fatal(err)
		}
		if _, sent := s.only(t).Header["X-Api-Key"]; sent {
			t.Error("an empty key was sent")
		}
	})

	t.Run("a call that gets no answer ends by its time-out", func(t *testing.T) {
		over := make(chan struct{})
		s := serve(t, func(http.ResponseWriter, *http.Request) { <-over })
		defer close(over)
		c := connect(t, s.URL, func(o *client.Options) { o.CallTimeout = 50 * time.Millisecond })
		for _, op := range operations {
			err := op.do(t, c)
			wantKind(t, err, client.KindNetwork)
			if e := failure(t, err); e.Temporary() == op.once || e.Uncertain != op.once || e.Message.String() != "The service did not answer in time." {
				t.Errorf("%s: %v", op.name, err)
			}
		}
	})

	t.Run("an answer that stops half-way ends by the time-out, too", func(t *testing.T) {
		over := make(chan struct{})
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"requestId":`)) // and no more
			_ = http.NewResponseController(w).Flush()
			<-over
		})
		defer close(over)
		c := connect(t, s.URL, func(o *client.Options) { o.CallTimeout = 50 * time.Millisecond })
		_, err := c.Result(t.Context(), "r1")
		wantKind(t, err, client.KindNetwork)
	})
}

func TestNew(t *testing.T) {
	for _, c := range []struct{ base, address string }{
		{"https://api.example.org", "https://api.example.org"},
		{"https://api.example.org/odd/base/", "https://api.example.org/odd/base"},
		{" https://api.example.org:8443 \n", "https://api.example.org:8443"},
		{"HTTPS://api.example.org", "https://api.example.org"},
		{"https://api.example.org/?a=b#c", "https://api.example.org"},
		{"http://127.0.0.1:8080", "http://127.0.0.1:8080"},
		{"http://127.8.9.1", "http://127.8.9.1"},
		{"http://[::1]:8080/x", "http://[::1]:8080/x"},
		{"http://localhost", "http://localhost"},
		{"http://LocalHost:1", "http://LocalHost:1"},
	} {
		t.Run("K7 the base URL may be https, or http on loopback: "+strings.TrimSpace(c.base), func(t *testing.T) {
			api, err := client.New(client.Options{BaseURL: c.base})
			assert.NoError(t, err)
			assert.Equal(t, c.address, api.Address())
		})
	}
	for _, base := range []string{
		"http://api.example.org", "http://10.0.0.1", "http://0.0.0.0", "http://127.0.0.1.example.org", "http://localhost.example.org",
		"http://localhost@api.example.org", "ftp://127.0.0.1", "//api.example.org", "api.example.org", "localhost:8080", "https://", "", "https://[::1",
		"https://:443", "https://:443/path", "https://api.example.org:99999", "https://api.example.org:0", "https://api.example.org:", "https://.", "https://0.0.0.0", "https://[::]:443",
		"http://user:" + signature + "@api.example.org", "https://user:" + signature + "@api.example.org", "https://user@api.example.org",
	} {
		t.Run("K7 the base URL may be nothing else: "+base, func(t *testing.T) {
			_, err := client.New(client.Options{BaseURL: base})
			wantKind(t, err, client.KindSetup)
			if e := failure(t, err); e.Hint.IsZero() || e.Temporary() || strings.Contains(e.Error(), signature) {
				t.Errorf("got %+v", e)
			}
		})
	}

	t.Run("a base path keeps its own escapes", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, `{"requestId":"r1"}`))
		c, err := client.New(client.Options{BaseURL: s.URL + "/a%2Fb/"})
		assert.NoError(t, err)
		t.Cleanup(c.Close)
		if _, err := c.Result(t.Context(), "r1"); err != nil {
			t.Fatal(err)
		}
		assert.Equal(t, "/a%2Fb/api/media/users/r1", s.only(t).Target)
	})
}
