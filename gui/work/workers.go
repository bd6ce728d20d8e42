// Package work runs what must not run on the UI thread, and hands back closures for it. It imports the standard library alone.
package work

import (
	"context"
	"sync"
)

// Workers run what must not run on the UI thread: a few at a time, ended and waited for by Close.
type Workers struct {
	ctx   context.Context
	stop  context.CancelFunc
	group sync.WaitGroup
	slots chan struct{}
	ui    func(func())

	mu    sync.Mutex
	ended bool
}

// New returns workers of which at most n run at a time. ui runs a closure on the UI thread, later and
// without waiting for it.
func New(n int, ui func(func())) *Workers {
	w := &Workers{slots: make(chan struct{}, n), ui: ui}
	w.ctx, w.stop = context.WithCancel(context.Background())
	return w
}

// Do runs work on a worker, then the closure that it returns on the UI thread. Once cancelled, a closure that
// has not begun yet never will. cancel must be called on the UI thread. After End or Close, Do does nothing.
func (w *Workers) Do(work func(ctx context.Context) (show func())) (cancel context.CancelFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return func() {}
	}
	ctx, cancel := context.WithCancel(w.ctx)
	w.group.Go(func() {
		select {
		case w.slots <- struct{}{}:
			defer func() { <-w.slots }()
		case <-ctx.Done():
			return
		}
		show := work(ctx)
		if show == nil || ctx.Err() != nil {
			cancel() // lets go of ctx
			return
		}
		w.ui(func() {
			if ctx.Err() == nil {
				show()
			}
			cancel()
		})
	})
	return cancel
}

// End ends all work, without waiting for it: no closure of it runs on the UI thread any more, if it is called there.
func (w *Workers) End() {
	w.mu.Lock()
	w.ended = true
	w.mu.Unlock()
	w.stop()
}

// Finish takes nothing on any more and waits until all that there is has been done. Where ctx ends first, it ends the work.
func (w *Workers) Finish(ctx context.Context) {
	w.mu.Lock()
	w.ended = true
	w.mu.Unlock()
	stop := context.AfterFunc(ctx, w.stop)
	defer stop()
	w.group.Wait()
}

// Close ends all work and waits for it.
func (w *Workers) Close() {
	w.End()
	w.group.Wait()
}
