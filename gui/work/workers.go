// Package work runs what must not run on the UI thread, and passes closures back to it. It imports the standard library alone.
package work

import (
	"context"
	"sync"
)

// Workers run work off the UI thread, a few pieces at a time, which Close ends and waits for.
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

// Do runs work on a worker, then the closure that it returns on the UI thread. After cancel, a closure that has not begun never will. cancel must be
// called on the UI thread. After End or Close, Do does nothing.
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
			cancel() // releases ctx
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

// End cancels all work, without waiting for it. If it is called on the UI thread, no closure runs there any more.
func (w *Workers) End() {
	w.mu.Lock()
	w.ended = true
	w.mu.Unlock()
	w.stop()
}

// Finish accepts no more work and waits until all of it is done. If ctx ends first, it cancels the work.
func (w *Workers) Finish(ctx context.Context) {
	w.mu.Lock()
	w.ended = true
	w.mu.Unlock()
	stop := context.AfterFunc(ctx, w.stop)
	defer stop()
	w.group.Wait()
}

// Close cancels all work and waits for its end.
func (w *Workers) Close() {
	w.End()
	w.group.Wait()
}
