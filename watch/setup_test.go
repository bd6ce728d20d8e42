package watch

import (
	"context"
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// patience bounds what a test waits for: it is long, for it is only reached where something is broken.
const patience = time.Minute

// await receives, or fails.
func await[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatal("nothing came")
		panic("unreachable")
	}
}

// receiver takes files over.
type receiver struct {
	mu     sync.Mutex
	files  []File
	come   chan struct{}
	refuse error
}

func newReceiver() *receiver { return &receiver{come: make(chan struct{}, 1)} }

func (r *receiver) announce(_ context.Context, files []File) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refuse != nil {
		return r.refuse
	}
	r.files = append(r.files, files...)
	select {
	case r.come <- struct{}{}:
	default:
	}
	return nil
}

func (r *receiver) setRefuse(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refuse = err
}

// names are those of the files that were taken over.
func (r *receiver) names() (names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.files {
		names = append(names, filepath.Base(f.Path))
	}
	return names
}

// wait returns once so many files were taken over.
func (r *receiver) wait(t *testing.T, files int) []File {
	t.Helper()
	for {
		r.mu.Lock()
		if taken := r.files; len(taken) >= files {
			r.mu.Unlock()
			return taken
		}
		r.mu.Unlock()
		await(t, r.come)
	}
}

// fixture is a watcher whose hints and time are made up.
type fixture struct {
	w        *Watcher
	dir      string
	receiver *receiver
	memory   *testMemory
	source   *fakeSource
	clock    *fakeClock

	announce func(context.Context, []File) error          // nil: the receiver's
	hash     func(context.Context, *os.File) (Sum, error) // nil: the file's
	changed  chan struct{}                                // holds one
	read     atomic.Int32                                 // files
	unknown  atomic.Bool                                  // nobody can tell who has a file open
}

func setup(t *testing.T) *fixture {
	t.Helper()
	h := &fixture{dir: t.TempDir(), receiver: newReceiver(), memory: newTestMemory(), source: new(fakeSource), changed: make(chan struct{}, 1), clock: newFakeClock()}
	h.w = open(t, Params{
		Memory: h.memory, Now: h.clock.Now, After: h.clock.After, source: h.source.opener,
		Announce: func(ctx context.Context, files []File) error {
			if h.announce != nil {
				return h.announce(ctx, files)
			}
			return h.receiver.announce(ctx, files)
		},
		Hash: func(ctx context.Context, f *os.File) (Sum, error) {
			h.read.Add(1)
			if h.hash != nil {
				return h.hash(ctx, f)
			}
			return fileSum(ctx, f)
		},
		beingWritten: func(f *os.File) (busy, known bool) {
			if h.unknown.Load() {
				return false, false
			}
			return beingWritten(f)
		},
		Changed: func(string) {
			select {
			case h.changed <- struct{}{}:
			default:
			}
		},
	})
	return h
}

func fileSum(_ context.Context, f *os.File) (Sum, error) {
	content, err := io.ReadAll(f)
	return sha256.Sum256(content), err
}

// hint makes up a hint of a file in dir.
func (h *fixture) hint(kind hintKind, name string) {
	h.source.emit(hint{path: filepath.Join(h.dir, name), kind: kind})
}

// hintsAtOnce makes up hints of a folder's, between which it does nothing.
func (h *fixture) hintsAtOnce(id string, hints ...hint) {
	f := h.w.folders[id]
	f.mu.Lock()
	for _, one := range hints {
		f.pending.add(one, h.w.passed())
	}
	f.mu.Unlock()
	f.wakeUp()
}

// passUntil lets time pass until a folder stands as wanted. It goes on, for a timer may be set just after time has passed.
func (h *fixture) passUntil(t *testing.T, id string, d time.Duration, wanted func(State) bool) {
	t.Helper()
	end, again := time.After(patience), time.NewTicker(10*time.Millisecond)
	defer again.Stop()
	for {
		h.clock.pass(d)
		s, _ := h.w.State(id)
		if wanted(s) {
			return
		}
		select {
		case <-h.changed:
		case <-again.C:
		case <-end:
			t.Fatalf("it stays like this: %+v", s)
		}
	}
}

// open opens a watcher that ends with the test.
func open(t *testing.T, p Params) *Watcher {
	t.Helper()
	w, err := Open(p)
	must(t, err)
	t.Cleanup(w.Close)
	return w
}

func add(t *testing.T, w *Watcher, f Folder) {
	t.Helper()
	must(t, w.Add(f))
}

// settle returns once there is nothing to do but wait for hints or time.
func settle(t *testing.T, w *Watcher) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if w.waitIdle(ctx) != nil {
		t.Fatal("the watcher does not come to rest")
	}
}

func write(t *testing.T, content string, path ...string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(path...), []byte(content), 0o600))
}

// fakeClock stands still until a test moves it.
type fakeClock struct {
	mu    sync.Mutex
	now   time.Time
	rings []fakeRing
}

type fakeRing struct {
	at   time.Time
	ring chan time.Time
}

func newFakeClock() *fakeClock { return &fakeClock{now: time.Now()} }

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	ring := make(chan time.Time, 1)
	if d <= 0 {
		ring <- c.now
		return ring
	}
	c.rings = append(c.rings, fakeRing{at: c.now.Add(d), ring: ring})
	return ring
}

// pass lets time pass.
func (c *fakeClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	var later []fakeRing
	for _, r := range c.rings {
		if r.at.After(c.now) {
			later = append(later, r)
		} else {
			r.ring <- c.now
		}
	}
	c.rings = later
}
