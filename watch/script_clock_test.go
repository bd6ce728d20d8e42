//go:build linux

package watch

import (
	"container/heap"
	"sync"
	"testing"
	"time"
	"unsafe"
)

// scriptClock stands still until a script moves it. Its wall clock can be set without time passing, as a person or a time server
// does it.
type scriptClock struct {
	mu     sync.Mutex
	now    time.Time     // with a monotonic reading
	jumped time.Duration // by how much the wall clock was set
	timers scriptTimers
}

func newScriptClock() *scriptClock {
	return &scriptClock{now: time.Now()}
}

func (c *scriptClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return setWall(c.now, c.jumped)
}

func (c *scriptClock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	timer := scriptTimer{at: c.now.Add(d), fire: make(chan time.Time, 1)}
	if d <= 0 {
		timer.fire <- setWall(c.now, c.jumped)
	} else {
		heap.Push(&c.timers, timer)
	}
	return timer.fire
}

// jump sets the wall clock; no time passes.
func (c *scriptClock) jump(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.jumped += by
}

// step lets time pass up to the next timer, and at most up to end, and fires what is due then.
func (c *scriptClock) step(end time.Time) (arrived bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	to := end
	if len(c.timers) > 0 && c.timers[0].at.Before(end) {
		to = c.timers[0].at
	}
	if to.After(c.now) {
		c.now = to
	}
	for len(c.timers) > 0 && !c.timers[0].at.After(c.now) {
		heap.Pop(&c.timers).(scriptTimer).fire <- setWall(c.now, c.jumped)
	}
	return !c.now.Before(end)
}

// end is the instant that lies d ahead.
func (c *scriptClock) end(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now.Add(d)
}

type scriptTimer struct {
	at   time.Time
	fire chan time.Time
}

type scriptTimers []scriptTimer

func (t scriptTimers) Len() int           { return len(t) }
func (t scriptTimers) Less(i, j int) bool { return t[i].at.Before(t[j].at) }
func (t scriptTimers) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }
func (t *scriptTimers) Push(timer any)    { *t = append(*t, timer.(scriptTimer)) }
func (t *scriptTimers) Pop() any {
	last := len(*t) - 1
	timer := (*t)[last]
	*t = (*t)[:last]
	return timer
}

// setWall moves the wall reading of a time, by whole seconds, and leaves its monotonic reading alone, for which package time has no
// call: in a time with both, the wall reading's seconds begin at bit 30 of the first word. TestScriptClock holds that.
func setWall(t time.Time, by time.Duration) time.Time {
	*(*uint64)(unsafe.Pointer(&t)) += uint64(int64(by/time.Second)) << 30 //nolint:gosec // see above
	return t
}

func TestScriptClock(t *testing.T) {
	t.Run("the wall clock is set and no time passes", func(t *testing.T) {
		for _, by := range []time.Duration{0, 3 * time.Hour, -3 * time.Hour, 365 * 24 * time.Hour} {
			c := newScriptClock()
			before := c.Now()
			c.jump(by)
			after := c.Now()
			if passed := after.Sub(before); passed != 0 {
				t.Errorf("%v: %v passed", by, passed)
			}
			if wall := after.Round(0).Sub(before.Round(0)); wall != by {
				t.Errorf("the wall clock moved by %v, want %v", wall, by)
			}
		}
	})
	t.Run("timers fire in their order, one instant after the other", func(t *testing.T) {
		c := newScriptClock()
		late, soon := c.After(2*time.Second), c.After(time.Second)
		end := c.end(3 * time.Second)
		if c.step(end) || len(soon) != 1 || len(late) != 0 {
			t.Fatalf("after one step: %d, %d", len(soon), len(late))
		}
		if c.step(end) || len(late) != 1 {
			t.Fatal("after two steps the second has not fired")
		}
		if !c.step(end) {
			t.Fatal("the end was not reached")
		}
	})
}
