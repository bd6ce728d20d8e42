package feedback_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/clocktest"
	"assay/client/events"
	"assay/client/feedback"
	"assay/client/sandbox"
	"assay/client/store"
	"assay/client/store/storetest"
)

func newClock() *clocktest.Clock {
	return clocktest.New(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
}

// service is the sandbox over HTTP, with one result, and a network that a test can take away.
type service struct {
	*sandbox.Sandbox
	t         *testing.T
	requestID string
	client    *client.Client
	offline   atomic.Bool
	key       atomic.Value

	mu    sync.Mutex
	calls int                                                    // of feedback
	fault func(w http.ResponseWriter, r *http.Request) (no bool) // instead of the sandbox's answer; nil: none
}

func serve(t *testing.T) *service {
	t.Helper()
	box, err := sandbox.New(sandbox.Options{Dir: t.TempDir(), SecondUser: true})
	assert.NoError(t, err)
	t.Cleanup(func() { _ = box.Close() })
	s := &service{Sandbox: box, t: t}
	s.key.Store(box.Key())
	server := httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(server.Close)
	s.client, err = client.New(client.Options{
		BaseURL: server.URL, Key: func() string { return s.key.Load().(string) },
		Wait:   func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Jitter: func() float64 { return 1 },
		Proxy: func(*http.Request) (*url.URL, error) {
			if s.offline.Load() {
				return url.Parse("http://127.0.0.1:1") // where nobody listens
			}
			return nil, nil
		},
	})
	assert.NoError(t, err)
	t.Cleanup(s.client.Close)
	s.requestID = upload(t, server.URL, box.Key())
	return s
}

// upload hands a text over, and returns its requestId.
func upload(t *testing.T, address, key string) string {
	t.Helper()
	c, err := client.New(client.Options{BaseURL: address, Key: func() string { return key }})
	assert.NoError(t, err)
	defer c.Close()
	to, err := c.RequestUpload(t.Context(), "statement.txt")
	assert.NoError(t, err)
	const text = "A statement."
	path := filepath.Join(t.TempDir(), "statement.txt")
	assert.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	file, err := os.Open(path)
	assert.NoError(t, err)
	assert.NoError(t, c.Put(t.Context(), to.SignedURL, file, int64(len(text)), nil))
	return to.RequestID
}

func (s *service) answer(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/api/v2/user-feedback" {
		s.mu.Lock()
		s.calls++
		fault := s.fault
		s.mu.Unlock()
		if fault != nil && fault(w, r) {
			return
		}
	}
	s.ServeHTTP(w, r)
}

// fails has the feedback answered by something else; nil: by the sandbox again.
func (s *service) fails(fault func(w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fault
}

// asked is how many requests came.
func (s *service) asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

// records are the comments of what the service keeps.
func (s *service) records() map[string]int {
	s.t.Helper()
	all, err := s.Feedback()
	assert.NoError(s.t, err)
	comments := map[string]int{}
	for _, f := range all {
		comments[f.Text]++
	}
	return comments
}

// judgement may be sent.
func (s *service) sampleFeedback(comment string) client.Feedback {
	return client.Feedback{RequestID: s.requestID, Label: client.LabelManipulated, Category: client.Confirmation, Comment: comment}
}

// fixture is a sender as a test drives it.
type fixture struct {
	*feedback.Sender
	t       *testing.T
	service *service
	store   *store.Store
	clock   *clocktest.Clock
	changed *events.Subscription
}

// setup opens a store in a new folder and a sender on it. adjust changes the sender's Params.
func setup(t *testing.T, s *service, adjust ...func(*feedback.Params)) *fixture {
	t.Helper()
	folder := t.TempDir()
	assert.NoError(t, storetest.Empty(folder))
	kept, err := store.Open(t.Context(), folder, store.Options{})
	assert.NoError(t, err)
	t.Cleanup(func() { _ = kept.Close() })
	return setupAt(t, s, kept, newClock(), adjust...)
}

func setupAt(t *testing.T, s *service, kept *store.Store, c *clocktest.Clock, adjust ...func(*feedback.Params)) *fixture {
	t.Helper()
	hub := new(events.Hub)
	d := &fixture{t: t, service: s, store: kept, clock: c, changed: hub.Subscribe()}
	p := feedback.Params{Store: kept, Client: s.client, Now: c.Now, Wait: c.Wait, Jitter: func() float64 { return 0 }, Events: hub}
	for _, change := range adjust {
		change(&p)
	}
	var err error
	if d.Sender, err = feedback.Open(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

func (d *fixture) give(comment string) store.Feedback {
	d.t.Helper()
	f, err := d.Give(d.t.Context(), d.service.sampleFeedback(comment))
	assert.NoError(d.t, err)
	return f
}

// undoPasses lets the time pass in which what was just given can be undone.
func (d *fixture) undoPasses() {
	d.t.Helper()
	d.passes(feedback.UndoFor)
}

// passes lets time pass once the sender waits for a moment within it.
func (d *fixture) passes(span time.Duration) {
	d.t.Helper()
	assert.NoError(d.t, d.clock.AdvanceAwaited(d.t.Context(), span))
}

// awaits returns once the sender waits for a moment within a time, which may then pass in parts.
func (d *fixture) awaits(span time.Duration) {
	d.t.Helper()
	assert.NoError(d.t, d.clock.Awaited(d.t.Context(), span))
}

// all is every judgement on the result, as it is shown.
func (d *fixture) all() []store.Feedback {
	d.t.Helper()
	all, err := d.Of(d.t.Context(), d.service.requestID)
	assert.NoError(d.t, err)
	return all
}

// await waits until a judgement stands as it should.
func (d *fixture) await(id string, stands func(store.Feedback) bool) store.Feedback {
	d.t.Helper()
	late := time.After(time.Minute)
	for {
		for _, f := range d.all() {
			if f.ID == id && stands(f) {
				return f
			}
		}
		select {
		case <-d.changed.Ready():
			d.changed.Take()
		case <-late:
			d.t.Fatalf("it stands so for ever: %+v", d.all())
		}
	}
}

// becomes waits for a state.
func (d *fixture) becomes(id string, state store.FeedbackState) store.Feedback {
	d.t.Helper()
	return d.await(id, func(f store.Feedback) bool { return f.State == state })
}

// waits waits until a judgement waits for something, and returns the sentence.
func (d *fixture) waits(id string) string {
	d.t.Helper()
	return d.await(id, func(f store.Feedback) bool { return f.State == store.FeedbackWaiting && !f.Problem.IsZero() }).Problem.String()
}

// takenBack takes a judgement back, once the sender is done with it: the disk has what became of an attempt a moment before that.
func (d *fixture) takenBack(id string) error {
	d.t.Helper()
	late := time.After(time.Minute)
	for {
		if err := d.Undo(d.t.Context(), id); !errors.Is(err, feedback.ErrSending) {
			return err
		}
		select {
		case <-d.changed.Ready():
			d.changed.Take()
		case <-late:
			d.t.Fatalf("it is being sent for ever: %+v", d.all())
		}
	}
}
