// Package retry is how work that failed is tried again: pauses that grow, one for all work while nothing can be done, and a loop that
// begins what falls due. It imports the standard library.
package retry

import (
	"context"
	"sync"
	"time"
)

// Backoff is how long failures are waited for.
type Backoff struct {
	First   time.Duration // after the first failure in a row, at most; doubled after each further one
	Longest time.Duration
}

// Pause is how long the n-th failure in a row, counted from 1, is waited for. jitter is a number from 0 to 1 that spreads those who
// wait; the lower half of a pause stays, so that pauses grow whatever it is.
func (b Backoff) Pause(n int, jitter float64) time.Duration {
	pause := min(b.First, b.Longest)
	for range n - 1 {
		if pause = min(2*pause, b.Longest); pause == b.Longest {
			break
		}
	}
	return pause/2 + time.Duration(jitter*float64(pause/2))
}

// Hold is a pause for all of a loop's work, such as while there is no network. The zero value holds nothing. Its owner guards it.
type Hold struct {
	Until    time.Time // nothing is begun before
	failures int       // in a row
}

// Failed lets everything wait once more, for least at least.
func (h *Hold) Failed(now time.Time, b Backoff, jitter float64, least time.Duration) {
	h.failures++
	h.Until = now.Add(max(b.Pause(h.failures, jitter), least))
}

// Over ends the hold: something could be done, and the next failure is the first again.
func (h *Hold) Over() { *h = Hold{} }

// Forever is the wait of a loop that has nothing to do before Wake.
const Forever = time.Duration(-1)

// Loop begins work as it falls due. Only Wake may be called on other goroutines than Run's.
type Loop struct {
	// Wait returns after d, or at once when ctx ends; wait.For does.
	Wait func(ctx context.Context, d time.Duration) error

	mu       sync.Mutex
	endPause context.CancelFunc // of the pause under way, or of the one that comes next
}

// Run asks next again and again, until ctx ends, for work to do now or for how long there is none. The work is done on this goroutine.
// A Wake that comes while next is asked is not lost: it is asked again at once.
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
			_ = l.Wait(pause, wait) // early or not, next is asked again
		}
		end()
	}
}

// Wake ends the pause under way: there may be something to do. It returns at once.
func (l *Loop) Wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.endPause != nil {
		l.endPause()
	}
}
