package intake

import (
	"context"
	"slices"
	"sync"
)

// slots bound how many do something at a time. They are granted in the order in which they were reserved.
type slots struct {
	mu      sync.Mutex
	limit   int
	free    int // negative after resize has taken away slots that are in use
	waiting []*slot
}

// slot is reserved, then granted, then released; Acquire reserves it again. It is used by one goroutine at a time.
type slot struct {
	slots   *slots
	granted chan struct{} // closed when the slot is granted; nil: released
}

func newSlots(limit int) *slots { return &slots{limit: limit, free: limit} }

// resize changes how many slots there are. A slot that is in use stays granted.
func (s *slots) resize(limit int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free += limit - s.limit
	s.limit = limit
	s.grant()
}

// grant grants the free slots to those that wait; s.mu is held.
func (s *slots) grant() {
	for s.free > 0 && len(s.waiting) > 0 {
		s.free--
		close(s.waiting[0].granted)
		s.waiting = s.waiting[1:]
	}
}

// reserve asks for a slot without waiting for it. Each reserved slot must be released.
func (s *slots) reserve() *slot {
	own := &slot{slots: s}
	own.reserve()
	return own
}

func (own *slot) reserve() {
	s := own.slots
	s.mu.Lock()
	defer s.mu.Unlock()
	own.granted = make(chan struct{})
	s.waiting = append(s.waiting, own)
	s.grant()
}

// Acquire waits until the slot is granted, and first reserves it again if it was released. When ctx ends, the slot must not be used.
func (own *slot) Acquire(ctx context.Context) error {
	if own.granted == nil {
		own.reserve()
	}
	select {
	case <-own.granted:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// Release gives the slot back, granted or not.
func (own *slot) Release() {
	if own.granted == nil {
		return
	}
	s := own.slots
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.waiting, own); i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
	} else {
		s.free++
		s.grant()
	}
	own.granted = nil
}
