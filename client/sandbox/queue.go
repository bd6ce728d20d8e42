package sandbox

import (
	"context"
	"sync"
)

// job is one analysis: of this object of this entry.
type job struct {
	entry  *entry
	object string
}

// queue holds the jobs that no worker has taken, in order.
type queue struct {
	mu      sync.Mutex
	changed *sync.Cond
	jobs    []job
	taken   int // jobs that a worker is doing
	closed  bool
}

func newQueue() *queue {
	q := &queue{}
	q.changed = sync.NewCond(&q.mu)
	return q
}

// add never blocks. A job added after close is done after the next start, since its record says that it is under way.
func (q *queue) add(j job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs = append(q.jobs, j)
	q.changed.Broadcast()
}

// next waits for a job, which the caller must end with done; ok is false once the queue is closed.
func (q *queue) next() (j job, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) == 0 && !q.closed {
		q.changed.Wait()
	}
	if q.closed {
		return job{}, false
	}
	j, q.jobs = q.jobs[0], q.jobs[1:]
	q.taken++
	return j, true
}

// done ends a job of next.
func (q *queue) done() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken--
	q.changed.Broadcast()
}

// idle waits until there is no job, waiting or taken; it fails if ctx ends first.
func (q *queue) idle(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.changed.Broadcast()
	})()
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs)+q.taken > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		q.changed.Wait()
	}
	return nil
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
}
