// Package retry has what is common to work that is tried again after a failure: growing pauses, a pause for all work while nothing can be done, and a
// loop that begins what is due. It imports the standard library.
package retry

import (
	"context"
	"sync"
	"time"
)

// Backoff is how long the pauses after failures are.
type Backoff struct {
	First   time.Duration // after the first failure in a row, at most; doubled after each further one
	Longest time.Duration
}

// Pause is the pause after the n-th failure in a row, counted from 1. jitter is a number from 0 to 1 that keeps callers from returning together; half
// of the pause is always kept, so that pauses grow whatever jitter is.
func (b Backoff) Pause(n int, jitter float64) time.Duration {
	pause := min(b.First, b.Longest)
	for range n - 1 {
		if pause = min(2*pause, b.Longest); pause == b.Longest {
			break
		}
	}
	return pause/2 + time.Duration(jitter*float64(pause/2))
}

// Hold is a pause for all of a loop's work, such as while there is no network. The zero value is no pause. The caller guards it.
type Hold struct {
	Until    time.Time // nothing begins before this
	failures int       // in a row
}

// Failed makes all work wait once more, at least least.
func (h *Hold) Failed(now time.Time, b Backoff, jitter float64, least time.Duration) {
	h.failures++
	h.Until = now.Add(max(b.Pause(h.failures, jitter), least))
}

// Over ends the pause after a success: the next failure counts as the first again.
func (h *Hold) Over() { *h = Hold{} }

// Forever is the wait of a loop that has nothing to do until Wake.
const Forever = time.Duration(-1)

// Loop begins work when it is due. Only Wake may be called on another goroutine than Run's.
type Loop struct {
	// Wait returns after d, or at once when ctx ends, as wait.For does.
	Wait func(ctx context.Context, d time.Duration) error

	mu       sync.Mutex
	endPause context.CancelFunc // ends the pause under way, or the next one
}

// Run calls next again and again, until ctx ends. next returns work to do now, which Run does on this goroutine, or how long there is none. A Wake
// during next is not lost: next is called again at once.
func (l *Loop) Run(ctx context.Context, next func() (work func(), wait time.Duration)) {
	for ctx.Err() == nil {
		pause, end := context.WithCancel(ctx)
		l.mu.Lock()
		l.endPause = end
		l.mu.Unlock()
		work, wait := next()
		switch {
		case work != nil:
			work()
		case wait == Forever:
			<-pause.Done()
		default:
			_ = l.Wait(pause, wait) // however it ends, next is called again
		}
		end()
	}
}

// Wake ends the pause under way, since there may be something to do. It returns at once.
func (l *Loop) Wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.endPause != nil {
		l.endPause()
	}
}
