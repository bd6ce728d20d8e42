package command

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client/events"
	"assay/client/folders"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/plain"
	"assay/client/submission"
	"assay/watch"
)

func init() { lookPause, addPause = 5*time.Millisecond, 5*time.Millisecond }

// fakeFolders are a fakeQueue's watched folders; its mu guards them.
type fakeFolders struct {
	all      map[string]*folders.Folder // by ID, which is the path
	holders  map[string]int
	begins   []folders.Begin
	settings []folders.Settings // of each AddTemporary
	failing  map[string]error   // of AddTemporary, by path
	tries    chan string        // receives each path that AddTemporary fails for, where it is not nil
	adding   func()             // is called while a folder is added; nil: nothing is
	allowed  []string
	retried  chan struct{}
}

// WatchFolders implements folderQueue.
func (d *fakeQueue) WatchFolders(context.Context) (watchedFolders, error) { return foldersOf{d}, nil }

// foldersOf is a fakeQueue's watchedFolders.
type foldersOf struct{ *fakeQueue }

// Get implements watchedFolders.
func (f foldersOf) Get(id string) (folders.Folder, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if folder := f.watched.all[id]; folder != nil {
		return *folder, true
	}
	return folders.Folder{}, false
}

// AddTemporary implements watchedFolders.
func (d *fakeQueue) AddTemporary(_ context.Context, s folders.Settings, begin folders.Begin) (string, error) {
	if d.watched.adding != nil {
		d.watched.adding()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.watched.failing[s.Path]; err != nil {
		if d.watched.tries != nil {
			d.watched.tries <- s.Path
		}
		return "", err
	}
	if d.watched.all == nil {
		d.watched.all, d.watched.holders = map[string]*folders.Folder{}, map[string]int{}
	}
	d.watched.settings, d.watched.begins = append(d.watched.settings, s), append(d.watched.begins, begin)
	if d.watched.all[s.Path] == nil {
		d.watched.all[s.Path] = &folders.Folder{Settings: s, ID: s.Path, Temporary: true, Lock: submission.GateSend, State: watch.State{Phase: watch.Watching}}
	}
	d.watched.holders[s.Path]++
	return s.Path, nil
}

// Release implements watchedFolders.
func (d *fakeQueue) Release(_ context.Context, id string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watched.holders[id]--
	if f := d.watched.all[id]; f != nil && f.Temporary && d.watched.holders[id] == 0 {
		delete(d.watched.all, id)
	}
	return nil
}

// Inbox implements folderQueue.
func (d *fakeQueue) Inbox() []submission.Submission {
	d.mu.Lock()
	defer d.mu.Unlock()
	var all []submission.Submission
	for _, s := range d.subs {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b submission.Submission) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// Approve implements folderQueue.
func (d *fakeQueue) Approve(_ intake.ApproveOptions, ids ...string) {
	d.mu.Lock()
	d.watched.allowed = append(d.watched.allowed, ids...)
	d.mu.Unlock()
	for _, id := range ids {
		d.change(id, submission.Sending)
	}
}

// TryAgain implements folderQueue.
func (d *fakeQueue) TryAgain() {
	select {
	case d.watched.retried <- struct{}{}:
	default:
	}
}

// arrive has a file come into a watched folder; its ID is its path.
func (d *fakeQueue) arrive(path string, state submission.State) {
	d.t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	s := submission.Submission{ID: path, Path: path, Name: plain.From(filepath.Base(path)).String(), Folder: filepath.Dir(path),
		Source: submission.Watched, State: state, SHA256: "5a"}
	if state.Ended() {
		s.Problem = i18n.Verbatim("No luck with " + path + ".")
	}
	d.subs[path] = s
	d.tell(path)
}

// keepFolder has a folder be one of the window's own, with no lock of IT's where none is said; "" in Problem is none.
func (d *fakeQueue) keepFolder(f folders.Folder) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.watched.all == nil {
		d.watched.all, d.watched.holders = map[string]*folders.Folder{}, map[string]int{}
	}
	f.ID, f.Lock = f.Path, cmp.Or(f.Lock, submission.GateSend)
	d.watched.all[f.Path] = &f
}

// stands has a watched folder stand otherwise.
func (d *fakeQueue) stands(path string, phase watch.Phase) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watched.all[path].State.Phase = phase
	d.hub.Publish(events.Event{Topic: events.Folders})
}

// fail has folders not be watched; nil: they can be again.
func (d *fakeQueue) fail(path string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.watched.failing == nil {
		d.watched.failing, d.watched.tries = map[string]error{}, make(chan string, 1000)
	}
	d.watched.failing[path] = err
}

// endWatching wants nobody to hold a folder any more, as the session closes; d.mu is held.
func (d *fakeQueue) endWatching() {
	for path, n := range d.watched.holders {
		if n != 0 {
			d.t.Errorf("%s is held by %d", path, n)
		}
	}
}

// states are how the submissions stand, as a start by itself reads them.
func (d *fakeQueue) states(context.Context) (map[string]submission.State, error) {
	states := map[string]submission.State{}
	for _, s := range d.Inbox() {
		if hasEnd(s.State) {
			states[s.ID] = s.State
		}
	}
	return states, nil
}

// watchRun is a running `assay watch`.
type watchRun struct {
	t       *testing.T
	printed chan string // lines
	said    chan string // without what precedes each
	ended   chan error
	stop    context.CancelFunc
}

// lines passes on what is written, line by line.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		l <- strings.TrimSuffix(line, "\n")
	}
	return len(p), nil
}

func startWatch(t *testing.T, dir string, d *fakeQueue, job watchJob, asJSON bool) *watchRun {
	t.Helper()
	w := &watchRun{t: t, printed: make(chan string, 100), said: make(chan string, 100), ended: make(chan error, 1)}
	var ctx context.Context
	ctx, w.stop = context.WithCancel(context.Background()) //nolint:usetesting // T's own ends before cleaning up
	start := &watchStart{
		local: d.local(), dir: dir, wait: pause, before: d.states, job: job,
		emit: newWatchPrinter(lines(w.printed), lines(w.said), asJSON).take,
	}
	var running sync.WaitGroup
	running.Go(func() { w.ended <- start.run(ctx) })
	t.Cleanup(func() {
		w.stop()
		running.Wait()
	})
	return w
}

// says wants this to be said next.
func (w *watchRun) says(sentence string) {
	w.t.Helper()
	if text := got(w.t, w.said, sentence); text != "assay: "+sentence {
		w.t.Fatalf("it says %q, not %q", text, sentence)
	}
}

// prints wants this to be printed next.
func (w *watchRun) prints(line string) {
	w.t.Helper()
	if text := got(w.t, w.printed, line); text != line {
		w.t.Fatalf("it prints %q, not %q", text, line)
	}
}

// end stops it, and wants it to have no more to say.
func (w *watchRun) end() {
	w.t.Helper()
	w.stop()
	if err := got(w.t, w.ended, "its end"); err != nil {
		w.t.Error(err)
	}
	w.quiet()
}

// quiet wants nothing to have been said or printed.
func (w *watchRun) quiet() {
	w.t.Helper()
	select {
	case line := <-w.printed:
		w.t.Errorf("it prints %q", line)
	case sentence := <-w.said:
		w.t.Errorf("it says %q", sentence)
	default:
	}
}

// watching is a job for folders.
func watching(gate submission.Gate, given ...string) watchJob {
	return watchJob{Given: given, Gate: gate, Subfolders: true}
}
