// Package vault fills the vault: it fetches the artifacts of a final result as soon as it is known, since their links die
// after 900 s. It imports client, i18n, client/store (its types alone) and client/submission.
package vault

import (
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"assay/client"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/retry"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/wait"
)

// Vault keeps artifacts, and the answer on a clip's voice beside the clip's; *store.Store implements it.
type Vault interface {
	Keep(ctx context.Context, requestID, kind, model string, write func(io.Writer) error) (store.Artifact, error)
	Artifacts(ctx context.Context, requestID string) ([]store.Artifact, error)
	AnswerVoice(ctx context.Context, requestID string, voice *client.Result) error
}

// Params are what a Fetcher is built from. Client and Vault are required. Callbacks run on the fetcher's goroutines and must not call Close.
type Params struct {
	Client *client.Client
	Vault  Vault
	AtOnce int // downloads at a time; 0: 2
	// Originals reports whether a submission's original is fetched as well; nil: if it has no file on this computer.
	Originals func(submission.Submission) bool
	// Events gets what was kept: events.Artifacts for an artifact, and Sound for an AudioResult; and Notice when Problem has changed. nil: nothing.
	Events *events.Hub

	Now func() time.Time
	// Wait returns after d, or earlier with ctx's error. All waits of the fetcher use it, so that tests need not wait.
	Wait   func(ctx context.Context, d time.Duration) error
	Jitter func() float64 // a number from 0 to below 1 that spreads retries; nil: a random one
	Log    *slog.Logger   // it gets no URL
}

// resultsAtOnce is of how many submissions the results are held in memory. For further ones the result is fetched when it is needed.
const resultsAtOnce = 256

// Fetcher fetches the artifacts of submissions into the vault: small ones first, of whichever submission, and originals last. Its methods may be
// called on any goroutine and return at once, except FetchMissing, Settle and Close.
type Fetcher struct {
	Params
	ctx     context.Context
	stop    context.CancelFunc
	workers sync.WaitGroup
	loop    retry.Loop

	mu       sync.Mutex
	jobs     map[string]*job // by request ID
	inMemory int             // how many of these hold their result in memory
	tasks    []*task         // still to be done
	seq      int             // of the last job
	underWay int
	waiters  []*waiter
	moved    atomic.Int64 // bytes written

	hold    retry.Hold   // a pause of all tasks
	worked  int          // how many artifacts were kept: a failure that began before the last one says nothing about all tasks
	problem i18n.Message // see Problem
}

// job is a submission with artifacts to be fetched.
type job struct {
	submission.Submission // Result is nil where it must be fetched first
	seq                   int
	voiced                bool // the answer on its voice is kept beside its own
	inMemory              bool
	left                  int // tasks left
}

// New returns a fetcher; Close ends it.
func New(p Params) *Fetcher {
	if p.AtOnce <= 0 {
		p.AtOnce = 2
	}
	if p.Originals == nil {
		p.Originals = func(s submission.Submission) bool { return s.Path == "" }
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
	f := &Fetcher{Params: p, loop: retry.Loop{Wait: p.Wait}, jobs: map[string]*job{}}
	f.ctx, f.stop = context.WithCancel(context.Background())
	f.workers.Go(func() { f.loop.Run(f.ctx, f.begin) })
	return f
}

// Fetch fetches the artifacts of an answered submission that are not in the vault. If it is doing so already, or the submission has no final answer,
// it does nothing; nor where a colleague has the answer: the key here may be that of another account.
func (f *Fetcher) Fetch(sub submission.Submission) {
	if !due(sub) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ctx.Err() != nil || f.jobs[sub.RequestID] != nil {
		return
	}
	f.seq++
	j := &job{Submission: sub, seq: f.seq, voiced: sub.Result.Voice != nil, inMemory: f.inMemory < resultsAtOnce}
	look := &task{job: j, rank: rankPlan, do: f.plan}
	if j.inMemory {
		f.inMemory++
	} else {
		j.Result, look.rank = nil, rankPlanLater
	}
	f.jobs[sub.RequestID] = j
	f.add(look)
}

// due reports whether the service may have artifacts of a result for this person: of a colleague's answer it has none.
func due(sub submission.Submission) bool {
	return sub.State == submission.Done && sub.RequestID != "" && sub.Result != nil && sub.AnsweredBy == submission.Colleague{}
}

// add queues tasks; f.mu is held.
func (f *Fetcher) add(tasks ...*task) {
	for _, p := range tasks {
		p.job.left++
		f.tasks = append(f.tasks, p)
	}
	f.loop.Wake()
}

// FetchMissing fetches the artifacts of recently answered submissions that are not in the vault: for the start after a run that ended too early. It
// asks the vault, and returns how many submissions lack any.
func (f *Fetcher) FetchMissing(ctx context.Context, lately []submission.Submission) (taken int, err error) {
	for _, sub := range lately {
		if !due(sub) {
			continue
		}
		tasks, err := f.missingTasks(ctx, &job{Submission: sub, voiced: sub.Result.Voice != nil}, sub.Result, nil)
		if err != nil {
			return taken, err
		}
		if len(tasks) > 0 {
			f.Fetch(sub)
			taken++
		}
	}
	return taken, nil
}

// TryNow ends all pauses: the network is back, the key was replaced, or the disk has room.
func (f *Fetcher) TryNow() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hold.Over()
	for _, p := range f.tasks {
		p.due = time.Time{}
	}
	f.add()
}

// Waiting is how many submissions have artifacts still to be fetched.
func (f *Fetcher) Waiting() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.jobs)
}

// stuckAfter is after how long without progress Settle stops waiting.
const stuckAfter = 5 * time.Second

// Settle is for a program that is about to end: it waits for downloads under way as long as they progress, but not for what has failed and is tried
// again later, which FetchMissing does in another run.
func (f *Fetcher) Settle(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	var watch sync.WaitGroup
	defer watch.Wait()
	defer stop()
	watch.Go(func() {
		for before := f.moved.Load(); f.Wait(ctx, stuckAfter) == nil; before = f.moved.Load() {
			if f.moved.Load() == before {
				stop()
			}
		}
	})
	_ = f.until(ctx, func() bool { return !f.works() }) // that ctx has ended is no failure
}

// works reports whether a task is under way, or could begin now; f.mu is held.
func (f *Fetcher) works() bool {
	now := f.Now()
	return slices.ContainsFunc(f.tasks, func(p *task) bool {
		return p.running && !p.failing || !p.running && !p.due.After(now) && !f.hold.Until.After(now)
	})
}

// until waits until so returns true, which is called with f.mu held.
func (f *Fetcher) until(ctx context.Context, so func() bool) error {
	f.mu.Lock()
	if so() {
		f.mu.Unlock()
		return nil
	}
	w := &waiter{so: so, over: make(chan struct{})}
	f.waiters = append(f.waiters, w)
	f.mu.Unlock()
	select {
	case <-w.over:
		return nil
	case <-f.ctx.Done():
		return f.ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// waiter is one call of until.
type waiter struct {
	so   func() bool
	over chan struct{} // closed once so is true
}

// wakeWaiters wakes the waiters whose condition is true; f.mu is held.
func (f *Fetcher) wakeWaiters() {
	f.waiters = slices.DeleteFunc(f.waiters, func(w *waiter) bool {
		if !w.so() {
			return false
		}
		close(w.over)
		return true
	})
}

// Close ends the downloads under way and waits for them. FetchMissing fetches the rest in another run.
func (f *Fetcher) Close() {
	f.mu.Lock()
	f.stop()
	f.mu.Unlock()
	f.workers.Wait()
}
