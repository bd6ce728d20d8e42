package command

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"assay/client/events"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/ipc"
	"assay/client/plain"
	"assay/client/session"
	"assay/client/store/storetest"
	"assay/client/submission"
)

// fakeQueue is what is kept in a folder, whichever process holds it: a queue that does nothing but what a test says.
type fakeQueue struct {
	t *testing.T

	hub events.Hub

	mu       sync.Mutex
	subs     map[string]submission.Submission
	accepts  []acceptance
	failing  error  // of the next Accept, after the first of what is given
	entering func() // called as an Accept begins; nil: nothing
	status   intake.QueueStatus
	sessions int           // that are open: never more than one
	closed   bool          // the last session was closed, and none was opened since
	opened   chan struct{} // receives for each session
	watching chan struct{} // receives for each Hub
	watched  fakeFolders
}

type acceptance struct {
	given  []string
	source submission.Source
	again  bool
}

func newFakeQueue(t *testing.T) *fakeQueue {
	return &fakeQueue{t: t, subs: map[string]submission.Submission{}, opened: make(chan struct{}, 100), watching: make(chan struct{}, 100)}
}

// local is a subcommand's that works with it.
func (d *fakeQueue) local() local {
	return local{open: d.open, sandbox: func() session.SandboxAddress { return ownService }, log: slog.New(slog.NewTextHandler(failingWriter{d.t}, nil))}
}

// failingWriter fails a test in which something is logged.
type failingWriter struct{ t *testing.T }

func (f failingWriter) Write(line []byte) (int, error) {
	f.t.Errorf("%s", line)
	return len(line), nil
}

// open is local's.
func (d *fakeQueue) open(context.Context) (queue, func(context.Context), error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = false
	d.sessions++
	if d.sessions != 1 {
		d.t.Errorf("%d sessions are open at once", d.sessions)
	}
	d.opened <- struct{}{}
	return d, func(context.Context) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.closed = true
		d.endWatching()
		d.sessions--
	}, nil
}

func (d *fakeQueue) Accept(ctx context.Context, inputs []intake.Input, o intake.Options) (a intake.Accepted, err error) {
	if d.entering != nil {
		d.entering()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return a, err
	}
	taken := acceptance{source: o.Source, again: o.Again}
	for _, input := range inputs {
		taken.given = append(taken.given, input.Path+input.Link)
	}
	d.accepts = append(d.accepts, taken)
	for i, path := range taken.given {
		if i == 1 && d.failing != nil {
			return a, d.failing
		}
		id := fmt.Sprintf("%s#%d", path, len(d.accepts))
		d.subs[id] = submission.Submission{ID: id, Path: path, Name: plain.From(path).String(), State: submission.Sending}
		a.IDs = append(a.IDs, id)
	}
	a.Hidden = 2
	return a, nil
}

func (d *fakeQueue) Get(_ context.Context, id string) (submission.Submission, bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		d.t.Error("a session that is closed is still worked with")
	}
	s, ok := d.subs[id]
	return s, ok, nil
}

func (d *fakeQueue) QueueStatus() intake.QueueStatus {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.status
}

// Stopped is so of all that has not ended, once all stands still.
func (d *fakeQueue) Stopped(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.status.Stopped() && !d.subs[id].State.Ended()
}

func (d *fakeQueue) FromSandbox() bool { return false }

func (d *fakeQueue) Hub() *events.Hub {
	d.watching <- struct{}{}
	return &d.hub
}

// change makes something of a submission, or removes it, and tells.
func (d *fakeQueue) change(id string, to submission.State) {
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
			s.Problem = i18n.Verbatim("No luck with " + s.Path + ".")
		}
		d.subs[id] = s
	}
	d.tell(id)
}

// sent makes the service have a submission.
func (d *fakeQueue) sent(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.subs[id]
	s.State, s.RequestID = submission.Analysing, "at the service"
	d.subs[id] = s
	d.tell(id)
}

// tell is news for all; d.mu is held.
func (d *fakeQueue) tell(ids ...string) {
	d.hub.Publish(events.Event{Topic: events.Queue})
	for _, id := range ids {
		d.hub.Publish(events.Event{Topic: events.Submission, ID: id})
	}
}

// stand makes the queue wait.
func (d *fakeQueue) stand(s intake.QueueStatus) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.status = s
	d.tell()
}

// accepted is what was accepted in all.
func (d *fakeQueue) accepted() []acceptance {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.accepts)
}

// scanRun is a running `assay scan`.
type scanRun struct {
	t      *testing.T
	events chan scanEvent // but for progress
	said   chan progressEvent
	ended  chan error
	stop   context.CancelFunc
}

func startScan(t *testing.T, dir string, d *fakeQueue, job scanJob) *scanRun {
	t.Helper()
	return startScanAt(t, dir, d, job, time.After)
}

// startScanAt is startScan with time that passes as the test says.
func startScanAt(t *testing.T, dir string, d *fakeQueue, job scanJob, after func(time.Duration) <-chan time.Time) *scanRun {
	t.Helper()
	return startScanBy(t, dir, d, job, after, time.Now)
}

// startScanBy is startScanAt with the time of day that now says.
func startScanBy(t *testing.T, dir string, d *fakeQueue, job scanJob, after func(time.Duration) <-chan time.Time, now func() time.Time) *scanRun {
	t.Helper()
	s := &scanRun{t: t, events: make(chan scanEvent, 100), said: make(chan progressEvent, 100), ended: make(chan error, 1)}
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background()) //nolint:usetesting // T's own ends before cleaning up
	start := &scanStart{
		local: d.local(), dir: dir, wait: pause, job: job, after: after, now: now,
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
		s.stop()
		running.Wait()
	})
	return s
}

// tickingClock is time that passes as a test says.
type tickingClock struct {
	t     *testing.T
	mu    sync.Mutex
	now   time.Duration
	waits map[time.Duration][]chan time.Time // by when they end
	asked chan time.Duration                 // receives for each wait that begins
}

func newTickingClock(t *testing.T) *tickingClock {
	return &tickingClock{t: t, waits: map[time.Duration][]chan time.Time{}, asked: make(chan time.Duration, 100)}
}

func (c *tickingClock) after(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	ready := make(chan time.Time, 1)
	c.waits[c.now+d] = append(c.waits[c.now+d], ready)
	c.asked <- d
	return ready
}

// time is the time of day.
func (c *tickingClock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Unix(0, 0).Add(c.now)
}

// begun waits until somebody waits for so long.
func (c *tickingClock) begun(d time.Duration) {
	c.t.Helper()
	for begun := time.Duration(-1); begun != d; {
		begun = got(c.t, c.asked, "a wait of "+d.String())
	}
}

// pass lets time pass, tick by tick, for one that has begun to wait for the next.
func (c *tickingClock) pass(d time.Duration) {
	c.t.Helper()
	for end := c.now + d; c.now < end; c.begun(remindTick) {
		c.end(c.now + remindTick)
	}
}

// end lets all waits end that are over at a time.
func (c *tickingClock) end(at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = at
	for end, waits := range c.waits {
		if end <= at {
			for _, ready := range waits {
				ready <- time.Time{}
			}
			delete(c.waits, end)
		}
	}
}

// ownService is the sandbox that a scan of these tests embeds.
var ownService = session.SandboxAddress{URL: "http://127.0.0.1:2", Key: "own"}

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
	case <-time.After(time.Minute):
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
	holder *ipc.Holder
	raised chan intake.Accepted
	close  func()
}

// showWindow starts a window, which must become the holder.
func showWindow(t *testing.T, dir string, d *fakeQueue) *shownWindow {
	t.Helper()
	return showWindowAt(t, dir, d, time.After)
}

// showWindowAt is showWindow with time that passes as the test says.
func showWindowAt(t *testing.T, dir string, d *fakeQueue, after func(time.Duration) <-chan time.Time) *shownWindow {
	t.Helper()
	h, _, err := session.HoldForWindow(t.Context(), dir, nil, pause)
	if err != nil || h == nil {
		t.Fatalf("no window opens: %v, %v", h, err)
	}
	w := &shownWindow{holder: h, raised: make(chan intake.Accepted, 10)}
	k := session.NewEndpoint()
	k.Window, k.Raise = true, func(h session.Handed) { w.raised <- h.Accepted }
	if err := h.Serve(context.Background(), k.Handle); err != nil { //nolint:usetesting // T's own ends before cleaning up
		t.Fatal(err)
	}
	q, closing, _ := d.open(t.Context()) // never fails
	o := newOperations(q, true)
	o.after = after
	k.Open(q, session.SandboxAddress{}, o.handlers())
	w.close = sync.OnceFunc(func() {
		h.StopServing()
		closing(context.Background()) //nolint:usetesting // likewise
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(w.close)
	return w
}

var errFull = errors.New("The disk is full.") //nolint:revive,staticcheck // a sentence, as the session has them

func TestMain(m *testing.M) {
	storetest.Quick()
	session.ServicePoll, session.SandboxPoll, session.SandboxLatency = 50*time.Millisecond, 50*time.Millisecond, 10*time.Millisecond
	m.Run()
}

// someWindow is that of a build with one, which these calls do not open.
func someWindow(context.Context, *session.Host, []string) error {
	return errors.New("a window was opened")
}
