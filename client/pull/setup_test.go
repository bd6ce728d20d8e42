package pull_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/clocktest"
	"assay/client/events"
	"assay/client/pull"
	"assay/client/sandbox"
	"assay/client/store/storetest"
	"assay/client/submission"
)

func init() { storetest.Quick() }

func newClock() *clocktest.Clock {
	return clocktest.New(time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC))
}

var errKilled = errors.New("killed")

// memory is a store that can be made to end at one of its calls, as a program that is killed there: that call and all
// further ones do nothing, though the last one may have been carried out.
type memory struct {
	mu       sync.Mutex
	subs     map[string]submission.Submission // by requestId
	doubled  []string                         // requestIds that were added again
	facts    map[string]string
	calls    int
	killAt   int  // the call at which it ends, from 1; 0: never
	carryOut bool // that call is carried out all the same, if its outcome is lost
}

func newMemory() *memory {
	return &memory{subs: map[string]submission.Submission{}, facts: map[string]string{}}
}

// call counts, and reports whether the call is carried out and how it is answered.
func (m *memory) call() (carried bool, err error) {
	m.calls++
	if m.killAt == 0 || m.calls < m.killAt {
		return true, nil
	}
	return m.carryOut && m.calls == m.killAt, errKilled
}

func (m *memory) ByRequest(_ context.Context, ids []string) (map[string]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := map[string]string{}
	for _, id := range ids {
		if sub, here := m.subs[id]; here {
			known[id] = sub.ID
		}
	}
	_, err := m.call()
	return known, err
}

func (m *memory) Add(_ context.Context, subs []submission.Submission) ([]submission.Submission, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	carried, err := m.call()
	if carried {
		m.put(subs)
	}
	return subs, err
}

// put adds without counting as a call; m.mu is held.
func (m *memory) put(subs []submission.Submission) {
	for i, sub := range subs {
		if _, again := m.subs[sub.RequestID]; again {
			m.doubled = append(m.doubled, sub.RequestID)
		}
		subs[i].Key = int64(len(m.subs) + 1)
		m.subs[sub.RequestID] = subs[i]
	}
}

// adopt stands for the queue.
func (m *memory) adopt(_ context.Context, subs []submission.Submission) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	carried, err := m.call()
	if carried {
		m.put(subs)
	}
	return err
}

func (m *memory) Fact(_ context.Context, name string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, err := m.call()
	return m.facts[name], err
}

func (m *memory) SetFact(_ context.Context, name, value string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	carried, err := m.call()
	if carried {
		m.facts[name] = value
	}
	return err
}

// names are those of what is kept, in order.
func (m *memory) names() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return names(slices.Collect(maps.Values(m.subs)))
}

func names(subs []submission.Submission) []string {
	all := []string{}
	for _, sub := range subs {
		all = append(all, sub.Name)
	}
	slices.Sort(all)
	return all
}

// numbered are the names of so many notes.
func numbered(from, to int) []string {
	all := []string{}
	for n := from; n < to; n++ {
		all = append(all, noteName(n))
	}
	return all
}

func noteName(n int) string { return fmt.Sprintf("note %03d.txt", n) }

// fixture is a sandbox with a client of it that waits for nothing, and remembers what was asked.
type fixture struct {
	*client.Client
	t       *testing.T
	address string
	box     *sandbox.Sandbox
	clock   *clocktest.Clock
	notes   int

	mu    sync.Mutex
	asked []string // the queries of the list, with the page
}

func setup(t *testing.T, faults ...string) *fixture {
	t.Helper()
	return setupWith(t, sandbox.Options{}, faults...)
}

func setupWith(t *testing.T, o sandbox.Options, faults ...string) *fixture {
	t.Helper()
	w := &fixture{t: t, clock: newClock()}
	for _, text := range faults {
		fault, err := sandbox.ParseFault(text)
		assert.NoError(t, err)
		o.Faults = append(o.Faults, fault)
	}
	o.Dir, o.Now = t.TempDir(), w.clock.Now
	box, err := sandbox.New(o)
	assert.NoError(t, err)
	w.box = box
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
		if _, page, ok := strings.Cut(r.URL.Path, "/api/v2/media/users"); ok {
			w.mu.Lock()
			w.asked = append(w.asked, strings.TrimPrefix(page, "/pages")+"?"+r.URL.RawQuery)
			w.mu.Unlock()
		}
		box.ServeHTTP(answer, r)
	}))
	t.Cleanup(func() {
		server.Close()
		err := box.Close()
		assert.True(t, err == nil, "%v", err)
	})
	w.address = server.URL
	w.Client = connect(t, w.address, box.Key)
	return w
}

// connect returns a client that waits for nothing.
func connect(t *testing.T, address string, key func() string) *client.Client {
	t.Helper()
	c, err := client.New(client.Options{BaseURL: address, Key: key, Jitter: func() float64 { return 0 },
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	assert.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// queries are what was asked of the list since the last time.
func (w *fixture) queries() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	asked := w.asked
	w.asked = nil
	return asked
}

// upload hands so many more notes over from elsewhere, with so much time between them.
func (w *fixture) upload(count int, apart time.Duration) {
	w.t.Helper()
	for range count {
		name := noteName(w.notes)
		up, err := w.RequestUpload(w.t.Context(), name)
		assert.NoError(w.t, err)
		path := filepath.Join(w.t.TempDir(), name)
		text := fmt.Sprintf("This is note number %d.", w.notes)
		assert.NoError(w.t, os.WriteFile(path, []byte(text), 0o600))
		file, err := os.Open(path)
		assert.NoError(w.t, err)
		assert.NoError(w.t, w.Put(w.t.Context(), up.SignedURL, file, int64(len(text)), nil))
		w.notes++
		w.clock.Advance(apart)
	}
}

// settle waits until the service has analysed all.
func (w *fixture) settle() {
	w.t.Helper()
	assert.NoError(w.t, w.box.Idle(w.t.Context()))
}

// puller is one whose changes can be waited for.
type puller struct {
	*pull.Puller
	t       *testing.T
	changed *events.Subscription
}

func (w *fixture) puller(store *memory, change ...func(*pull.Params)) puller {
	w.t.Helper()
	return newPuller(w.t, pull.Params{Client: w, Store: store, Size: 5, Now: w.clock.Now, OnUnfinished: store.adopt}, change...)
}

func newPuller(t *testing.T, o pull.Params, change ...func(*pull.Params)) puller {
	t.Helper()
	hub := new(events.Hub)
	p := puller{t: t, changed: hub.Subscribe(events.Pull)}
	for _, f := range change {
		f(&o)
	}
	o.Events = hub
	p.Puller = pull.New(o)
	t.Cleanup(p.Close)
	return p
}

// ended waits for the end of the pull.
func (p puller) ended() pull.State {
	p.t.Helper()
	return p.until(func(s pull.State) bool { return s.Phase != pull.Running })
}

func (p puller) until(reached func(pull.State) bool) pull.State {
	p.t.Helper()
	limit := time.After(time.Minute)
	for {
		if s := p.State(); reached(s) {
			return s
		}
		select {
		case <-p.changed.Ready():
			p.changed.Take()
		case <-limit:
			p.t.Fatalf("it stands at %+v", p.State())
		}
	}
}

// pulled pulls once, from beginning to end.
func (p puller) pulled() pull.State {
	p.t.Helper()
	p.Start()
	s := p.ended()
	if s.Phase != pull.Idle || s.Ended.IsZero() {
		p.t.Fatalf("it ended as %+v", s)
	}
	return s
}

// byDate sorts by when they were uploaded.
func byDate(a, b submission.Submission) int { return a.Uploaded.Compare(b.Uploaded) }

// byRaw compares results by what was sent.
var byRaw = cmp.Comparer(func(a, b client.Result) bool { return bytes.Equal(a.Raw, b.Raw) })
