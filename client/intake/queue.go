// Package intake takes a submission from accepted to answered: one door in, one event stream out. It imports
// client and client/media, and speaks to the service through an interface of its own.
package intake

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/media"
	"assay/client/submission"
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

// Params are what a Queue is built from. Service is required.
type Params struct {
	Service Service
	Uploads int           // at a time; 0: 2
	Limits  media.Limits  // how large a file may be; nil: the interface's caps
	PollMin time.Duration // between two looks at a young result; 0: 2 s
	PollMax time.Duration // between two looks at an old one; 0: 30 s
	// Pacer is the one that spreads the calls of Service (client.Client's Pacer). The looks at results are planned for
	// when it has a place, and Service takes that place. nil: they are planned as if every call could go at once.
	Pacer *client.Pacer
	Now   func() time.Time
	// Wait returns after d, or earlier with ctx's error. It is how the queue lets time pass.
	Wait func(ctx context.Context, d time.Duration) error
	// Jitter is a number from 0 to under 1 that spreads what would fall together; nil: a random one.
	Jitter func() float64
	Log    *slog.Logger
}

// Queue holds the submissions of a run. All methods are safe on any goroutine and return at once, but for Close.
type Queue struct {
	Params
	ctx     context.Context
	stop    context.CancelFunc
	workers sync.WaitGroup
	checks  *turns // a place while a file is hashed: one disk, one reader
	uploads *turns // a place while a file is sent
	links   *turns // a place while a link is submitted: it waits for no file
	poller  *poller
	hashes  *media.Hashes // an unchanged file is read once in a run

	mu       sync.Mutex
	items    map[string]*item
	order    []string          // IDs as accepted
	firsts   map[string]string // content to the ID of the submission that stands for it
	watchers []*Changes
}

// item is a submission with what runs it; Queue.mu guards it.
type item struct {
	submission.Submission
	file   media.File
	upload client.Upload
	cancel context.CancelFunc
}

// New returns a queue that waits for submissions. Close ends it.
func New(p Params) *Queue {
	if p.Uploads <= 0 {
		p.Uploads = 2
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
	if p.Jitter == nil {
		p.Jitter = rand.Float64
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Wait == nil {
		p.Wait = wait
	}
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	q := &Queue{
		Params:  p,
		checks:  newTurns(1),
		uploads: newTurns(p.Uploads),
		links:   newTurns(linksAtOnce),
		hashes:  media.NewHashes(p.Now),
		items:   map[string]*item{},
		firsts:  map[string]string{},
	}
	q.ctx, q.stop = context.WithCancel(context.Background())
	q.poller = &poller{queue: q, schedule: newSchedule(p.PollMin, p.PollMax, p.Jitter, p.Pacer), waiting: map[string]*waiting{}}
	q.workers.Go(q.poller.run)
	return q
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Accept takes files, by their paths, and http(s) links over, and returns the IDs of their submissions, in the same
// order. It reads no disk: what is wrong with one shows in its submission. After Close it accepts nothing.
func (q *Queue) Accept(pathsOrLinks []string, source submission.Source) []string {
	ids := make([]string, 0, len(pathsOrLinks))
	q.mu.Lock()
	if q.ctx.Err() != nil {
		q.mu.Unlock()
		return nil
	}
	now := q.Now() // one for all: what was handed over together belongs together
	for _, given := range pathsOrLinks {
		it := &item{Submission: submission.Submission{ID: uuid.NewString(), Source: source, State: submission.Waiting, Accepted: now}}
		if link, ok := asLink(given); ok {
			it.Link, it.Name = link, linkName(link)
		} else {
			it.Path, it.Name = given, media.DisplayName(filepath.Base(given))
			it.Type, _ = media.TypeOf(given) // what is no supported type has none
		}
		q.items[it.ID] = it
		q.order = append(q.order, it.ID)
		ids = append(ids, it.ID)
	}
	q.mu.Unlock()
	for _, id := range ids {
		q.emit(id)
		q.start(id)
	}
	return ids
}

// start runs a submission on a goroutine of its own, unless it runs already.
func (q *Queue) start(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	it := q.items[id]
	if q.ctx.Err() != nil || it == nil || it.cancel != nil {
		return
	}
	ctx, cancel := context.WithCancel(q.ctx)
	it.cancel = cancel
	run := func() error { return q.runLink(ctx, it) }
	if it.Link == "" {
		check := q.checks.stand() // here, so that files are looked at in the order in which they were accepted
		run = func() error { return q.run(ctx, it, check) }
	}
	q.workers.Go(func() {
		defer cancel()
		q.ended(it, run())
	})
}

// emit tells of a change, and of the same change to the submissions that show its answer.
func (q *Queue) emit(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, c := range q.watchers {
		c.add(id)
		for _, other := range q.order {
			if q.items[other].Earlier == id {
				c.add(other)
			}
		}
	}
}

// change updates a submission and tells of it. A cancelled one stays cancelled, however far its run still gets.
func (q *Queue) change(it *item, update func(*submission.Submission)) {
	q.mu.Lock()
	cancelled := it.State == submission.Cancelled
	update(&it.Submission)
	if cancelled {
		it.State = submission.Cancelled
	}
	q.mu.Unlock()
	q.emit(it.ID)
}

// Get returns a submission as it stands; ok is false for an unknown ID. One of bytes that were submitted
// before shows what has become of those.
func (q *Queue) Get(id string) (s submission.Submission, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	it, ok := q.items[id]
	if !ok {
		return submission.Submission{}, false
	}
	return q.view(it), true
}

// All returns every submission, in the order in which they were accepted.
func (q *Queue) All() []submission.Submission {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := make([]submission.Submission, 0, len(q.order))
	for _, id := range q.order {
		all = append(all, q.view(q.items[id]))
	}
	return all
}

// view copies a submission; q.mu is held.
func (q *Queue) view(it *item) submission.Submission {
	s := it.Submission
	if first := q.items[s.Earlier]; first != nil && s.State != submission.Cancelled {
		s.State, s.Result, s.Problem, s.Delay = first.State, first.Result, first.Problem, first.Delay
		s.Sent, s.Rate = first.Sent, first.Rate
		s.RequestID, s.Uploaded, s.Answered = first.RequestID, first.Uploaded, first.Answered
	}
	return s
}

// Cancel ends a submission at once; what the service already has stays there.
func (q *Queue) Cancel(id string) {
	q.mu.Lock()
	it := q.items[id]
	if it == nil || q.view(it).State.Ended() {
		q.mu.Unlock()
		return
	}
	it.State, it.Delay = submission.Cancelled, ""
	if it.cancel != nil {
		it.cancel()
	}
	q.mu.Unlock()
	q.emit(id)
}

// Retry lets an ended submission that has no result go on where it stood: what the service already has is not sent again.
func (q *Queue) Retry(id string) {
	q.mu.Lock()
	it := q.items[id]
	if it != nil && it.Earlier != "" && it.State != submission.Cancelled {
		it = q.items[it.Earlier]
	}
	if it == nil || it.cancel != nil || !it.State.Ended() || it.State == submission.Done {
		q.mu.Unlock()
		return
	}
	it.State, it.Problem, it.Delay, it.Sent, it.Rate = submission.Waiting, "", "", 0, 0
	q.mu.Unlock()
	q.emit(it.ID)
	q.start(it.ID)
}

// Remove forgets an ended submission that is no other's earlier one; others are left as they are.
func (q *Queue) Remove(id string) {
	q.mu.Lock()
	it := q.items[id]
	if it == nil || it.cancel != nil || !it.State.Ended() && it.Earlier == "" {
		q.mu.Unlock()
		return
	}
	for _, other := range q.items {
		if other.Earlier == id {
			q.mu.Unlock()
			return
		}
	}
	delete(q.items, id)
	q.order = slices.DeleteFunc(q.order, func(o string) bool { return o == id })
	if q.firsts[it.Content()] == id {
		delete(q.firsts, it.Content())
	}
	q.mu.Unlock()
	q.emit(id)
}

// Close stops all work and waits for it.
func (q *Queue) Close() {
	q.mu.Lock()
	q.stop()
	q.mu.Unlock()
	q.workers.Wait()
}

// ended writes down how a run came out.
func (q *Queue) ended(it *item, err error) {
	q.mu.Lock()
	it.cancel = nil
	it.Delay = ""
	state := it.State
	switch {
	case err == nil || state == submission.Cancelled || q.ctx.Err() != nil:
	default:
		it.State, it.Problem = submission.Failed, sentence(err)
		var refusal *media.Refusal
		var unfit *unfitLink
		if errors.As(err, &refusal) || errors.As(err, &unfit) {
			it.State = submission.Refused
		}
		if q.firsts[it.Content()] == it.ID && it.State == submission.Refused {
			delete(q.firsts, it.Content())
		}
	}
	state, problem := it.State, it.Problem
	q.mu.Unlock()
	q.Log.Info("submission ended", "id", it.ID, "state", state, "problem", problem, "error", err)
	q.emit(it.ID)
}

// sentence is what a person reads of an error.
func sentence(err error) string {
	var (
		refusal *media.Refusal
		changed *media.Changed
		service *client.Error
	)
	switch {
	case errors.As(err, &refusal):
		return refusal.Error()
	case errors.As(err, &changed):
		return changed.Error()
	case errors.As(err, &service):
		return service.Sentence()
	}
	return "Something unexpected went wrong: " + err.Error()
}
