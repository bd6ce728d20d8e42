package intake

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"assay/client/custody"
	"assay/client/intake/dedupe"
	"assay/client/submission"
)

// diskError is behind the error of a step that could not be written down, and so was not made.
type diskError struct{ error }

func (d *diskError) Unwrap() error { return d.error }

// isDisk reports whether a step was not made because it could not be written down.
func isDisk(err error) bool {
	var d *diskError
	return errors.As(err, &d)
}

// save is one of the store's ways to write a submission down.
type save func(ctx context.Context, s submission.Submission, event custody.Event) error

// commit writes a change of a submission down, and only then makes it. update must do the same each time it is called; without one the
// submission is written as it stands. event goes into the custody log; None where nothing is noted. The error is a *diskError.
func (q *Queue) commit(e *entry, event custody.Event, update func(*submission.Submission)) error {
	return q.write(e, event, q.Store.Save, update)
}

// write is commit by one of the store's ways to save. A submission that the person cancelled meanwhile stays so, and one
// that was answered meanwhile is not written.
func (q *Queue) write(e *entry, event custody.Event, save save, update func(*submission.Submission)) (err error) {
	apply := func(s *submission.Submission) {
		cancelled := s.State == submission.Cancelled
		if update != nil {
			update(s)
		}
		if cancelled {
			s.State = submission.Cancelled
		}
	}
	written := q.inOrder(func() {
		changed := q.snapshot(e)
		if changed.State == submission.Done && update != nil {
			return // by another job, which was halted while it wrote that down
		}
		apply(&changed)
		// A write that has begun is ended, whatever becomes of the job: one that broke off might be on disk all the same.
		if failed := save(context.WithoutCancel(q.ctx), changed, event); failed != nil {
			err = &diskError{failed}
			return
		}
		q.change(e, apply)
		if changed.Copy.SHA256 != "" && !copyNeeded(changed) {
			q.removeCopy(changed.ID)
		}
	})
	if !written {
		return &diskError{ErrClosed} // nothing is written any more
	}
	return err
}

// inOrder calls a function that writes something down, after those that others handed over before, and returns once it has; false where
// the queue has ended. All that is written of submissions goes this way: what was written last is the latest.
func (q *Queue) inOrder(f func()) bool {
	return q.hand(q.writes, func(*state) { f() })
}

// writeDown calls what comes by inOrder, one function after another, until no worker is left.
func (q *Queue) writeDown() {
	for {
		select {
		case c := <-q.writes:
			c.run(nil)
			close(c.done)
		case <-q.closing:
			return
		}
	}
}

// change updates a submission in memory alone, and tells of it: what is of the moment, or is on disk by now.
func (q *Queue) change(e *entry, update func(*submission.Submission)) {
	q.do(func(st *state) { st.change(e, update) })
}

func (st *state) change(e *entry, update func(*submission.Submission)) {
	update(&e.Submission)
	if !dedupe.Lasts(e.State) {
		st.releaseDuplicates(e) // before anybody looks at what showed its answer
	}
	st.touched(e)
}

// keep writes submissions down as they stand then, on a worker. Where that fails, the queue stands still, and it is done as soon as the
// disk can be written to.
func (st *state) keep(event custody.Event, entries ...*entry) {
	if st.ctx.Err() != nil || len(entries) == 0 {
		return
	}
	for _, e := range entries {
		e.keeping++
	}
	q := st.Queue
	q.workers.Go(func() {
		for i, e := range entries {
			err := q.commit(e, event, nil)
			q.do(func(st *state) {
				if err == nil {
					e.keeping--
					st.forget(e)
					return
				}
				for _, left := range entries[i:] {
					left.keeping--
					st.unkept[left] = event
				}
			})
			if err != nil {
				q.haltFor(err)
				return
			}
		}
	})
}

// keepAgain writes down what could not be.
func (st *state) keepAgain() {
	for e, event := range st.unkept {
		st.keep(event, e)
	}
	clear(st.unkept)
	if st.unpaused {
		st.unpaused = false
		st.keepPaused()
	}
}

// keepPaused writes down on a worker whether everything is paused then.
func (st *state) keepPaused() {
	if st.ctx.Err() != nil {
		return
	}
	q := st.Queue
	q.workers.Go(func() {
		var err error
		q.inOrder(func() {
			value := ""
			if q.QueueStatus().Cause == PausedAll {
				value = "yes"
			}
			err = q.Store.SetFact(context.WithoutCancel(q.ctx), factPaused, value)
		})
		if err != nil {
			q.do(func(st *state) { st.unpaused = true })
			q.haltFor(&diskError{err})
		}
	})
}

var errNoSubmission = errors.New("there is no such submission")

// Moved notes that the file of a submission, in the inbox or not, now lies at another path. It is written into the custody log,
// and on disk when this returns.
func (q *Queue) Moved(ctx context.Context, id, newPath string) (err error) {
	if !q.inOrder(func() { err = q.moved(ctx, id, filepath.Clean(newPath)) }) {
		return ErrClosed
	}
	return err
}

func (q *Queue) moved(ctx context.Context, id, newPath string) error {
	var s submission.Submission
	known := false
	q.query(func(st *state) {
		var e *entry
		if e, known = st.entries[id]; known {
			s = e.Submission
		}
	})
	if !known {
		var err error
		switch s, known, err = q.Store.Get(ctx, id); {
		case err != nil:
			return fmt.Errorf("look for the submission whose file was moved: %w", err)
		case !known:
			return errNoSubmission
		}
	}
	s.Path = newPath
	if err := q.Store.Save(context.WithoutCancel(ctx), s, custody.Moved); err != nil {
		return fmt.Errorf("note that a file was moved: %w", err)
	}
	q.do(func(st *state) {
		if e := st.entries[id]; e != nil { // it may have been read meanwhile
			st.change(e, func(s *submission.Submission) { s.Path = newPath })
		}
	})
	return nil
}
