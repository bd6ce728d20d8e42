package intake

import (
	"slices"
	"sync"
)

// News is what has changed since it was taken last.
type News struct {
	IDs     []string // submissions that were added or have changed, each once, in the order of their first change
	Order   bool     // the inbox holds others, or in another order
	Status  bool     // the queue as a whole stands otherwise
	Answers bool     // the store holds other results
}

// Changes collects news until it is taken: a reader that is slow gets less often more, and slows nobody down. What a
// submission is now, Queue.Get tells.
type Changes struct {
	queue *Queue
	ready chan struct{}

	mu   sync.Mutex
	news News
	seen map[string]bool
}

// Watch returns the stream of news from now on. Close ends it.
func (q *Queue) Watch() *Changes {
	c := &Changes{queue: q, ready: make(chan struct{}, 1), seen: map[string]bool{}}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.watchers = append(q.watchers, c)
	return c
}

// Ready receives when there is something to take.
func (c *Changes) Ready() <-chan struct{} { return c.ready }

// Take returns the news since the last call.
func (c *Changes) Take() News {
	c.mu.Lock()
	defer c.mu.Unlock()
	news := c.news
	c.news = News{}
	clear(c.seen)
	return news
}

// Close ends the stream; what was not taken still can be.
func (c *Changes) Close() {
	q := c.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	q.watchers = slices.DeleteFunc(q.watchers, func(o *Changes) bool { return o == c })
}

func (c *Changes) add(id string) {
	c.note(func(n *News) {
		if !c.seen[id] {
			c.seen[id] = true
			n.IDs = append(n.IDs, id)
		}
	})
}

func (c *Changes) note(add func(*News)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	add(&c.news)
	select {
	case c.ready <- struct{}{}:
	default:
	}
}
