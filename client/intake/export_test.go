package intake

import (
	"context"
	"time"

	"assay/client/media"
	"assay/client/submission"
)

// AllAndTotals returns both as they stand at one instant.
func (q *Queue) AllAndTotals() ([]submission.Submission, Totals) {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := make([]submission.Submission, 0, len(q.order))
	for _, id := range q.order {
		all = append(all, q.view(q.entries[id]))
	}
	return all, q.totals
}

// Held counts the submissions that are in memory, in the inbox or not.
func (q *Queue) Held() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.entries)
}

// Imitate has a disk imitated, before anything is accepted: what a file is, and when one that has not answered is given up waiting
// for.
func (q *Queue) Imitate(inspect func(ctx context.Context, path string) (media.File, error), patience func() <-chan time.Time) {
	q.inspect, q.patience = inspect, patience
}
