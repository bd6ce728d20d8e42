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

// Params are what a Keeper is built from. Client and Vault are required. The callbacks run on the keeper's goroutines and
// do not call Close.
type Params struct {
	Client *client.Client
	Vault  Vault
	AtOnce int // downloads at a time; 0: 2
	// Originals says whose original is kept, too; nil: of those that have no file on this computer.
	Originals func(submission.Submission) bool
	OnKept    func(submissionID string) // something of it has been kept; a second call may follow at once
	// OnAudio tells of the result of a video's sound, after it has been kept as AudioResult. The submission may lack its Result.
	OnAudio func(submission.Submission, *client.Result)
	// OnTrouble says why nothing can be kept for now, in a sentence or two for the person, and "" once something can again.
	OnTrouble func(sentence string)

	Now func() time.Time
	// Wait returns after d, or earlier with ctx's error. It is how the keeper lets time pass.
	Wait   func(ctx context.Context, d time.Duration) error
	Jitter func() float64 // a number from 0 to under 1 that spreads attempts; nil: a random one
	Log    *slog.Logger   // it gets no address
}

// heldAtOnce is of how many submissions the results wait in memory. Those of others are fetched when it is their turn.
const heldAtOnce = 256

// Keeper keeps what belongs to the submissions that it was given: small things first, whosever they are, originals last.
// All methods are safe on any goroutine and return at once, but for Missing, Idle, Settle and Close.
type Keeper struct {
	Params
	ctx     context.Context
	stop    context.CancelFunc
	workers sync.WaitGroup
	loop    retry.Loop

	mu       sync.Mutex
	jobs     map[string]*job // by requestId
	held     int             // of these, those whose result waits in memory
	pieces   []*piece        // what is to be done
	seq      int             // of the last job
	underWay int
	waiters  []*waiter
	moved    atomic.Int64 // bytes that were written

	hold    retry.Hold // for all
	worked  int        // how much was kept: a failure that began before the last of it says nothing about all
	trouble string     // as OnTrouble was told
}

// job is a submission with something to be kept.
type job struct {
	submission.Submission // Result is nil where it is to be fetched
	seq                   int
	held                  bool
	left                  int // pieces
}

// New returns a keeper that waits for submissions. Close ends it.
func New(p Params) *Keeper {
	if p.AtOnce <= 0 {
		p.AtOnce = 2
	}
	if p.Originals == nil {
		p.Originals = func(s submission.Submission) bool { return s.Path == "" }
	}
	if p.OnKept == nil {
		p.OnKept = func(string) {}
	}
	if p.OnAudio == nil {
		p.OnAudio = func(submission.Submission, *client.Result) {}
	}
	if p.OnTrouble == nil {
		p.OnTrouble = func(string) {}
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
	k := &Keeper{Params: p, loop: retry.Loop{Wait: p.Wait}, jobs: map[string]*job{}}
	k.ctx, k.stop = context.WithCancel(context.Background())
	k.workers.Go(func() { k.loop.Run(k.ctx, k.begin) })
	return k
}

// Take keeps what belongs to a submission that has a final result and is not kept yet. One that is being kept is not taken
// twice; others than answered ones are none of it.
func (k *Keeper) Take(sub submission.Submission) {
	if !due(sub) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ctx.Err() != nil || k.jobs[sub.RequestID] != nil {
		return
	}
	k.seq++
	j := &job{Submission: sub, seq: k.seq, held: k.held < heldAtOnce}
	look := &piece{job: j, rank: rankLook, do: k.look}
	if j.held {
		k.held++
	} else {
		j.Result, look.rank = nil, rankLookLater
	}
	k.jobs[sub.RequestID] = j
	k.add(look)
}

func due(sub submission.Submission) bool {
	return sub.State == submission.Done && sub.RequestID != "" && sub.Result != nil
}

// add puts pieces into the queue; k.mu is held.
func (k *Keeper) add(pieces ...*piece) {
	for _, p := range pieces {
		p.job.left++
		k.pieces = append(k.pieces, p)
	}
	k.loop.Wake()
}

// Missing takes those of the submissions, answered lately, of which something is not in the vault: for a start after a
// run that ended before all was kept. It asks the vault, and returns how many it took.
func (k *Keeper) Missing(ctx context.Context, lately []submission.Submission) (taken int, err error) {
	for _, sub := range lately {
		if !due(sub) {
			continue
		}
		pieces, err := k.missing(ctx, &job{Submission: sub}, sub.Result, nil)
		if err != nil {
			return taken, err
		}
		if len(pieces) > 0 {
			k.Take(sub)
			taken++
		}
	}
	return taken, nil
}

// TryNow ends all waiting for another attempt: the network is back, the key was replaced, the disk has room.
func (k *Keeper) TryNow() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.hold.Over()
	for _, p := range k.pieces {
		p.due = time.Time{}
	}
	k.add()
}

// Waiting is of how many submissions something is still to be kept.
func (k *Keeper) Waiting() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.jobs)
}

// Idle waits until nothing is left to be kept, or ctx ends, or the keeper is closed.
func (k *Keeper) Idle(ctx context.Context) error {
	return k.until(ctx, func() bool { return len(k.jobs) == 0 })
}

// stuckAfter is how long nothing may move for Settle to go on waiting.
const stuckAfter = 5 * time.Second

// Settle is Idle for a program that ends with its work: it waits for what is being kept, as long as that moves, and not for what has
// failed and is tried again later, which Missing takes up in another run.
func (k *Keeper) Settle(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	var watch sync.WaitGroup
	defer watch.Wait()
	defer stop()
	watch.Go(func() {
		for before := k.moved.Load(); k.Wait(ctx, stuckAfter) == nil; before = k.moved.Load() {
			if k.moved.Load() == before {
				stop()
			}
		}
	})
	_ = k.until(ctx, func() bool { return !k.works() }) // an ended wait is no failure
}

// works reports whether something is being kept, or can be now; k.mu is held.
func (k *Keeper) works() bool {
	now := k.Now()
	return slices.ContainsFunc(k.pieces, func(p *piece) bool {
		return p.running && !p.failing || !p.running && !p.due.After(now) && !k.hold.Until.After(now)
	})
}

// until waits until something is so, which is asked with k.mu held.
func (k *Keeper) until(ctx context.Context, so func() bool) error {
	k.mu.Lock()
	if so() {
		k.mu.Unlock()
		return nil
	}
	w := &waiter{so: so, over: make(chan struct{})}
	k.waiters = append(k.waiters, w)
	k.mu.Unlock()
	select {
	case <-w.over:
		return nil
	case <-k.ctx.Done():
		return k.ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// waiter waits until something is so.
type waiter struct {
	so   func() bool
	over chan struct{} // closed then
}

// tellWaiters lets those go on for whom it is so; k.mu is held.
func (k *Keeper) tellWaiters() {
	k.waiters = slices.DeleteFunc(k.waiters, func(w *waiter) bool {
		if !w.so() {
			return false
		}
		close(w.over)
		return true
	})
}

// Close ends the downloads under way and waits for them. What is not kept yet, Missing takes up again.
func (k *Keeper) Close() {
	k.mu.Lock()
	k.stop()
	k.mu.Unlock()
	k.workers.Wait()
}
