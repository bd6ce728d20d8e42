// Package nearly finds what is nearly the same as something that was checked before: pictures that were resaved, scaled or cropped a little, clips with
// the same frames, recordings that sound alike. It makes a fingerprint of every content in the background, keeps it in the store, and has all of them,
// and those that colleagues have shared, in memory while somebody looks. What it finds is a hint: it never says that two are the same, and each
// keeps its own verdict. It uses client/media and its pdq, picture, film and soundprint, client/store, client/intake (FileOf alone),
// client/events, client/submission and client/vault (its names of artifacts).
package nearly

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"assay/client/events"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/wait"
)

// Match is a result whose content is nearly the same as another content.
type Match struct {
	store.Row
	Like Likeness
	// Oriented says that they are so only where one of them is mirrored or rotated.
	Oriented bool
	// By is who shared it at the desk, where a colleague's fingerprint was near, and Case the ID of the case in which; "" where this computer's own was. Of
	// the Row there is no more then than its ID, status and time.
	By, Case string
}

// Hint is what is nearly the same as a submission that has no answer yet.
type Hint struct {
	Match     // the nearest
	More  int // how many others there are
}

// Queue is the queue as far as a finder asks it; *intake.Queue implements it.
type Queue interface {
	Get(id string) (submission.Submission, bool)
	Order() []string
}

// Params are what a Finder is built from. Store and Queue are required.
type Params struct {
	Store *store.Store
	Queue Queue
	// Busy reports whether the queue is at work: what was submitted in earlier runs then has to wait. nil: it never is.
	Busy func() bool
	// Events says which submissions have changed, and gets events.Nearly for those whose Hint has. nil: a hub of its own.
	Events *events.Hub
	// Wait returns after d, or earlier with ctx's error. All waits of the finder use it, so that tests need not wait.
	Wait func(ctx context.Context, d time.Duration) error
	Now  func() time.Time // nil: time.Now
	Log  *slog.Logger
}

// Finder makes fingerprints and finds what is near. Its methods may be called on any goroutine.
type Finder struct {
	Params
	ctx    context.Context
	stop   context.CancelFunc
	worker sync.WaitGroup
	start  sync.Once
	memory memory
	heard  int64           // the last fingerprint that a colleague has shared; for the worker alone
	made   map[string]bool // contents that were asked for in this run: whether they have fingerprints; for the worker alone

	mu    sync.Mutex
	hints map[string]*waiting // by content: what waits for an answer
}

// waiting are the submissions of one content that have no answer yet, and their hint.
type waiting struct {
	ids  map[string]bool
	hint *Hint // nil: nothing is near
}

// New returns a finder that does nothing yet. Close ends it.
func New(p Params) *Finder {
	if p.Busy == nil {
		p.Busy = func() bool { return false }
	}
	if p.Events == nil {
		p.Events = new(events.Hub)
	}
	if p.Wait == nil {
		p.Wait = wait.For
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	f := &Finder{Params: p, memory: memory{filled: make(chan struct{}, 1)}, hints: map[string]*waiting{}, made: map[string]bool{}}
	f.ctx, f.stop = context.WithCancel(context.Background())
	return f
}

// Start begins to make the fingerprints that are missing: of what is in the queue first, then, while the queue is not at work, of older submissions.
// Calls after the first do nothing.
func (f *Finder) Start() {
	f.start.Do(func() {
		changes := f.Events.Subscribe(events.Submission, events.Artifacts, events.Queue, events.Desk)
		f.worker.Go(func() {
			defer changes.Close()
			f.run(changes)
		})
	})
}

// Close ends the work and waits for its end.
func (f *Finder) Close() {
	f.start.Do(func() {}) // it is not started any more
	f.stop()
	f.worker.Wait()
}

// mostMatches bounds how many results Near returns.
const mostMatches = 100

// Near returns the results that are nearly the same as a submission's content, the nearest first; none while the content has no fingerprint. It reads the
// store. Where no fingerprints were needed for some time, all have to be read first: should that take more than a moment, there are none for now, and
// events.Nearly says when there may be.
func (f *Finder) Near(ctx context.Context, id string) ([]Match, error) {
	sub, err := f.get(ctx, id)
	if err != nil {
		return nil, err
	}
	content, err := f.contentOf(ctx, sub)
	if err != nil || content == "" {
		return nil, err
	}
	all, err := f.fingerprintsOf(ctx, content)
	if err != nil || len(all) == 0 || !f.readSoon(ctx) {
		return nil, err
	}
	return f.matches(ctx, content, all)
}

// fingerprintsOf are the fingerprints of a content; none where none was made yet, or none can be.
func (f *Finder) fingerprintsOf(ctx context.Context, content string) ([]store.Fingerprint, error) {
	all, err := f.Store.FingerprintsOf(ctx, content)
	if err != nil || len(all) > 0 && all[0].Kind == store.NoFingerprint {
		return nil, err
	}
	return all, nil
}

// readSoon has the fingerprints read into memory, and reports whether they are there within a moment.
func (f *Finder) readSoon(ctx context.Context) bool {
	if f.memory.isFilled() {
		return true
	}
	read := make(chan error, 1)
	go func() {
		_, err := f.memory.read(f.ctx, f.Store)
		f.report("read the fingerprints", err)
		read <- err
	}()
	ctx, cancel := context.WithCancel(ctx)
	late := make(chan struct{})
	go func() {
		defer close(late)
		_ = f.Wait(ctx, soon)
	}()
	defer func() {
		cancel()
		<-late
	}()
	select {
	case err := <-read:
		return err == nil
	case <-late:
		go func() {
			if <-read == nil {
				f.Events.Publish(events.Event{Topic: events.Nearly})
			}
		}()
		return false
	}
}

// matches are the results that are nearly the same as a content with these fingerprints.
func (f *Finder) matches(ctx context.Context, content string, all []store.Fingerprint) ([]Match, error) {
	known, err := f.memory.read(f.ctx, f.Store) // to its end, even where ctx ends: whoever asks next has it then
	if err != nil {
		return nil, err
	}
	nearest := known.own.near(content, all)
	colleagues, err := f.sharedNear(ctx, known, content, all)
	if err != nil {
		return nil, err
	}
	for _, c := range colleagues {
		nearest = append(nearest, c.near)
	}
	slices.SortStableFunc(nearest, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.content, b.content))
	})
	contents := make([]string, 0, len(nearest))
	for _, n := range nearest {
		contents = append(contents, n.content)
	}
	results, err := f.Store.OfContents(ctx, contents)
	if err != nil {
		return nil, err
	}
	rows := map[string]store.Row{}
	for _, r := range results {
		rows[r.Content] = r.Row
	}
	var matches []Match
	for _, n := range nearest {
		row, answered := rows[n.content]
		by, shared := colleagues[n.content]
		if shared {
			row = store.Row{ID: by.ID, Status: by.Status, Answered: by.At}
		}
		if (answered || shared) && len(matches) < mostMatches {
			matches = append(matches, Match{Row: row, Like: n.like, Oriented: n.oriented, By: by.By, Case: by.Case})
		}
	}
	return matches, nil
}

// Hint is what is nearly the same as a submission that is in the inbox and has no answer yet; ok is false where nothing is, or nothing is known yet. It
// reads no disk.
func (f *Finder) Hint(sub submission.Submission) (hint Hint, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if w := f.hints[sub.SHA256]; w != nil && w.hint != nil && waits(sub) {
		return *w.hint, true
	}
	return Hint{}, false
}
