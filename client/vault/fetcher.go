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
	"assay/client/retry"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/wait"
)

// Vault is where artifacts are kept; *store.Store is one.
type Vault interface {
	Keep(ctx context.Context, requestID, kind, model string, write func(io.Writer) error) (store.Artifact, error)
	Artifacts(ctx context.Context, requestID string) ([]store.Artifact, error)
}

// Params are what a Fetcher is built from. Client and Vault are required. The callbacks run on the fetcher's goroutines and
// do not call Close.
type Params struct {
	Client *client.Client
	Vault  Vault
	AtOnce int // downloads at a time; 0: 2
	// Originals says whose original is kept, too; nil: of those that have no file on this computer.
	Originals func(submission.Submission) bool
	// Events is told what has been kept: events.Artifacts, Sound after the result of a video's sound has been kept as AudioResult; and Notice
	// when Problem says something else. nil: nobody is told.
	Events *events.Hub

	Now func() time.Time
	// Wait returns after d, or earlier with ctx's error. It is how the fetcher lets time pass.
	Wait   func(ctx context.Context, d time.Duration) error
	Jitter func() float64 // a number from 0 to under 1 that spreads attempts; nil: a random one
	Log    *slog.Logger   // it gets no address
}

// resultsAtOnce is of how many submissions the results wait in memory. Those of others are fetched when it is their turn.
const resultsAtOnce = 256

// Fetcher keeps what belongs to the submissions that it was given: small things first, whosever they are, originals last.
// All methods are safe on any goroutine and return at once, but for FetchMissing, Settle and Close.
type Fetcher struct {
	Params
	ctx     context.Context
	stop    context.CancelFunc
	workers sync.WaitGroup
	loop    retry.Loop

	mu       sync.Mutex
	jobs     map[string]*job // by requestId
	inMemory int             // of these, those whose result waits in memory
	tasks    []*task         // what is to be done
	seq      int             // of the last job
	underWay int
	waiters  []*waiter
	moved    atomic.Int64 // bytes that were written

	hold    retry.Hold // for all
	worked  int        // how much was kept: a failure that began before the last of it says nothing about all
	problem string     // see Problem
}

// job is a submission with something to be kept.
type job struct {
	submission.Submission // Result is nil where it is to be fetched
	seq                   int
	inMemory              bool
	left                  int // tasks
}

// New returns a fetcher that waits for submissions. Close ends it.
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

// Fetch keeps what belongs to a submission that has a final result and is not kept yet. One that is being kept is not taken
// twice; others than answered ones are none of it.
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
	j := &job{Submission: sub, seq: f.seq, inMemory: f.inMemory < resultsAtOnce}
	look := &task{job: j, rank: rankPlan, do: f.plan}
	if j.inMemory {
		f.inMemory++
	} else {
		j.Result, look.rank = nil, rankPlanLater
	}
	f.jobs[sub.RequestID] = j
	f.add(look)
}

func due(sub submission.Submission) bool {
	return sub.State == submission.Done && sub.RequestID != "" && sub.Result != nil
}

// add puts tasks into the queue; f.mu is held.
func (f *Fetcher) add(tasks ...*task) {
	for _, p := range tasks {
		p.job.left++
		f.tasks = append(f.tasks, p)
	}
	f.loop.Wake()
}

// FetchMissing takes those of the submissions, answered lately, of which something is not in the vault: for a start after a
// run that ended before all was kept. It asks the vault, and returns how many it took.
func (f *Fetcher) FetchMissing(ctx context.Context, lately []submission.Submission) (taken int, err error) {
	for _, sub := range lately {
		if !due(sub) {
			continue
		}
		tasks, err := f.missingTasks(ctx, &job{Submission: sub}, sub.Result, nil)
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

// TryNow ends all waiting for another attempt: the network is back, the key was replaced, the disk has room.
func (f *Fetcher) TryNow() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hold.Over()
	for _, p := range f.tasks {
		p.due = time.Time{}
	}
	f.add()
}

// Waiting is of how many submissions something is still to be kept.
func (f *Fetcher) Waiting() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.jobs)
}

// stuckAfter is how long nothing may move for Settle to go on waiting.
const stuckAfter = 5 * time.Second

// Settle is for a program that ends with its work: it waits for what is being kept, as long as that moves, and not for what has
// failed and is tried again later, which FetchMissing takes up in another run.
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
	_ = f.until(ctx, func() bool { return !f.works() }) // an ended wait is no failure
}

// works reports whether something is being kept, or can be now; f.mu is held.
func (f *Fetcher) works() bool {
	now := f.Now()
	return slices.ContainsFunc(f.tasks, func(p *task) bool {
		return p.running && !p.failing || !p.running && !p.due.After(now) && !f.hold.Until.After(now)
	})
}

// until waits until something is so, which is asked with f.mu held.
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

// waiter waits until something is so.
type waiter struct {
	so   func() bool
	over chan struct{} // closed then
}

// wakeWaiters lets those go on for whom it is so; f.mu is held.
func (f *Fetcher) wakeWaiters() {
	f.waiters = slices.DeleteFunc(f.waiters, func(w *waiter) bool {
		if !w.so() {
			return false
		}
		close(w.over)
		return true
	})
}

// Close ends the downloads under way and waits for them. What is not kept yet, FetchMissing takes up again.
func (f *Fetcher) Close() {
	f.mu.Lock()
	f.stop()
	f.mu.Unlock()
	f.workers.Wait()
}
