// Package intake takes a submission from accepted to answered: one door in, one event stream out, and every step on disk
// before what follows it is done. It imports client, client/media and client/submission, and speaks to the service and to
// the store through interfaces of its own.
package intake

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"time"

	"assay/client"
	"assay/client/custody"
	"assay/client/events"
	"assay/client/intake/dedupe"
	"assay/client/intake/poll"
	"assay/client/media"
	"assay/client/submission"
	"assay/client/wait"
)

// Service is what a submission needs of the service; *client.Client is one.
type Service interface {
	RequestUpload(ctx context.Context, name string) (client.Upload, error)
	Put(ctx context.Context, signedURL string, file *os.File, size int64, progress func(sent int64)) error
	Result(ctx context.Context, requestID string) (*client.Result, error)
	FindUpload(ctx context.Context, name string, since time.Time) (string, error)
	CheckLink(link string) (client.Link, error) // makes no request
	SubmitLink(ctx context.Context, link string) (client.LinkSubmission, error)
	List(ctx context.Context, q client.ListQuery) ([]*client.Result, error)
}

// Store is where submissions outlive a run; *store.Store is one. What it has returned from is on disk.
type Store interface {
	Add(ctx context.Context, subs []submission.Submission) ([]submission.Submission, error)
	Save(ctx context.Context, sub submission.Submission, event custody.Event) error
	Answer(ctx context.Context, sub submission.Submission, event custody.Event) error // with the raw answer
	Get(ctx context.Context, id string) (sub submission.Submission, ok bool, err error)
	Inbox(ctx context.Context) ([]submission.Submission, error)
	FileDone(ctx context.Context, before time.Time, most int) error
	ByContent(ctx context.Context, content string) (sub submission.Submission, ok bool, err error)
	Fact(ctx context.Context, name string) (string, error)
	SetFact(ctx context.Context, name, value string) error
}

// Copier makes and keeps the copies that are sent in files' places; *copies.Folder is one. An error that has a Sentence is told by it.
type Copier interface {
	// Copy makes the copy of a file without metadata for the submission of this ID, in place of one that it has. When it returns, the
	// copy is on disk and holds nothing that identifies, as far as Assay knows; the same bytes give the same copy. Of a file that
	// has no metadata by its kind, such as a text, there is none: a zero Copy. One that does not hold the bytes that were hashed any
	// more is a *media.Changed or a *media.Refusal.
	Copy(ctx context.Context, file media.File, id string) (submission.Copy, error)
	// Remove deletes the copy of a submission, where there is one.
	Remove(id string) error
	// Sweep deletes all copies but those of these submissions.
	Sweep(kept []string) error
}

// DefaultUploads is how many files are sent at a time.
const DefaultUploads = 2

// Params are what a Queue is built from. Service and Store are required.
type Params struct {
	Service Service
	Store   Store
	Uploads int           // at a time; 0: DefaultUploads
	Limits  media.Limits  // how large a file may be; nil: the interface's caps
	Hashes  *media.Hashes // of files that were read already, also by others; nil: its own
	PollMin time.Duration // between two looks at a young result; 0: 2 s
	PollMax time.Duration // between two looks at an old one; 0: 30 s
	// Pacer is the one that spreads the calls of Service (client.Client's Pacer). The looks at results are planned for
	// when it has a place, and Service takes that place. nil: they are planned as if every call could go at once.
	Pacer *client.Pacer
	// UploadURLsExpired says that upload URLs of an earlier run lead nowhere any more, however young they are.
	UploadURLsExpired bool
	// Gate is whether a submission may leave: the strictest of its own gate and of what the settings say of its source. lock is what IT has
	// locked of that, GateSend for nothing: it holds also for what was accepted before, up to the moment before it is sent. It is asked on
	// any goroutine, and returns at once. nil: its own gate holds.
	Gate func(s submission.Submission) (gate, lock submission.Gate)
	// LocksUnread says that nobody can tell what IT has locked: the lock of Gate is Assay's own caution.
	LocksUnread bool
	// Copier makes the copies without metadata; nil: none can be made.
	Copier Copier
	// Events is told of each change: events.Submission, Inbox, Queue and Results. What a submission is by then, Get tells. nil: one of its own.
	Events *events.Hub
	// Answered is told of each answer, once it is on disk; it must return at once. nil: nobody is.
	Answered func(submission.Submission)
	Now      func() time.Time
	// Wait returns after d, or earlier with ctx's error. It is how the queue lets time pass.
	Wait func(ctx context.Context, d time.Duration) error
	// Jitter is a number from 0 to under 1 that spreads what would fall together; nil: a random one.
	Jitter func() float64
	Log    *slog.Logger
}

// Queue holds the submissions of the inbox, and what goes on with them. All methods are safe on any goroutine; but for Accept, Moved and
// Close they return at once.
type Queue struct {
	Params
	ctx     context.Context
	stop    context.CancelFunc
	workers sync.WaitGroup // whatever takes long: it comes back to the state by do
	poller  *poll.Poller
	checks  *slots // files that are hashed: one disk, one reader
	uploads *slots // files that are sent
	submits *slots // links that are submitted: they wait for no file
	arrive  *slots // calls of Accept with files of watched folders, so that each is taken once

	commands chan command  // to the goroutine that owns the state
	writes   chan command  // to the one that writes down
	closing  chan struct{} // closed when no worker is left
	ended    chan struct{} // closed when nobody owns the state any more
	final    *state        // as it was then, read alone
	closed   sync.Once

	// What tests give their own: what a file is, and when a disk that has not answered is given up waiting for.
	inspect  func(ctx context.Context, path string) (media.File, error)
	patience func() <-chan time.Time
}

// What was answered stays in the inbox over a restart for so long, and so many at most: the others stand among the results.
const (
	answeredFor  = 24 * time.Hour
	answeredMost = 200
)

// factPaused is the store's fact that the person paused everything.
const factPaused = "queue.paused"

// Open takes up what the store holds of an earlier run, each submission where it stood, and goes on with it.
// Close ends it; the store must outlive it.
func Open(ctx context.Context, p Params) (*Queue, error) {
	p.fillIn()
	q := &Queue{
		Params:   p,
		poller:   poll.New(poll.Params{Service: p.Service, Shortest: p.PollMin, Longest: p.PollMax, Jitter: p.Jitter, Pacer: p.Pacer, Now: p.Now, Wait: p.Wait}),
		checks:   newSlots(1),
		uploads:  newSlots(p.Uploads),
		submits:  newSlots(linksAtOnce),
		arrive:   newSlots(1),
		commands: make(chan command),
		writes:   make(chan command),
		closing:  make(chan struct{}),
		ended:    make(chan struct{}),
		inspect:  p.Limits.Inspect,
		patience: func() <-chan time.Time { return time.After(stuckAfter) },
	}
	q.ctx, q.stop = context.WithCancel(client.OnWait(context.WithoutCancel(ctx), func(err *client.Error, until time.Time) { q.delayed(err, until) }))
	st := newState(q)
	if err := st.load(ctx); err != nil {
		q.stop()
		return nil, fmt.Errorf("take up the submissions of the last run: %w", err)
	}
	st.sweepCopies()
	go q.own(st)
	q.workers.Go(func() { q.poller.Run(q.ctx) })
	q.keepLocked()
	q.do((*state).startAll)
	return q, nil
}

func (p *Params) fillIn() {
	if p.Uploads <= 0 {
		p.Uploads = DefaultUploads
	}
	if p.PollMin <= 0 {
		p.PollMin = 2 * time.Second
	}
	if p.PollMax <= 0 {
		p.PollMax = 30 * time.Second
	}
	if p.Pacer == nil {
		p.Pacer = new(client.Pacer)
	}
	if p.Answered == nil {
		p.Answered = func(submission.Submission) {}
	}
	if p.Jitter == nil {
		p.Jitter = rand.Float64
	}
	if p.Events == nil {
		p.Events = new(events.Hub)
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Hashes == nil {
		p.Hashes = media.NewHashes(p.Now)
	}
	if p.Wait == nil {
		p.Wait = wait.For
	}
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
}

// Close stops all work and waits for it. What was under way goes on when the queue is opened again.
func (q *Queue) Close() {
	q.do(func(*state) { q.stop() }) // there, so that nobody sets a worker going meanwhile
	q.workers.Wait()
	q.closed.Do(func() { close(q.closing) })
	<-q.ended
}

// SetUploads changes how many files are uploaded at a time, 1 at the least. What is being uploaded goes on.
func (q *Queue) SetUploads(n int) { q.uploads.resize(max(n, 1)) }

// load reads the inbox, and what its duplicates refer to. Nobody else has the state yet.
func (st *state) load(ctx context.Context) error {
	yesterday := st.Now().Add(-answeredFor)
	if err := st.Store.FileDone(ctx, yesterday, answeredMost); err != nil {
		return err
	}
	paused, err := st.Store.Fact(ctx, factPaused)
	if err != nil {
		return err
	}
	if paused != "" {
		st.status = QueueStatus{Cause: PausedAll}
	}
	kept, err := st.Store.Inbox(ctx)
	if err != nil {
		return err
	}
	kept = slices.DeleteFunc(kept, func(s submission.Submission) bool {
		return s.Filed && s.Earlier != "" // removed, and the answer that it showed is another's
	})
	for _, s := range kept {
		if st.UploadURLsExpired && s.Upload.SignedURL != "" {
			s.Upload.Issued = s.Upload.Issued.Add(-client.SignedURLLife)
		}
		st.entries[s.ID] = &entry{Submission: s}
	}
	for _, s := range kept {
		if err := st.loadEarlier(ctx, s.Earlier); err != nil {
			return err
		}
	}
	for _, s := range kept {
		e := st.entries[s.ID]
		e.takeUp()
		if st.entries[e.Earlier] == nil {
			e.Earlier = "" // whose answer it showed is no more
		}
		st.add(e)
	}
	var old []*entry
	for _, s := range kept {
		e := st.entries[s.ID]
		if primary := st.entries[e.Earlier]; primary != nil && !dedupe.Shows(e.Submission, primary.Submission) {
			st.releaseDuplicates(primary)
		}
		if e.Earlier != "" && e.Accepted.Before(yesterday) && st.view(e).State == submission.Done {
			old = append(old, e)
		}
	}
	if len(old) > 0 {
		st.takeOut(old...)
	}
	return nil
}

func (st *state) loadEarlier(ctx context.Context, id string) error {
	if id == "" || st.entries[id] != nil {
		return nil
	}
	s, ok, err := st.Store.Get(ctx, id)
	if err != nil || !ok {
		return err
	}
	e := &entry{Submission: s}
	e.takeUp()
	st.entries[id] = e
	return nil
}

// add puts an entry into the inbox's order, and makes it the primary of its content where it is the one.
func (st *state) add(e *entry) {
	st.entries[e.ID] = e
	if primary := st.entries[e.Earlier]; primary != nil {
		st.index.Add(primary.ID, e.ID)
	} else if e.Step != submission.Seen && dedupe.CanBePrimary(e.Submission) {
		st.index.Register(e.Content(), e.ID)
	}
	if !e.Filed {
		e.inInbox = true
		st.order = append(st.order, e.ID)
		st.tell(events.Inbox, "")
	}
	st.touched(e)
}
