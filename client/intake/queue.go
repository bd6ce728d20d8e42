// Package intake takes a submission from accepted to answered: one door in, one event stream out, and every step on disk
// before what follows it is done. It imports client, client/media and client/submission, and speaks to the service and to
// the store through interfaces of its own.
package intake

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
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

// Service is the part of the service's interface that the queue needs; *client.Client implements it.
type Service interface {
	RequestUpload(ctx context.Context, name string) (client.Upload, error)
	Put(ctx context.Context, signedURL string, file *os.File, size int64, progress func(sent int64)) error
	Result(ctx context.Context, requestID string) (*client.Result, error)
	FindUpload(ctx context.Context, name string, since time.Time) (string, error)
	CheckLink(link string) (client.Link, error) // makes no request
	SubmitLink(ctx context.Context, link string) (client.LinkSubmission, error)
	List(ctx context.Context, q client.ListQuery) ([]*client.Result, error)
	Results(ctx context.Context, q client.ListQuery) iter.Seq2[*client.Result, error]
}

// Store keeps submissions over restarts; *store.Store implements it. When a method has returned, its change is on disk.
type Store interface {
	// AddInto keeps new submissions, and puts them into the case of this ID at once; "" is none.
	AddInto(ctx context.Context, caseID string, subs []submission.Submission, by string) ([]submission.Submission, error)
	Save(ctx context.Context, sub submission.Submission, event custody.Event) error
	Answer(ctx context.Context, sub submission.Submission, event custody.Event) error // with the raw answer
	Get(ctx context.Context, id string) (sub submission.Submission, ok bool, err error)
	Inbox(ctx context.Context) ([]submission.Submission, error)
	FileDone(ctx context.Context, before time.Time, most int) error
	ByContent(ctx context.Context, content string) (sub submission.Submission, ok bool, err error)
	// ByColleague returns the answer that a colleague has shared on a content, and who that is.
	ByColleague(ctx context.Context, sha256 string) (sub submission.Submission, by string, ok bool, err error)
	Fact(ctx context.Context, name string) (string, error)
	SetFact(ctx context.Context, name, value string) error
}

// Copier makes and keeps the copies that are sent in place of files; *copies.Folder implements it. If an error has a UserMessage, that is what the
// person reads.
type Copier interface {
	// Copy makes the copy of a file, for the submission of this ID, and replaces an earlier one. When it returns, the copy is on disk. One without
	// metadata holds nothing that identifies, as far as Assay can tell; the same bytes always give the same copy. For a kind of file without
	// metadata, such as a text, that is all that is wanted, it makes none and returns a zero Copy. If the file does not hold the bytes that were
	// hashed any more, the error is a *media.Changed or a *media.Refusal. An error with a method Refuses that returns true says that there will be no
	// copy, however often it is tried.
	Copy(ctx context.Context, file media.File, id string, how submission.Copying) (submission.Copy, error)
	// Able returns why the copy that a file needs can't be made on this computer; nil where it can, as far as is known before. It returns at once.
	Able(file media.File, need submission.Need) error
	// Remove deletes the copy of a submission, if there is one.
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
	Hashes  *media.Hashes // of files that were hashed already, also by others; nil: its own
	PollMin time.Duration // shortest pause between two requests for a young result; 0: 2 s
	PollMax time.Duration // longest pause between two requests for an old result; 0: 30 s
	// Pacer is the one that spreads the calls of Service (client.Client's Pacer). Requests for results are planned for when it has room; it is
	// Service that takes the room. nil: they are planned as if every call could be made at once.
	Pacer *client.Pacer
	// UploadURLsExpired says that upload URLs of an earlier run do not work any more, however young they are: the sandbox's, which has another port
	// in each run.
	UploadURLsExpired bool
	// Gate returns whether a submission may be sent: the strictest of its own gate and of what the settings say of its source. lock is the part of
	// that which IT has locked, GateSend where it has locked nothing; a lock also holds for what was accepted before, up to the moment of sending.
	// Gate is called on any goroutine and returns at once. nil: the submission's own gate holds.
	Gate func(s submission.Submission) (gate, lock submission.Gate)
	// LocksUnread reports that what IT has locked can't be read: the lock that Gate returns is then Assay's own caution.
	LocksUnread bool
	// Copier makes the copies; nil: none can be made.
	Copier Copier
	// Copies is whether copies in another format are made without asking, as the settings say; it returns at once. nil: the person is asked.
	Copies func() submission.CopyRule
	// Events gets each change: events.Submission, Inbox, Queue and Results. Get returns the submission as it is then. nil: a hub of the queue's own.
	Events *events.Hub
	// Elsewhere reports whether somebody at the desk has checked a content, by its SHA-256 in hex, in a case that isn't the person's. It waits for a short
	// time at most; false may mean that it isn't known. nil: nobody is asked.
	Elsewhere func(ctx context.Context, content string) bool
	// Answered is called with each answer once it is on disk, and before Get shows it; it must return at once. nil: nothing is called.
	Answered func(submission.Submission)
	Now      func() time.Time
	// Wait returns after d, or earlier with ctx's error. All waits of the queue use it, so that tests need not wait.
	Wait func(ctx context.Context, d time.Duration) error
	// Jitter returns a number from 0 to below 1, which spreads retries; nil: a random one.
	Jitter func() float64
	Log    *slog.Logger
}

// Queue holds the submissions of the inbox and their jobs. All methods may be called on any goroutine, and all but Accept, Moved, ShowCopy and Close
// return at once.
type Queue struct {
	Params
	ctx     context.Context
	stop    context.CancelFunc
	workers sync.WaitGroup // whatever takes long: a worker changes the state by do
	poller  *poll.Poller
	checks  *slots // of files that are hashed: one disk, one reader
	uploads *slots // of files that are sent
	copying *slots // one: copies that are made without asking
	submits *slots // of links that are submitted: they need not wait for files
	arrive  *slots // one: calls of Accept with files of watched folders, so that each file is accepted once

	commands chan command      // to the goroutine that owns the state
	writes   chan pendingWrite // to the goroutine that has them made
	closing  chan struct{}     // closed when no worker is left
	ended    chan struct{}     // closed when no goroutine owns the state any more
	final    *state            // the state as it was then, only to be read
	closed   sync.Once
	shown    atomic.Int64 // copies that ShowCopy has made

	// Tests replace these: how a file is identified, and how long a disk may fail to answer.
	inspect  func(ctx context.Context, path string) (media.File, error)
	patience func() <-chan time.Time
}

// What was answered stays in the inbox over restarts for this long, and at most this many: older answers are among the results only.
const (
	answeredFor  = 24 * time.Hour
	answeredMost = 200
)

// factPaused is the name of the fact in the store that the person paused everything.
const factPaused = "queue.paused"

// Open loads what the store holds of earlier runs and goes on with each submission from its Step. Close ends the queue; the store must stay open
// until then.
func Open(ctx context.Context, p Params) (*Queue, error) {
	p.fillIn()
	q := &Queue{
		Params:   p,
		poller:   poll.New(poll.Params{Service: p.Service, Shortest: p.PollMin, Longest: p.PollMax, Jitter: p.Jitter, Pacer: p.Pacer, Now: p.Now, Wait: p.Wait}),
		checks:   newSlots(1),
		uploads:  newSlots(p.Uploads),
		copying:  newSlots(1),
		submits:  newSlots(linksAtOnce),
		arrive:   newSlots(1),
		commands: make(chan command),
		writes:   make(chan pendingWrite),
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
	if p.Copies == nil {
		p.Copies = func() submission.CopyRule { return submission.CopiesAsk }
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

// Close stops all work and waits for its end. What was under way goes on when the queue is opened again.
func (q *Queue) Close() {
	q.do(func(*state) { q.stop() }) // on that goroutine, so that no worker is started meanwhile
	q.workers.Wait()
	q.closed.Do(func() { close(q.closing) })
	<-q.ended
}

// SetUploads changes how many files are uploaded at a time, at least 1. Uploads under way go on.
func (q *Queue) SetUploads(n int) { q.uploads.resize(max(n, 1)) }

// load reads the inbox, and the primaries of its duplicates. It runs before the state has an owner.
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
		return s.Filed && s.Earlier != "" // it was removed, and the answer that it showed belongs to another
	})
	for _, s := range kept {
		if st.UploadURLsExpired && s.Upload.SignedURL != "" {
			s.Upload.Issued = s.Upload.Issued.Add(-client.SignedURLLife)
		}
		st.entries[s.ID] = fromDisk(s)
	}
	for _, s := range kept {
		if err := st.loadEarlier(ctx, s.Earlier); err != nil {
			return err
		}
	}
	for _, s := range kept {
		e := st.entries[s.ID]
		e.prepareToResume()
		if st.entries[e.Earlier] == nil {
			e.Earlier = "" // the primary whose answer it showed is gone
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
	e := fromDisk(s)
	e.prepareToResume()
	st.entries[id] = e
	return nil
}

// add puts an entry into the inbox's order, and registers it where it is the primary of its content.
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
