package intake

import (
	"context"
	"slices"
	"sync"
)

// turns hands out a few places in the order in which they were asked for.
type turns struct {
	mu      sync.Mutex
	places  int
	free    int // less than none after resize has taken away places that are in use
	waiting []turn
}

// turn is a place, or the wait for one; it is closed when the place is there.
type turn chan struct{}

func newTurns(places int) *turns { return &turns{places: places, free: places} }

// resize changes how many places there are. Who has one keeps it until they leave.
func (t *turns) resize(places int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free += places - t.places
	t.places = places
	t.handOut()
}

// handOut gives the free places to those who wait; t.mu is held.
func (t *turns) handOut() {
	for t.free > 0 && len(t.waiting) > 0 {
		t.free--
		close(t.waiting[0])
		t.waiting = t.waiting[1:]
	}
}

// stand asks for a place, without waiting for it. Each turn must be given up by leave.
func (t *turns) stand() turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := make(turn)
	if t.free > 0 {
		t.free--
		close(own)
	} else {
		t.waiting = append(t.waiting, own)
	}
	return own
}

// come waits for the place. Who has one when ctx has ended makes no use of it.
func (own turn) come(ctx context.Context) error {
	select {
	case <-own:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// leave gives the place up, reached or not.
func (t *turns) leave(own turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.waiting, own); i >= 0 {
		t.waiting = slices.Delete(t.waiting, i, i+1)
		return
	}
	t.free++
	t.handOut()
}

// SetUploads changes how many files are uploaded at a time, 1 at the least. What is being uploaded goes on.
func (q *Queue) SetUploads(n int) { q.uploads.resize(max(n, 1)) }

// place is a turn that can be given up and stood for anew. It is for one goroutine.
type place struct {
	turns *turns
	own   turn
}

func newPlace(t *turns) *place { return &place{turns: t, own: t.stand()} }

// come waits for the place, standing for it anew where it was given up.
func (p *place) come(ctx context.Context) error {
	if p.own == nil {
		p.own = p.turns.stand()
	}
	return p.own.come(ctx)
}

// leave gives the place up, reached or not.
func (p *place) leave() {
	if p.own != nil {
		p.turns.leave(p.own)
		p.own = nil
	}
}
