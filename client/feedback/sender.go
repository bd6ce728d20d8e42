// Package feedback keeps a person's feedback on results until the service has it, once. It imports client and client/store (its types alone).
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

// UndoFor is how long a feedback can certainly be undone: it is not sent before.
const UndoFor = 5 * time.Second

// HoldFor is how long a feedback waits for a comment that is being written.
const HoldFor = 10 * time.Minute

// closeGrace is how long Close waits for the call under way, so that its outcome is known.
const closeGrace = 5 * time.Second

// Store keeps feedback; *store.Store implements it.
type Store interface {
	AddFeedback(ctx context.Context, f store.Feedback) (store.Feedback, error)
	SaveFeedback(ctx context.Context, f store.Feedback) error
	RemoveFeedback(ctx context.Context, id string) error
	UnsentFeedback(ctx context.Context) ([]store.Feedback, error)
	FeedbackOf(ctx context.Context, requestID string) ([]store.Feedback, error)
	FeedbackByID(ctx context.Context, id string) (f store.Feedback, ok bool, err error)
}

// Client sends feedback; *client.Client implements it.
type Client interface {
	SendFeedback(ctx context.Context, f client.Feedback) (client.FeedbackRecord, error)
}

// Params are what a Sender is built from. Store and Client are required.
type Params struct {
	Store  Store
	Client Client
	// Events gets events.Feedback when the feedback on a result has changed. nil: a hub of the sender's own.
	Events *events.Hub

	Now func() time.Time
	// Wait returns after d, or earlier with ctx's error. All waits of the sender use it, so that tests need not wait.
	Wait   func(ctx context.Context, d time.Duration) error
	Jitter func() float64 // a number from 0 to below 1 that spreads retries; nil: a random one
	Log    *slog.Logger   // it gets no comment
}

// Sender sends feedback, one at a time and the oldest first. Its state is on disk before each step, so that a crash neither loses one nor sends it
// twice: in state "waiting" the service certainly does not have it; "sending" is saved before the call, so that if a later run finds one in that
// state its outcome is unknown, and it is sent again only when the person says so. Its methods may be called on any goroutine; all but TryNow block
// on the disk.
type Sender struct {
	Params
	ctx    context.Context // ends when the sender closes
	stop   context.CancelFunc
	calls  context.Context // for calls: ends when Close waits no longer for the call under way
	hangUp context.CancelFunc
	worker sync.WaitGroup
	loop   retry.Loop

	actions sync.Mutex // held during an action of the person: one at a time

	mu      sync.Mutex
	pending []*entry     // what the service may not have, in the order in which it was given
	hold    retry.Hold   // a pause for all
	stopped bool         // nothing is sent until TryNow
	reason  i18n.Message // why either
	// failures counts the pauses for all.
	failures int
}

// entry is a feedback in its current state, which may not be on disk yet.
type entry struct {
	store.Feedback
	busy     bool // the sender works on it: nobody else may change it
	unsaved  bool // its state could not be saved
	attempts int  // in this run
}

// Open loads what an earlier run left, and begins to send. Close ends it.
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

// resume queues a feedback of an earlier run.
func (s *Sender) resume(f store.Feedback) {
	e := &entry{Feedback: f}
	switch f.State {
	case store.FeedbackWaiting:
		if soon := s.Now().Add(UndoFor); e.Due.After(soon) { // its comment is not being written any more, or the clock has changed
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

// Close stops sending and waits a while for the call under way. The next run sends the rest.
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

// TryNow ends pauses for the network or the key, which may be back. It returns at once.
func (s *Sender) TryNow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold.Until, s.stopped = time.Time{}, false // later pauses still grow, until something was sent
	s.loop.Wake()
}

// notify publishes a change.
func (s *Sender) notify(requestIDs ...string) {
	for _, id := range requestIDs {
		s.Events.Publish(events.Event{Topic: events.Feedback, ID: id})
	}
}

// Of returns the feedback on a result, the oldest first. While one waits for more than its time, Problem says for what.
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

// view is an entry as it is shown; s.mu is held.
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

// forget drops an entry that needs nothing more; s.mu is held.
func (s *Sender) forget(e *entry) {
	s.pending = slices.DeleteFunc(s.pending, func(other *entry) bool { return other == e })
}
