package intake

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"assay/client/submission"
)

var errNoSubmission = errors.New("there is no such submission")

// Moved notes that the file of a submission, in the inbox or not, now lies at another path. It is written into the custody log,
// and on disk when this returns.
func (q *Queue) Moved(ctx context.Context, id, newPath string) error {
	newPath = filepath.Clean(newPath)
	q.saving.Lock()
	defer q.saving.Unlock()
	q.mu.Lock()
	e := q.entries[id]
	var moved submission.Submission
	if e != nil {
		moved = e.Submission
	}
	q.mu.Unlock()
	if e == nil {
		var known bool
		var err error
		switch moved, known, err = q.Store.Get(ctx, id); {
		case err != nil:
			return fmt.Errorf("look for the submission whose file was moved: %w", err)
		case !known:
			return errNoSubmission
		}
	}
	moved.Path = newPath
	if err := q.Store.Save(context.WithoutCancel(ctx), moved, "moved"); err != nil {
		return fmt.Errorf("note that a file was moved: %w", err)
	}
	q.mu.Lock()
	e = q.entries[id] // it may have been read meanwhile
	q.mu.Unlock()
	if e != nil {
		q.change(e, func(s *submission.Submission) { s.Path = newPath })
	}
	return nil
}
