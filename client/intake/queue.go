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
	"sync"
	"time"

	"assay/client"
	"assay/client/events"
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
	Save(ctx context.Context, sub submission.Submission, deed string) error
	Answer(ctx context.Context, sub submission.Submission, deed string) error // with the raw answer
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
	// AddressesDied says that upload addresses of an earlier run lead nowhere any more, however young they are.
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

// Queue holds the submissions of the inbox, and what goes on with them. All methods are safe on any goroutine; but for
// Accept and Close they return at once.
type Queue struct {
	Params
	ctx     context.Context
	stop    context.CancelFunc
	workers sync.WaitGroup
	checks  *slots // a place while a file is hashed: one disk, one reader
	uploads *slots // a place while a file is sent
	submits *slots // a place while a link is submitted: it waits for no file
	poller  *poll.Poller
	// What tests give their own: what a file is, and when a disk that has not answered is given up waiting for.
	inspect  func(ctx context.Context, path string) (media.File, error)
	patience func() <-chan time.Time

	saving sync.Mutex // held while a submission is written down, so that the last written is the latest; before mu

	mu       sync.Mutex
	entries  map[string]*entry
	order    []string          // IDs of the inbox, as accepted
	firsts   map[string]*entry // by content, the one that stands for it
	files    pool
	links    pool
	totals   Totals
	status   QueueStatus
	noReads  bool              // the plan does not let results be asked for either; with NoQuota
	delays   time.Time         // since when the service has not answered as it should; zero: it does
	busy     time.Time         // with Busy: until when the service asked for time, whatever else it answers
	probing  bool              // it is being tried whether the disk can be written to again
	unkept   map[*entry]string // what could not be written down, by its deed; it is as soon as the disk can be written to
	unpaused bool              // likewise of factPaused
	gate     gate              // what the person decided about those that are held
}

// item is a submission with what runs it; Queue.mu guards it.
type entry struct {
	submission.Submission
	job        *job         // nil: nothing goes on with it
	duplicates []*entry     // that show its answer, as their Earlier
	refused    bool         // the plan has no room for it: it waits while the queue stands still over that
	inInbox    bool         //
	keeping    int          // writes that are to come, see Queue.keep
	counted    contribution // its part of Queue.totals
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
		Params:  p,
		checks:  newSlots(1),
		uploads: newSlots(p.Uploads),
		submits: newSlots(linksAtOnce),
		entries: map[string]*entry{},
		firsts:  map[string]*entry{},
		unkept:  map[*entry]string{},
		files:   pool{most: jobsAtOnce},
		links:   pool{most: jobsAtOnce},
	}
	q.inspect, q.patience = q.Limits.Inspect, func() <-chan time.Time { return time.After(stuckAfter) }
	q.ctx, q.stop = context.WithCancel(client.OnWait(context.WithoutCancel(ctx), func(err *client.Error, until time.Time) { q.delayed(err, until) }))
	q.poller = poll.New(poll.Params{Service: p.Service, Shortest: p.PollMin, Longest: p.PollMax, Jitter: p.Jitter, Pacer: p.Pacer, Now: p.Now, Wait: p.Wait})
	if err := q.load(ctx); err != nil {
		q.stop()
		return nil, fmt.Errorf("take up the submissions of the last run: %w", err)
	}
	q.sweepCopies()
	q.workers.Go(func() { q.poller.Run(q.ctx) })
	q.keepLocked()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.startAll()
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

// stands reports whether what comes later with the same content shows the answer of this one; Queue.mu is held.
func (e *entry) canBePrimary() bool {
	return e.MayLeave() && e.State != submission.Cancelled && shownByOthers(e.State)
}

// shownByOthers reports whether duplicates may show what becomes of a submission in this state: they wait for none that is
// refused, or held back.
func shownByOthers(s submission.State) bool {
	return s != submission.Refused && s != submission.Held && s != submission.Stays
}

// Get returns a submission as it stands; ok is false for one that is neither in the inbox nor goes on. One of content
// that was submitted before shows what has become of that.
func (q *Queue) Get(id string) (s submission.Submission, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e, ok := q.entries[id]
	if !ok {
		return submission.Submission{}, false
	}
	return q.view(e), true
}

// All returns the inbox, in the order in which it was accepted.
func (q *Queue) All() []submission.Submission {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := make([]submission.Submission, 0, len(q.order))
	for _, id := range q.order {
		all = append(all, q.view(q.entries[id]))
	}
	return all
}

// Order returns the IDs of the inbox, in the order in which they were accepted.
func (q *Queue) Order() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append([]string(nil), q.order...)
}

// Totals returns the sums over the inbox.
func (q *Queue) Totals() Totals {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.totals
}

// Standing returns how the queue as a whole stands.
func (q *Queue) QueueStatus() QueueStatus {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.status
}

// Stopped reports whether nothing goes on with a submission until a person comes: it is paused, or stands still with the queue.
func (q *Queue) Stopped(id string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[id]
	if e != nil && e.State != submission.Cancelled && q.entries[e.Earlier] != nil {
		e = q.entries[e.Earlier]
	}
	return e != nil && e.job == nil && !e.State.Ended() && e.State != submission.Held && (e.Paused || q.stops(e))
}

// view copies a submission; q.mu is held.
func (q *Queue) view(e *entry) submission.Submission {
	s := e.Submission
	if first := q.entries[s.Earlier]; first != nil && s.State != submission.Cancelled {
		s.State, s.Result, s.Problem, s.Delay = first.State, first.Result, first.Problem, first.Delay
		s.Sent, s.Rate, s.Paused = first.Sent, first.Rate, first.Paused
		s.RequestID, s.Uploaded, s.Answered = first.RequestID, first.Uploaded, first.Answered
	}
	return s
}

// Close stops all work and waits for it. What was under way goes on when the queue is opened again.
func (q *Queue) Close() {
	q.mu.Lock()
	q.stop()
	q.mu.Unlock()
	q.workers.Wait()
}

// SetUploads changes how many files are uploaded at a time, 1 at the least. What is being uploaded goes on.
func (q *Queue) SetUploads(n int) { q.uploads.resize(max(n, 1)) }
