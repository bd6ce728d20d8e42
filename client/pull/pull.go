// Package pull fetches the results on the service that are not here yet: the person's uploads from other computers and programs. It imports client,
// i18n, client/media, client/submission and uuid, and uses the store through an interface of its own.
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

// Client lists results; *client.Client implements it.
type Client interface {
	Pages(ctx context.Context, q client.ListQuery) iter.Seq2[[]*client.Result, error]
}

// Store keeps them; *store.Store implements it.
type Store interface {
	ByRequest(ctx context.Context, requestIDs []string) (map[string]string, error)
	Add(ctx context.Context, subs []submission.Submission) ([]submission.Submission, error)
	Fact(ctx context.Context, name string) (string, error)
	SetFact(ctx context.Context, name, value string) error
}

// Params are what a Puller is built from. Client and Store are required. Callbacks run on the goroutine of the pull and must not call Close.
type Params struct {
	Client Client
	Store  Store
	// Account identifies whose results these are, such as by the service's address: the progress of another account does not count. It is written to
	// disk, so it holds no secret.
	Account string
	Size    int // results per page, 0: client.DefaultListSize
	// Claimed reports whether a result of unknown request ID may belong to a submission on its way: then it is left out. nil: none is.
	Claimed func(*client.Result) bool
	// OnUnfinished takes over the submissions whose results are not final, to wait for them (intake.Queue.Adopt). When it returns without an error
	// they must be on disk, since the pull does not come back to them.
	OnUnfinished func(context.Context, []submission.Submission) error
	OnAdded      func([]submission.Submission) // called after these are on disk
	// Events gets events.Pull when State has changed. nil: nothing.
	Events *events.Hub
	Now    func() time.Time
	Log    *slog.Logger
}

// Puller runs one pull at a time. Its methods may be called on any goroutine and return at once, except Close.
type Puller struct {
	Params
	ctx     context.Context
	stop    context.CancelFunc
	workers sync.WaitGroup

	mu     sync.Mutex
	state  State
	cancel context.CancelFunc // ends the pull under way; nil: there is none
	ending bool               // Stop was called
	again  bool               // another pull begins when this one has ended
}

// New returns a puller that does nothing yet. Close ends it.
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

// Start fetches what is new since the last complete pull, or resumes an incomplete one, also of an earlier run. While a pull is under way it does
// nothing.
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

// begin starts a pull on a goroutine of its own; p.mu is held.
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

// end records the outcome of a pull, and begins the next one if it was asked for.
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

// Stop ends the pull under way; Start resumes it.
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

// State is the state of the pull under way, or of the last one in this run.
func (p *Puller) State() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state
}

// factFetched is the name of the fact in the store of when the whole list was last fetched.
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

// note changes the state and publishes it.
func (p *Puller) note(change func(*State)) {
	p.mu.Lock()
	change(&p.state)
	p.mu.Unlock()
	p.Events.Publish(events.Event{Topic: events.Pull})
}

// Phase is what a Puller is doing.
type Phase string

// The phases.
const (
	Idle    Phase = "idle"    // none is under way; the last one was completed or stopped
	Running Phase = "running" //
	Failed  Phase = "failed"  // the last one failed: State.Problem says why, Start resumes it
)

// State is the state of a pull.
type State struct {
	Phase      Phase
	Found      int // results seen on the service, each once
	Added      int // of these, those that were not here and were added
	Unfinished int // of these, those that were handed over to be waited for
	Skipped    int // entries without a request ID, of which no use can be made

	Stopped bool         // Stop or Close ended it early
	Began   time.Time    // zero: there was none in this run
	Ended   time.Time    // zero while one is under way
	Problem i18n.Message // for the person, where Phase is Failed
}

// messageOf is the message of an error for the person.
func messageOf(err error) i18n.Message {
	var disk *storeError
	if errors.As(err, &disk) {
		return i18n.M("Assay could not save the list of your uploads on this computer. Check that the disk has room.")
	}
	return i18n.MessageOf(err, i18n.M("Something unexpected went wrong: %s", err.Error()))
}

// storeError wraps a failure of the store, as opposed to the service.
type storeError struct{ error }

func (s *storeError) Unwrap() error { return s.error }

func ofStore(err error) error {
	if err == nil {
		return nil
	}
	return &storeError{err}
}
