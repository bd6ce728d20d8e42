package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
)

const (
	// basePath is odd on purpose: a call that is built from the root of the host does not find its answer.
	basePath = "/odd/base"
	// key and signature are what no log, error or foreign host may see.
	key       = "key-5d1f-not-for-anyone-else"
	signature = "signature-c0ffee-not-for-anyone-else"
)

// request is what the service saw of one request.
type request struct {
	Method, Target, Host, Proto string
	Header                      http.Header
	Body                        []byte
	Length                      int64
	Chunked                     bool
}

// service answers on loopback and records every request.
type service struct {
	*httptest.Server
	mu       sync.Mutex
	requests []request
}

// serve starts a service; answer finds the request's body read already.
func serve(t *testing.T, answer http.HandlerFunc) *service {
	t.Helper()
	s := newService(t, answer)
	s.Start()
	return s
}

func newService(t *testing.T, answer http.HandlerFunc) *service {
	t.Helper()
	s := new(service)
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("the body of %s %s did not arrive: %v", r.Method, r.URL.Path, err)
		}
		s.mu.Lock()
		s.requests = append(s.requests, request{
			Method: r.Method, Target: r.RequestURI, Host: r.Host, Proto: r.Proto, Header: r.Header.Clone(),
			Body: body, Length: r.ContentLength, Chunked: len(r.TransferEncoding) > 0,
		})
		s.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// seen returns the requests so far.
func (s *service) seen() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]request(nil), s.requests...)
}

// only returns the one request that was made.
func (s *service) only(t *testing.T) request {
	t.Helper()
	seen := s.seen()
	if len(seen) != 1 {
		t.Fatalf("the service saw %d requests, want 1: %+v", len(seen), seen)
	}
	return seen[0]
}

// answer makes a handler of a status and a body.
func answer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if strings.HasPrefix(body, "<") {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		} else {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) //nolint:gosec // no page, and no browser; a client that is gone needs none
	}
}

// connect returns a client of the service at address, with the odd base path.
func connect(t *testing.T, address string, change ...func(*client.Options)) *client.Client {
	t.Helper()
	o := client.Options{BaseURL: address + basePath, Key: func() string { return key }, Wait: noWait}
	for _, f := range change {
		f(&o)
	}
	c, err := client.New(o)
	assert.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// noWait lets no time pass between attempts.
func noWait(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// open writes content to a file and opens it for an upload.
func open(t *testing.T, content []byte) *os.File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "photo.jpg")
	assert.NoError(t, os.WriteFile(name, content, 0o600))
	return reopen(t, name)
}

// sparse opens a file of size bytes that takes no room.
func sparse(t *testing.T, size int64) *os.File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "clip.mp4")
	assert.NoError(t, os.WriteFile(name, nil, 0o600))
	assert.NoError(t, os.Truncate(name, size))
	if old := time.Now().Add(-time.Hour); os.Chtimes(name, old, old) != nil {
		t.Fatal("the file could not be dated back") // so that any change shows
	}
	return reopen(t, name)
}

func reopen(t *testing.T, name string) *os.File {
	t.Helper()
	file, err := os.Open(name)
	assert.NoError(t, err)
	t.Cleanup(func() { _ = file.Close() }) // Put closed it, where it came to that
	return file
}

// failure is the typed error that every operation owes.
func failure(t *testing.T, err error) *client.Error {
	t.Helper()
	var e *client.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %#v, want a *client.Error", err)
	}
	return e
}

func wantKind(t *testing.T, err error, kind client.Kind) {
	t.Helper()
	if e := failure(t, err); e.Kind != kind {
		t.Fatalf("got kind %q (%v), want %q", e.Kind, err, kind)
	}
}

// clock is a clock that the test moves.
type clock struct {
	mu     sync.Mutex
	now    time.Time
	looked chan struct{} // holds one for every time the clock was read
}

func newClock() *clock {
	return &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), looked: make(chan struct{}, 1)}
}

// Now is the clock's time, for client.Options.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case c.looked <- struct{}{}:
	default:
	}
	return c.now
}

// set moves the clock.
func (c *clock) set(later time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(later)
	select {
	case <-c.looked:
	default:
	}
}

// advance moves the clock and returns once it has been read since: twice, as the first may have been under way.
func (c *clock) advance(later time.Duration) {
	c.set(later)
	<-c.looked
	<-c.looked
}
