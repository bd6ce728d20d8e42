package intake

import (
	"slices"
	"sync"
)

// Changes collects which submissions were added or have changed, each named once until it is taken: a reader that is
// slow gets fewer, newer news, and slows nobody down. What a submission is now, Queue.Get tells.
type Changes struct {
	queue *Queue
	ready chan struct{}

	mu   sync.Mutex
	ids  []string // in the order of their first change
	seen map[string]bool
}

// Watch returns the stream of changes from now on. Close ends it.
func (q *Queue) Watch() *Changes {
	c := &Changes{queue: q, ready: make(chan struct{}, 1), seen: map[string]bool{}}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.watchers = append(q.watchers, c)
	return c
}

// Ready receives when there is something to take.
func (c *Changes) Ready() <-chan struct{} { return c.ready }

// Take returns the IDs that changed since the last call; nil when there are none.
func (c *Changes) Take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	ids := c.ids
	c.ids = nil
	clear(c.seen)
	return ids
}

// Close ends the stream; what was not taken still can be.
func (c *Changes) Close() {
	q := c.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	q.watchers = slices.DeleteFunc(q.watchers, func(o *Changes) bool { return o == c })
}

func (c *Changes) add(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen[id] {
		return
	}
	c.seen[id] = true
	c.ids = append(c.ids, id)
	select {
	case c.ready <- struct{}{}:
	default:
	}
}
