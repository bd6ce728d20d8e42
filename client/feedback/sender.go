// Package feedback keeps a person's judgements on results until the service has them, once. It imports client and client/store
// (its types alone).
package feedback

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"assay/client"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/retry"
	"assay/client/store"
	"assay/client/wait"
)

// UndoFor is how long a judgement can be taken back for certain: it is not sent before.
const UndoFor = 5 * time.Second

// HoldFor is how long one waits for a comment that is being written.
const HoldFor = 10 * time.Minute

// closeGrace is how long Close waits for an answer that is under way, so that its outcome is known.
const closeGrace = 5 * time.Second

// Store is where judgements are kept; *store.Store is one.
type Store interface {
	AddFeedback(ctx context.Context, f store.Feedback) (store.Feedback, error)
	SaveFeedback(ctx context.Context, f store.Feedback) error
	RemoveFeedback(ctx context.Context, id string) error
	UnsentFeedback(ctx context.Context) ([]store.Feedback, error)
	FeedbackOf(ctx context.Context, requestID string) ([]store.Feedback, error)
	FeedbackByID(ctx context.Context, id string) (f store.Feedback, ok bool, err error)
}

// Client sends; *client.Client is one.
type Client interface {
	SendFeedback(ctx context.Context, f client.Feedback) (client.FeedbackRecord, error)
}

// Params are what a Sender is built from. Store and Client are required.
type Params struct {
	Store  Store
	Client Client
	// Events is told when the judgements on a result stand differently: events.Feedback. nil: one of the sender's own.
	Events *events.Hub

	Now func() time.Time
	// Wait returns after d, or earlier with ctx's error. It is how the sender lets time pass.
	Wait   func(ctx context.Context, d time.Duration) error
	Jitter func() float64 // a number from 0 to under 1 that spreads attempts; nil: a random one
	Log    *slog.Logger   // it gets no comment
}

// Sender sends what was judged, one at a time and the oldest first. What is on disk before each step keeps a crash from
// losing one or sending it twice: "waiting" is certainly not with the service; "sending" is kept before the call, so that one
// found so by a later run has an unknown outcome, and is sent again only when the person says so. All methods are safe on any
// goroutine; all but TryNow wait for the disk.
type Sender struct {
	Params
	ctx    context.Context // ends when the sender closes
	stop   context.CancelFunc
	calls  context.Context // ends with the patience for the call under way
	hangUp context.CancelFunc
	worker sync.WaitGroup
	loop   retry.Loop

	actions sync.Mutex // held during an action of the person: one after the other

	mu      sync.Mutex
	pending []*entry     // what the service may not have, in the order given
	hold    retry.Hold   // for all
	stopped bool         // nothing is sent until TryNow
	reason  i18n.Message // for either
	// failures is how often all had to wait.
	failures int
}

// entry is a judgement as it is, which the disk may not know yet.
type entry struct {
	store.Feedback
	busy     bool // the sender works with it: nobody else changes it
	unsaved  bool // the disk did not take it as it is
	attempts int  // of this run
}

// Open takes up what an earlier run left, and begins to send. Close ends it.
func Open(ctx context.Context, p Params) (*Sender, error) {
	if p.Events == nil {
		p.Events = new(events.Hub)
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Wait == nil {
		p.Wait = wait.For
	}
	if p.Jitter == nil {
		p.Jitter = rand.Float64
	}
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	left, err := p.Store.UnsentFeedback(ctx)
	if err != nil {
		return nil, err
	}
	s := &Sender{Params: p, loop: retry.Loop{Wait: p.Wait}}
	s.ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	s.calls, s.hangUp = context.WithCancel(context.WithoutCancel(ctx))
	for _, f := range left {
		s.resume(f)
	}
	s.worker.Go(s.run)
	return s, nil
}

// resume begins where an earlier run ended.
func (s *Sender) resume(f store.Feedback) {
	e := &entry{Feedback: f}
	switch f.State {
	case store.FeedbackWaiting:
		if soon := s.Now().Add(UndoFor); e.Due.After(soon) { // a comment that is no longer being written, or another clock
			e.Due = soon
		}
	case store.FeedbackSending:
		e.State, e.Problem, e.unsaved = store.FeedbackUnknown, i18n.M("Assay ended before the service answered."), true
	case store.FeedbackUnknown:
	default:
		return
	}
	s.pending = append(s.pending, e)
}

// Close stops sending and waits for the call under way, for a while. What was not sent is taken up by the next run.
func (s *Sender) Close() {
	s.stop()
	patience, answered := context.WithCancel(context.Background())
	var watch sync.WaitGroup
	watch.Go(func() {
		if s.Wait(patience, closeGrace) == nil {
			s.hangUp()
		}
	})
	s.worker.Wait()
	answered()
	watch.Wait()
	s.hangUp()
}

// TryNow ends the waiting for the network or for another key: there may be one. It returns at once.
func (s *Sender) TryNow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold.Until, s.stopped = time.Time{}, false // the pauses go on growing until something was sent
	s.loop.Wake()
}

// notify publishes that something changed.
func (s *Sender) notify(requestIDs ...string) {
	for _, id := range requestIDs {
		s.Events.Publish(events.Event{Topic: events.Feedback, ID: id})
	}
}

// Of returns the judgements on a result, the oldest first. A waiting one's Problem says what it waits for, beside its time.
func (s *Sender) Of(ctx context.Context, requestID string) ([]store.Feedback, error) {
	all, err := s.Store.FeedbackOf(ctx, requestID)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range all {
		if e := s.find(f.ID); e != nil {
			all[i] = s.view(e)
		}
	}
	return all, nil
}

// view is an entry as it is to be shown; s.mu is held.
func (s *Sender) view(e *entry) store.Feedback {
	f := e.Feedback
	now := s.Now()
	if f.State == store.FeedbackWaiting && f.Problem.IsZero() && !f.Due.After(now) && (s.stopped || s.hold.Until.After(now)) {
		f.Problem = s.reason
	}
	return f
}

// find is the entry of an ID, nil where there is none; s.mu is held.
func (s *Sender) find(id string) *entry {
	i := slices.IndexFunc(s.pending, func(e *entry) bool { return e.ID == id })
	if i < 0 {
		return nil
	}
	return s.pending[i]
}

// forget drops an entry that is done with; s.mu is held.
func (s *Sender) forget(e *entry) {
	s.pending = slices.DeleteFunc(s.pending, func(other *entry) bool { return other == e })
}
