package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"assay/client/instance"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/submission"
)

// disk is what is kept in a folder, whichever process holds it: a queue that does nothing but what a test says.
type disk struct {
	t *testing.T

	mu       sync.Mutex
	subs     map[string]submission.Submission
	watchers []*watcher
	accepts  []acceptance
	failing  error // of the next Accept, after the first of what is given
	reason   string
	stopped  bool
	sessions int           // that are open: never more than one
	opened   chan struct{} // receives for each session
	watching chan struct{} // receives for each Watch
	watched  fakeFolders
}

type acceptance struct {
	given  []string
	source submission.Source
	again  bool
}

func newDisk(t *testing.T) *disk {
	return &disk{t: t, subs: map[string]submission.Submission{}, opened: make(chan struct{}, 100), watching: make(chan struct{}, 100)}
}

// open is a scanStart's.
func (d *disk) open(context.Context) (taker, func(), error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sessions++
	if d.sessions != 1 {
		d.t.Errorf("%d sessions are open at once", d.sessions)
	}
	d.opened <- struct{}{}
	return d, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if len(d.watchers) != 0 {
			d.t.Errorf("%d still work with a session that closes", len(d.watchers))
		}
		d.endWatching()
		d.sessions--
	}, nil
}

func (d *disk) Accept(ctx context.Context, given []string, source submission.Source, w intake.Wish) (a intake.Accepted, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return a, err
	}
	d.accepts = append(d.accepts, acceptance{given: given, source: source, again: w.Anew})
	for i, path := range given {
		if i == 1 && d.failing != nil {
			return a, d.failing
		}
		id := fmt.Sprintf("%s#%d", path, len(d.accepts))
		d.subs[id] = submission.Submission{ID: id, Path: path, Name: media.DisplayName(path), State: submission.Sending}
		a.IDs = append(a.IDs, id)
	}
	a.Hidden = 2
	return a, nil
}

func (d *disk) Get(_ context.Context, id string) (submission.Submission, bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, ok := d.subs[id]
	return s, ok, nil
}

func (d *disk) Standing() (string, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.reason, d.stopped
}

func (d *disk) FromSandbox() bool { return false }

func (d *disk) Watch() changes {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := &watcher{disk: d, ready: make(chan struct{}, 1)}
	d.watchers = append(d.watchers, w)
	d.watching <- struct{}{}
	return w
}

// change makes something of a submission, or removes it, and tells.
func (d *disk) change(id string, to submission.State) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, ok := d.subs[id]
	if !ok {
		d.t.Errorf("there is no %s", id)
	}
	if s.State = to; to == "" {
		delete(d.subs, id)
	} else {
		s.RequestID = "at the service"
		if to != submission.Cancelled {
			s.Problem = "No luck with " + s.Path + "."
		}
		d.subs[id] = s
	}
	d.tell(id)
}

// tell is news for all; d.mu is held.
func (d *disk) tell(ids ...string) {
	for _, w := range d.watchers {
		w.ids = append(w.ids, ids...)
		select {
		case w.ready <- struct{}{}:
		default:
		}
	}
}

// stand makes the queue wait.
func (d *disk) stand(reason string, stopped bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.reason, d.stopped = reason, stopped
	d.tell()
}

// accepted is what was accepted in all.
func (d *disk) accepted() []acceptance {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.accepts)
}

type watcher struct {
	disk  *disk
	ready chan struct{}
	ids   []string
}

func (w *watcher) Ready() <-chan struct{} { return w.ready }

func (w *watcher) Take() intake.News {
	w.disk.mu.Lock()
	defer w.disk.mu.Unlock()
	ids := w.ids
	w.ids = nil
	return intake.News{IDs: ids}
}

func (w *watcher) Close() {
	w.disk.mu.Lock()
	defer w.disk.mu.Unlock()
	w.disk.watchers = slices.DeleteFunc(w.disk.watchers, func(o *watcher) bool { return o == w })
}

// scanRun is a running `assay scan`.
type scanRun struct {
	t      *testing.T
	events chan scanEvent // but for progress
	said   chan progressEvent
	ended  chan error
}

func startScan(t *testing.T, dir string, d *disk, job scanJob) *scanRun {
	t.Helper()
	s := &scanRun{t: t, events: make(chan scanEvent, 100), said: make(chan progressEvent, 100), ended: make(chan error, 1)}
	ctx, stop := context.WithCancel(context.Background()) //nolint:usetesting // T's own ends before cleaning up
	start := &scanStart{
		dir: dir, wait: pause, open: d.open, job: job,
		own:  func() serviceAnswer { return ownService },
		warn: func(err error) { t.Error(err) },
		emit: func(e scanEvent) error {
			if e.Progress != nil {
				s.said <- *e.Progress
			} else {
				s.events <- e
			}
			return nil
		},
	}
	var running sync.WaitGroup
	running.Go(func() { s.ended <- start.run(ctx) })
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	return s
}

// ownService is the sandbox that a scan of these tests embeds.
var ownService = serviceAnswer{URL: "http://127.0.0.1:2", Key: "own"}

// pause is how time passes in these tests.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// got waits for something that comes about.
func got[T any](t *testing.T, c <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s does not come", what)
	}
	return v
}

func (s *scanRun) accepted() *acceptedEvent {
	s.t.Helper()
	e := got(s.t, s.events, "that it is accepted")
	if e.Accepted == nil {
		s.t.Fatalf("got %+v first", e)
	}
	return e.Accepted
}

func (s *scanRun) item() *itemEvent {
	s.t.Helper()
	e := got(s.t, s.events, "an item")
	if e.Item == nil {
		s.t.Fatalf("got %+v instead of an item", e)
	}
	return e.Item
}

// end wants the scan to end with nothing more to say.
func (s *scanRun) end() error {
	s.t.Helper()
	err := got(s.t, s.ended, "its end")
	select {
	case e := <-s.events:
		s.t.Errorf("and %+v", e)
	default:
	}
	return err
}

// shownWindow is an open window, as later starts see it.
type shownWindow struct {
	holder *instance.Holder
	raised chan intake.Accepted
	close  func()
}

// showWindow starts a window, which must become the holder.
func showWindow(t *testing.T, dir string, d *disk) *shownWindow {
	t.Helper()
	h, _, err := holdForWindow(t.Context(), dir, nil, pause)
	if err != nil || h == nil {
		t.Fatalf("no window opens: %v, %v", h, err)
	}
	w := &shownWindow{holder: h, raised: make(chan intake.Accepted, 10)}
	k := newDesk()
	k.window, k.raise = true, func(a intake.Accepted) { w.raised <- a }
	if err := h.Serve(context.Background(), k.handle); err != nil { //nolint:usetesting // T's own ends before cleaning up
		t.Fatal(err)
	}
	session, closing, _ := d.open(t.Context()) // never fails
	k.serveFor(session)
	w.close = sync.OnceFunc(func() {
		h.StopServing()
		closing()
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(w.close)
	return w
}

var errFull = errors.New("The disk is full.") //nolint:revive,staticcheck // a sentence, as the session has them
