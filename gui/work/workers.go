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
}

// New returns workers of which at most n run at a time. ui runs a closure on the UI thread, later and
// without waiting for it.
func New(n int, ui func(func())) *Workers {
	w := &Workers{slots: make(chan struct{}, n), ui: ui}
	w.ctx, w.stop = context.WithCancel(context.Background())
	return w
}

// Do runs work on a worker, then the closure that it returns on the UI thread. Once cancelled, a closure that
// has not begun yet never will. cancel must be called on the UI thread.
func (w *Workers) Do(work func(ctx context.Context) (show func())) (cancel context.CancelFunc) {
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

// Close ends all work and waits for it.
func (w *Workers) Close() {
	w.stop()
	w.group.Wait()
}
