package work_test

import (
	"context"
	"testing"
	"time"

	"assay/gui/work"
)

// limit is how long a test waits for what must happen.
const limit = time.Minute

// start makes workers of n, whose closures for the UI thread arrive at ui.
func start(t *testing.T, n int) (w *work.Workers, ui chan func()) {
	t.Helper()
	ui = make(chan func(), 100)
	w = work.New(n, func(f func()) { ui <- f })
	t.Cleanup(w.Close)
	return w, ui
}

func arrives[T any](t *testing.T, what string, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(limit):
		t.Fatalf("it never came: %s", what)
	}
	panic("unreachable")
}

func TestWorkers(t *testing.T) {
	t.Run("do the work elsewhere, and show it on the UI thread", func(t *testing.T) {
		w, ui := start(t, 1)
		shown := false
		w.Do(func(context.Context) func() { return func() { shown = true } })
		show := arrives(t, "the closure", ui)
		if shown {
			t.Error("it was shown before the UI thread came to it")
		}
		if show(); !shown {
			t.Error("it was not shown")
		}
	})
	t.Run("are at most so many at a time", func(t *testing.T) {
		w, ui := start(t, 2)
		begun, hold := make(chan int, 3), make(chan struct{})
		for i := range 3 {
			w.Do(func(context.Context) func() {
				begun <- i
				<-hold
				return func() {}
			})
		}
		arrives(t, "the first", begun)
		arrives(t, "the second", begun)
		select {
		case i := <-begun:
			t.Errorf("the third, %d, works beside two others", i)
		default:
		}
		close(hold)
		arrives(t, "the third", begun)
		for range 3 {
			arrives(t, "a closure", ui)
		}
	})
	t.Run("show nothing that was cancelled, not even if it was done already", func(t *testing.T) {
		w, ui := start(t, 1)
		shown := false
		cancel := w.Do(func(context.Context) func() { return func() { shown = true } })
		show := arrives(t, "the closure", ui)
		cancel()
		if show(); shown {
			t.Error("it was shown")
		}
	})
	t.Run("end what is cancelled, through its ctx", func(t *testing.T) {
		w, _ := start(t, 1)
		begun, ended := make(chan struct{}), make(chan struct{})
		cancel := w.Do(func(ctx context.Context) func() {
			close(begun)
			<-ctx.Done()
			close(ended)
			return nil
		})
		arrives(t, "the work", begun)
		cancel()
		arrives(t, "its end", ended)
	})
	t.Run("let go of a ctx whose work has nothing to show", func(t *testing.T) {
		w, _ := start(t, 1)
		given := make(chan context.Context, 1)
		w.Do(func(ctx context.Context) func() {
			given <- ctx
			return nil
		})
		arrives(t, "its end", arrives(t, "the work", given).Done())
	})
	t.Run("are ended and waited for by Close", func(t *testing.T) {
		w, _ := start(t, 1)
		begun, ended := make(chan struct{}), false
		w.Do(func(ctx context.Context) func() {
			close(begun)
			<-ctx.Done()
			ended = true
			return nil
		})
		arrives(t, "the work", begun)
		w.Close()
		if !ended {
			t.Error("Close did not wait")
		}
	})
	t.Run("take nothing on once they were ended, while Close waits for the rest", func(t *testing.T) {
		w, ui := start(t, 1)
		begun, hold := make(chan struct{}), make(chan struct{})
		w.Do(func(context.Context) func() {
			close(begun)
			<-hold
			return func() {}
		})
		arrives(t, "the work", begun)
		w.End()
		w.Do(func(context.Context) func() {
			t.Error("it was done")
			return nil
		})()
		close(hold)
		w.Close()
		if len(ui) != 0 {
			t.Error("what was ended is shown")
		}
	})
	t.Run("are finished once all that they were given is done", func(t *testing.T) {
		w, ui := start(t, 1)
		begun, hold := make(chan struct{}), make(chan struct{})
		done := 0
		w.Do(func(context.Context) func() {
			close(begun)
			<-hold
			done++
			return func() {}
		})
		arrives(t, "the work", begun)
		w.Do(func(context.Context) func() {
			done++
			return func() {}
		})
		finished := make(chan struct{})
		go func() {
			w.Finish(t.Context())
			close(finished)
		}()
		close(hold)
		arrives(t, "the end", finished)
		if done != 2 || len(ui) != 2 {
			t.Errorf("%d of 2 done, %d shown", done, len(ui))
		}
	})
	t.Run("are finished at once where there is no time for the rest", func(t *testing.T) {
		w, _ := start(t, 1)
		begun := make(chan struct{})
		w.Do(func(ctx context.Context) func() {
			close(begun)
			<-ctx.Done()
			return nil
		})
		arrives(t, "the work", begun)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		w.Finish(ctx)
	})
}
