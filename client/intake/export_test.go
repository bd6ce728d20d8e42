package intake

import (
	"context"
	"time"

	"assay/client/media"
	"assay/client/submission"
)

// AllAndTotals returns both as they stand at one instant.
func (q *Queue) AllAndTotals() (all []submission.Submission, t Totals) {
	q.query(func(st *state) { all, t = st.all(), st.totals })
	return all, t
}

// Held counts the submissions that are in memory, in the inbox or not.
func (q *Queue) Held() (n int) {
	q.query(func(st *state) { n = len(st.entries) })
	return n
}

// Imitate has a disk imitated, before anything is accepted: what a file is, and when one that has not answered is given up waiting
// for.
func (q *Queue) Imitate(inspect func(ctx context.Context, path string) (media.File, error), patience func() <-chan time.Time) {
	q.inspect, q.patience = inspect, patience
}
