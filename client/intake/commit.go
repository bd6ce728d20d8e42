package intake

import (
	"context"
	"errors"
	"slices"

	"assay/client/events"
	"assay/client/submission"
)

// diskError is behind the error of a step that could not be written down, and so was not made.
type diskError struct{ error }

func (d *diskError) Unwrap() error { return d.error }

// commit writes a change of a submission down, and only then makes it. update must do the same each time it is called.
// deed goes into the custody log; "" for none. The error is a *diskError.
func (q *Queue) commit(e *entry, deed string, update func(*submission.Submission)) error {
	return q.write(e, deed, q.Store.Save, update)
}

// write is commit by one of the store's ways to save. A submission that the person cancelled meanwhile stays so, and one
// that was answered meanwhile is not written. Without update it is written as it stands.
func (q *Queue) write(e *entry, deed string, save func(context.Context, submission.Submission, string) error, update func(*submission.Submission)) error {
	apply := func(s *submission.Submission) {
		cancelled := s.State == submission.Cancelled
		if update != nil {
			update(s)
		}
		if cancelled {
			s.State = submission.Cancelled
		}
	}
	q.saving.Lock()
	defer q.saving.Unlock()
	q.mu.Lock()
	changed := e.Submission
	q.mu.Unlock()
	if changed.State == submission.Done && update != nil {
		return nil // by another run, which was halted while it wrote that down
	}
	apply(&changed)
	// A write that has begun is ended, whatever becomes of the run: one that broke off might be on disk all the same.
	if err := save(context.WithoutCancel(q.ctx), changed, deed); err != nil {
		return &diskError{err}
	}
	q.change(e, apply)
	if changed.Copy.SHA256 != "" && !copyNeeded(changed) {
		q.removeCopy(changed.ID)
	}
	return nil
}

// change updates a submission in memory alone, and tells of it: what is of the moment, or will be written down.
func (q *Queue) change(e *entry, update func(*submission.Submission)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	update(&e.Submission)
	if !shownByOthers(e.State) {
		q.releaseDuplicates(e) // before anybody looks at what showed its answer
	}
	q.touched(e)
}

// keep writes submissions down as they stand then, on a worker; q.mu is held. Where that fails, the queue stands still, and
// it is done as soon as the disk can be written to.
func (q *Queue) keep(deed string, es ...*entry) {
	if q.ctx.Err() != nil || len(es) == 0 {
		return
	}
	for _, e := range es {
		e.keeping++
	}
	q.workers.Go(func() {
		for i, e := range es {
			if err := q.commit(e, deed, nil); err != nil {
				q.mu.Lock()
				for _, e := range es[i:] {
					e.keeping--
					q.unkept[e] = deed
				}
				q.mu.Unlock()
				q.holdFor(err)
				return
			}
			q.mu.Lock()
			e.keeping--
			q.forget(e)
			q.mu.Unlock()
		}
	})
}

// keepAgain writes down what could not be; q.mu is held.
func (q *Queue) keepAgain() {
	for e, deed := range q.unkept {
		q.keep(deed, e)
	}
	clear(q.unkept)
	if q.unpaused {
		q.unpaused = false
		q.setPaused()
	}
}

// touched brings the totals up to date with an item and tells of its change; q.mu is held.
func (q *Queue) touched(e *entry) {
	q.count(e)
	q.tell(events.Submission, e.ID)
	for _, f := range e.duplicates {
		q.count(f)
		q.tell(events.Submission, f.ID)
	}
}

func (q *Queue) count(e *entry) {
	q.totals.subtract(e.counted)
	e.counted = contribution{}
	if e.inInbox {
		e.counted = contributionOf(q.view(e))
	}
	q.totals.add(e.counted)
}

// tell publishes that something has changed, id where the topic has IDs.
func (q *Queue) tell(t events.Topic, id string) { q.Events.Publish(events.Event{Topic: t, ID: id}) }

// takeOut takes items out of the inbox, and forgets those that nothing needs any more; q.mu is held.
func (q *Queue) takeOut(es ...*entry) {
	for _, e := range es {
		e.Filed, e.inInbox = true, false
		q.touched(e)
	}
	q.order = slices.DeleteFunc(q.order, func(id string) bool { return !q.entries[id].inInbox })
	q.tell(events.Inbox, "")
	q.keep("filed", es...) // then they are forgotten
}

// forget drops an item from memory that is out of the inbox and has ended, and that no other shows; q.mu is held.
func (q *Queue) forget(e *entry) {
	if e.inInbox || e.job != nil || len(e.duplicates) > 0 || e.Earlier == "" && !e.State.Ended() {
		return
	}
	if _, unkept := q.unkept[e]; unkept || e.keeping > 0 {
		return // what it was would be written over what it has become by then
	}
	if q.entries[e.ID] == e {
		delete(q.entries, e.ID)
	}
	if content := e.Content(); q.firsts[content] == e {
		delete(q.firsts, content)
	}
	if first := q.entries[e.Earlier]; first != nil {
		first.duplicates = slices.DeleteFunc(first.duplicates, func(o *entry) bool { return o == e })
		q.forget(first)
	}
}

// isDisk reports whether a step was not made because it could not be written down.
func isDisk(err error) bool {
	var d *diskError
	return errors.As(err, &d)
}
