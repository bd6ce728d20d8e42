package intake

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"assay/client/custody"
	"assay/client/intake/dedupe"
	"assay/client/submission"
)

// diskError wraps the error of a change that could not be written to disk, and so was not made.
type diskError struct{ error }

func (d *diskError) Unwrap() error { return d.error }

// isDisk reports whether a change was not made because it could not be written to disk.
func isDisk(err error) bool {
	var d *diskError
	return errors.As(err, &d)
}

// save is a method of the store that writes a submission.
type save func(ctx context.Context, s submission.Submission, event custody.Event) error

// commit writes a change of a submission to disk, and only then makes it in memory. update may be called more than once and must do the same each
// time; with nil, the submission is written as it is. event goes into the custody log, unless it is None. The error is a *diskError.
func (q *Queue) commit(e *entry, event custody.Event, update func(*submission.Submission)) error {
	return q.write(e, event, q.Store.Save, update)
}

// write is commit with the method of the store that saves. A submission that the person cancelled meanwhile stays cancelled, and one that was
// answered meanwhile is not written.
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
	written := q.inOrder(e.ID, func() {
		changed := q.snapshot(e)
		if changed.State == submission.Done && update != nil {
			return // another job wrote the answer, and was halted while it did
		}
		apply(&changed)
		// A write that has begun runs to its end, whatever becomes of the job: one that was broken off might be on disk all the same.
		if failed := save(context.WithoutCancel(q.ctx), changed, event); failed != nil {
			err = &diskError{failed}
			return
		}
		q.do(func(st *state) {
			st.change(e, apply)
			st.keepWhole(e)
		})
		if changed.Copy.SHA256 != "" && !copyNeeded(changed) {
			q.removeCopy(changed.ID)
		}
	})
	if !written {
		return &diskError{ErrClosed} // nothing is written any more once the queue has ended
	}
	return err
}

// inOrder calls f after the functions that were given before for the same submission, or for the queue as a whole where the ID is "", and returns once
// f has; it returns false where the queue has ended. Every write of a submission goes this way, so that the last one written is the newest. Those of
// different submissions are made side by side: the store waits for the disk once for all that come together.
func (q *Queue) inOrder(id string, f func()) bool {
	w := pendingWrite{of: id, make: f, done: make(chan struct{})}
	select {
	case q.writes <- w:
		<-w.done
		return true
	case <-q.ended:
		return false
	}
}

// pendingWrite is a function for inOrder.
type pendingWrite struct {
	of   string // a submission's ID
	make func()
	done chan struct{}
}

// writeDown calls the functions given to inOrder until no worker is left.
func (q *Queue) writeDown() {
	waiting := map[string][]pendingWrite{} // by ID, where one is being made: those that come after it
	made := make(chan string)
	begin := func(w pendingWrite) {
		go func() {
			w.make()
			close(w.done)
			made <- w.of
		}()
	}
	closing := q.closing
	for closing != nil || len(waiting) > 0 {
		select {
		case w := <-q.writes:
			if later, busy := waiting[w.of]; busy {
				waiting[w.of] = append(later, w)
				continue
			}
			waiting[w.of] = nil
			begin(w)
		case id := <-made:
			later := waiting[id]
			if len(later) == 0 {
				delete(waiting, id)
				continue
			}
			waiting[id] = later[1:]
			begin(later[0])
		case <-closing:
			closing = nil
		}
	}
}

// change updates a submission in memory alone and publishes that: for what is not kept, or is on disk already.
func (q *Queue) change(e *entry, update func(*submission.Submission)) {
	q.do(func(st *state) { st.change(e, update) })
}

func (st *state) change(e *entry, update func(*submission.Submission)) {
	update(&e.Submission)
	if e.Earlier != "" || !dedupe.Lasts(e.State) {
		st.releaseDuplicates(e) // before the update is published, so that nobody sees a duplicate with an answer that is not its own
	}
	st.touched(e)
}

// keptAtOnce is how many submissions keep writes at a time.
const keptAtOnce = 50

// keep writes submissions to disk on a worker, as they are by then. Where that fails, the queue halts, and they are written as soon as the disk can
// be written to.
func (st *state) keep(event custody.Event, entries ...*entry) {
	if st.ctx.Err() != nil || len(entries) == 0 {
		return
	}
	for _, e := range entries {
		e.keeping++
	}
	q := st.Queue
	q.workers.Go(func() {
		for some := range slices.Chunk(entries, keptAtOnce) {
			errs := make([]error, len(some))
			var under sync.WaitGroup
			for i, e := range some {
				under.Go(func() { errs[i] = q.commit(e, event, nil) })
			}
			under.Wait()
			entries = entries[len(some):]
			failed := slices.IndexFunc(errs, func(err error) bool { return err != nil })
			q.do(func(st *state) {
				for i, e := range some {
					e.keeping--
					if errs[i] != nil {
						st.unwritten[e] = event
					} else {
						st.forget(e)
					}
				}
				if failed < 0 {
					return
				}
				for _, left := range entries {
					left.keeping--
					st.unwritten[left] = event
				}
			})
			if failed >= 0 {
				q.haltFor(errs[failed])
				return
			}
		}
	})
}

// writeUnwritten writes what could not be written before.
func (st *state) writeUnwritten() {
	for e, event := range st.unwritten {
		st.keep(event, e)
	}
	clear(st.unwritten)
	if st.unpaused {
		st.unpaused = false
		st.writePaused()
	}
}

// writePaused writes to disk, on a worker, whether everything is paused.
func (st *state) writePaused() {
	if st.ctx.Err() != nil {
		return
	}
	q := st.Queue
	q.workers.Go(func() {
		var err error
		q.inOrder("", func() {
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

// Moved records that the file of a submission, in the inbox or not, now lies at another path. It is in the custody log and on disk when Moved
// returns.
func (q *Queue) Moved(ctx context.Context, id, newPath string) (err error) {
	if !q.inOrder(id, func() { err = q.moved(ctx, id, filepath.Clean(newPath)) }) {
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
		if e := st.entries[id]; e != nil { // it may have been loaded meanwhile
			st.change(e, func(s *submission.Submission) { s.Path = newPath })
		}
	})
	return nil
}
