package watch

import (
	"sync"
	"time"
)

// fakeClock stands still until a test moves it.
type fakeClock struct {
	mu    sync.Mutex
	now   time.Time
	rings []fakeRing
}

type fakeRing struct {
	at   time.Time
	ring chan time.Time
}

func newFakeClock() *fakeClock { return &fakeClock{now: time.Now()} }

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	ring := make(chan time.Time, 1)
	if d <= 0 {
		ring <- c.now
		return ring
	}
	c.rings = append(c.rings, fakeRing{at: c.now.Add(d), ring: ring})
	return ring
}

// pass lets time pass.
func (c *fakeClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	var later []fakeRing
	for _, r := range c.rings {
		if r.at.After(c.now) {
			later = append(later, r)
		} else {
			r.ring <- c.now
		}
	}
	c.rings = later
}
