// Package pull brings the results on the service that are not here yet: the person's own uploads from other computers and
// programs. It imports client, i18n, client/media, client/submission and uuid, and speaks to the store through an interface of its own.
package pull

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"sync"
	"time"

	"assay/client"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/submission"
)

// Client lists what is on the service; *client.Client is one.
type Client interface {
	Pages(ctx context.Context, q client.ListQuery) iter.Seq2[[]*client.Result, error]
}

// Store keeps what was pulled; *store.Store is one.
type Store interface {
	ByRequest(ctx context.Context, requestIDs []string) (map[string]string, error)
	Add(ctx context.Context, subs []submission.Submission) ([]submission.Submission, error)
	Fact(ctx context.Context, name string) (string, error)
	SetFact(ctx context.Context, name, value string) error
}

// Params are what a Puller is built from. Client and Store are required. The callbacks run on the goroutine of the pull
// and do not call Close.
type Params struct {
	Client Client
	Store  Store
	// Account names whose results these are, such as the service's address: how far a pull of another account came says
	// nothing about this one's. It holds no secret, as it is written down.
	Account string
	Size    int // results per page, 0: client.DefaultListSize
	// Claimed reports whether a result that is not known here by its requestId may be the one that a submission on its way
	// still looks for: it is left to that. nil: none is.
	Claimed func(*client.Result) bool
	// OnUnfinished takes the submissions whose results the service still works on over, to wait for them (intake.Queue's Adopt).
	// They are in no store: when it returns without an error, they are on disk, since the pull does not come back to them.
	OnUnfinished func(context.Context, []submission.Submission) error
	OnAdded      func([]submission.Submission) // after these have been written down
	// Events is told when State has changed: events.Pull. nil: nobody is.
	Events *events.Hub
	Now    func() time.Time
	Log    *slog.Logger
}

// Puller pulls, one pull at a time. All methods are safe on any goroutine and return at once, but for Close.
type Puller struct {
	Params
	ctx     context.Context
	stop    context.CancelFunc
	workers sync.WaitGroup

	mu     sync.Mutex
	state  State
	cancel context.CancelFunc // of the pull under way; nil: there is none
	ending bool               // it was told to end
	again  bool               // another is to begin when it has ended
}

// New returns a puller at rest. Close ends it.
func New(p Params) *Puller {
	if p.Size <= 0 {
		p.Size = client.DefaultListSize
	}
	if p.Claimed == nil {
		p.Claimed = func(*client.Result) bool { return false }
	}
	if p.OnUnfinished == nil {
		p.OnUnfinished = func(context.Context, []submission.Submission) error { return nil }
	}
	if p.OnAdded == nil {
		p.OnAdded = func([]submission.Submission) {}
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	puller := &Puller{Params: p, state: State{Phase: Idle}}
	puller.ctx, puller.stop = context.WithCancel(context.Background())
	return puller
}

// Start pulls what is new since the last pull that came to its end, or goes on with one that did not, this run's or an
// earlier one's. While one is under way it does nothing.
func (p *Puller) Start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.ctx.Err() != nil:
	case p.cancel == nil:
		p.begin()
	case p.ending:
		p.again = true
	}
}

// begin runs a pull on a goroutine of its own; p.mu is held.
func (p *Puller) begin() {
	ctx, cancel := context.WithCancel(p.ctx)
	p.cancel, p.ending, p.again = cancel, false, false
	p.state = State{Phase: Running, Began: p.Now()}
	p.workers.Go(func() {
		p.Events.Publish(events.Event{Topic: events.Pull})
		err := p.pull(ctx)
		if err == nil {
			err = ofStore(p.Store.SetFact(ctx, factFetched, p.Now().UTC().Format(time.RFC3339)))
		}
		p.end(ctx, err)
		cancel()
	})
}

// end writes down how a pull came out, and begins the next one that was asked for.
func (p *Puller) end(ctx context.Context, err error) {
	p.mu.Lock()
	p.cancel = nil
	p.state.Ended = p.Now()
	p.state.Phase = Idle
	switch {
	case err != nil && ctx.Err() != nil:
		p.state.Stopped = true
	case err != nil:
		p.state.Phase, p.state.Problem = Failed, messageOf(err)
	}
	s := p.state
	if p.again && p.ctx.Err() == nil {
		p.begin()
	}
	p.mu.Unlock()
	p.Log.Info("pull ended", "phase", s.Phase, "stopped", s.Stopped, "found", s.Found, "added", s.Added,
		"unfinished", s.Unfinished, "skipped", s.Skipped, "error", err)
	p.Events.Publish(events.Event{Topic: events.Pull})
}

// Stop ends the pull under way; Start goes on with it.
func (p *Puller) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cancel != nil {
		p.ending, p.again = true, false
		p.cancel()
	}
}

// Close ends the pull under way and waits for it.
func (p *Puller) Close() {
	p.mu.Lock()
	p.stop()
	p.mu.Unlock()
	p.workers.Wait()
}

// State is how the pull under way, or the last one of this run, stands.
func (p *Puller) State() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state
}

// factFetched is the store's fact of when the whole list was fetched last.
const factFetched = "pull.fetched"

// Fetched is when the whole list was fetched last; zero: never. It reads the disk.
func (p *Puller) Fetched(ctx context.Context) time.Time {
	value, err := p.Store.Fact(ctx, factFetched)
	if err != nil {
		p.Log.Error("read when the list was fetched", "error", err)
	}
	at, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return time.Time{}
	}
	return at
}

// note changes the state and tells of it.
func (p *Puller) note(change func(*State)) {
	p.mu.Lock()
	change(&p.state)
	p.mu.Unlock()
	p.Events.Publish(events.Event{Topic: events.Pull})
}

// Phase is what a Puller does.
type Phase string

// The phases.
const (
	Idle    Phase = "idle"    // none is under way; the last one came to its end or was stopped
	Running Phase = "running" //
	Failed  Phase = "failed"  // the last one broke off: State.Problem says why, Start goes on with it
)

// State is how a pull stands.
type State struct {
	Phase      Phase
	Found      int // results seen on the service, each once
	Added      int // of these, those that were not here and are now
	Unfinished int // of these, those that were handed over to be waited for
	Skipped    int // entries without an identifier: nothing can be done with them

	Stopped bool         // it was ended by Stop or Close before it came to its end
	Began   time.Time    // zero: there was none in this run
	Ended   time.Time    // zero while one is under way
	Problem i18n.Message // for the person, where Phase is Failed
}

// messageOf is what a person reads of an error.
func messageOf(err error) i18n.Message {
	var disk *storeError
	if errors.As(err, &disk) {
		return i18n.M("Your uploads on the service could not be written down on this computer. Check that its disk has room.")
	}
	return i18n.MessageOf(err, i18n.M("Something unexpected went wrong: %s", err.Error()))
}

// storeError is a failure of the store, not of the service.
type storeError struct{ error }

func (s *storeError) Unwrap() error { return s.error }

func ofStore(err error) error {
	if err == nil {
		return nil
	}
	return &storeError{err}
}
