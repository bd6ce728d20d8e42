// Package clocktest is a clock for tests, which stands still until a test moves it. It imports the standard library.
package clocktest

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Clock is safe on any goroutine.
type Clock struct {
	mu      sync.Mutex
	now     time.Time
	waiting []waiter
	begun   chan struct{} // closed when a wait begins; nil: nobody asked
}

type waiter struct {
	ctx   context.Context
	until time.Time
	over  chan struct{}
}

// New returns a clock that stands at a time.
func New(now time.Time) *Clock { return &Clock{now: now} }

// Now is where it stands.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves it, and ends the waits that are over then.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.advance(d)
}

// AdvanceAwaited is Advance as soon as somebody waits for a moment within d. Code that works out how long to wait before the clock is moved, and waits
// only afterwards, would wait past that moment.
func (c *Clock) AdvanceAwaited(ctx context.Context, d time.Duration) error {
	return c.awaited(ctx, d, d)
}

// Awaited returns as soon as somebody waits for a moment within d: before the clock is moved by less than that.
func (c *Clock) Awaited(ctx context.Context, d time.Duration) error { return c.awaited(ctx, d, 0) }

func (c *Clock) awaited(ctx context.Context, within, by time.Duration) error {
	for {
		c.mu.Lock()
		if last := c.now.Add(within); slices.ContainsFunc(c.waiting, func(w waiter) bool { return w.ctx.Err() == nil && !w.until.After(last) }) {
			c.advance(by)
			c.mu.Unlock()
			return nil
		}
		if c.begun == nil {
			c.begun = make(chan struct{})
		}
		begun := c.begun
		c.mu.Unlock()
		select {
		case <-begun:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (c *Clock) advance(d time.Duration) {
	c.now = c.now.Add(d)
	c.waiting = slices.DeleteFunc(c.waiting, func(w waiter) bool {
		if w.until.After(c.now) {
			return false
		}
		close(w.over)
		return true
	})
}

// Wait waits until the clock was moved so far, or until ctx ends, whose error it returns then: it is wait.For by this clock.
func (c *Clock) Wait(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	w := waiter{ctx: ctx, until: c.now.Add(d), over: make(chan struct{})}
	c.waiting = append(c.waiting, w)
	if c.begun != nil {
		close(c.begun)
		c.begun = nil
	}
	c.mu.Unlock()
	select {
	case <-w.over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Skip is Wait for tests in which waiting costs no time: it moves the clock itself.
func (c *Clock) Skip(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.Advance(d)
	return nil
}
