package intake

import (
	"slices"

	"github.com/google/uuid"

	"assay/client/custody"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/intake/dedupe"
	"assay/client/submission"
)

// Pause stops submissions at once, until Resume. What the service has already stays there, and nothing is sent twice.
func (q *Queue) Pause(ids ...string) {
	q.control(custody.Paused, ids, func(st *state, e *entry) bool {
		if e.Paused || e.State == submission.Held || e.State.Ended() {
			return false
		}
		e.Paused = true
		st.halt(e)
		return true
	})
}

// Resume lets paused submissions go on.
func (q *Queue) Resume(ids ...string) {
	q.control(custody.Resumed, ids, func(st *state, e *entry) bool {
		if !e.Paused {
			return false
		}
		e.Paused = false
		st.start(e)
		return true
	})
}

// Retry lets submissions that ended without a result go on from where they stopped: what the service has already is not sent again, and what the
// person has not approved waits for that. It does nothing for one that stays on this computer; for those there is Approve.
func (q *Queue) Retry(ids ...string) { q.control(custody.Retried, ids, (*state).retry) }

func (st *state) retry(e *entry) bool {
	if !e.State.Ended() || e.State == submission.Done || e.State == submission.Stays {
		return false
	}
	e.State, e.Paused, e.Problem, e.Delay, e.Sent, e.Rate = submission.Waiting, false, i18n.Message{}, i18n.Message{}, 0, 0
	if e.Earlier == "" && e.Step != submission.Seen && dedupe.CanBePrimary(e.Submission) && st.primary(e.Content()) == nil {
		st.index.Register(e.Content(), e.ID)
	}
	st.start(e)
	return true
}

// RetryFailed retries all that failed.
func (q *Queue) RetryFailed() {
	q.do(func(st *state) {
		var failed []string
		for _, id := range st.order {
			if st.entries[id].State == submission.Failed {
				failed = append(failed, id)
			}
		}
		st.control(custody.Retried, failed, (*state).retry)
	})
}

// control applies do to submissions, or for duplicates to their primaries, and writes what has changed.
func (q *Queue) control(event custody.Event, ids []string, do func(*state, *entry) (changed bool)) {
	q.do(func(st *state) { st.control(event, ids, do) })
}

func (st *state) control(event custody.Event, ids []string, do func(*state, *entry) (changed bool)) {
	var changed []*entry
	for _, id := range ids {
		e := st.shownBy(st.entries[id])
		if e != nil && do(st, e) {
			if e.Paused {
				st.putBack(e)
			}
			st.touched(e)
			changed = append(changed, e)
		}
	}
	st.keep(event, changed...)
}

// Cancel ends submissions at once; what the service already has stays there.
func (q *Queue) Cancel(ids ...string) {
	q.do(func(st *state) {
		st.takeBackApproval(ids)
		var changed []*entry
		for _, id := range ids { // a duplicate itself, not its primary
			e := st.entries[id]
			if e == nil || st.view(e).State.Ended() {
				continue
			}
			st.halt(e)
			e.State, e.Delay, e.Paused = submission.Cancelled, i18n.Message{}, false
			st.touched(e)
			changed = append(changed, e)
		}
		st.keep(custody.Cancelled, changed...)
	})
}

// PauseAll stops everything at once, until ResumeAll, also after a restart.
func (q *Queue) PauseAll() {
	q.do(func(st *state) {
		st.haltAll(QueueStatus{Cause: PausedAll})
		st.writePaused()
	})
}

// ResumeAll lets everything go on that the person paused, or an error halted, as a whole. What was paused one by one stays paused.
func (q *Queue) ResumeAll() {
	q.do(func(st *state) {
		st.resumeAll()
		st.writePaused()
	})
}

// Remove takes ended submissions, and duplicates, out of the inbox. Answers stay among the results.
func (q *Queue) Remove(ids ...string) {
	q.do(func(st *state) { st.remove(ids) })
}

func (st *state) remove(ids []string) {
	var out []*entry
	for _, id := range ids {
		if e := st.entries[id]; e != nil && e.inInbox && (e.Earlier != "" || e.State.Ended()) {
			out = append(out, e)
		}
	}
	st.takeOut(out...)
}

// takeOut takes entries out of the inbox, and drops from memory those that nothing needs any more.
func (st *state) takeOut(entries ...*entry) {
	for _, e := range entries {
		e.Filed, e.inInbox = true, false
		st.touched(e)
	}
	st.order = slices.DeleteFunc(st.order, func(id string) bool { return !st.entries[id].inInbox })
	st.tell(events.Inbox, "")
	st.keep(custody.Filed, entries...) // once that is written they are dropped from memory
}

// putBack shows a submission in the inbox again that was removed from it: without a row, one that is paused through its duplicate might never be
// resumed.
func (st *state) putBack(e *entry) {
	if e.inInbox {
		return
	}
	e.Filed, e.inInbox = false, true
	st.order = append(st.order, e.ID)
	st.tell(events.Inbox, "")
}

// forget drops an entry from memory if it is out of the inbox, has ended, and has no duplicates.
func (st *state) forget(e *entry) {
	if e.inInbox || e.job != nil || len(st.index.Duplicates(e.ID)) > 0 || e.Earlier == "" && !e.State.Ended() {
		return
	}
	if _, unwritten := st.unwritten[e]; unwritten || e.keeping > 0 {
		return // a pending write would write the old state over a newer one
	}
	if st.entries[e.ID] == e {
		delete(st.entries, e.ID)
		st.index.Unregister(e.Content(), e.ID)
		st.tell(events.Submission, e.ID) // whoever remembers something of it by its ID drops that
	}
	if primary := st.entries[e.Earlier]; primary != nil {
		st.index.Remove(primary.ID, e.ID)
		st.forget(primary)
	}
}

// ScanAgain submits the files and links of these submissions once more, whether they have an answer or not. Both results are kept. Where the
// submission's gate, or the settings as they are now, say ask, the person is asked again. The submissions may come from the store: they need not be
// in the inbox.
func (q *Queue) ScanAgain(subs ...submission.Submission) {
	var again []submission.Submission
	for _, s := range subs {
		if next, able := q.again(s); able {
			again = append(again, next)
		}
	}
	q.do(func(*state) {
		if len(again) == 0 || q.ctx.Err() != nil {
			return
		}
		q.workers.Go(func() {
			if _, err := q.admit(q.ctx, again); err != nil {
				q.Log.Error("scan again", "error", err)
			}
		})
	})
}

// again is a submission of the same file or link as another one, which is not accepted yet; able is false where its file is on another device.
func (q *Queue) again(s submission.Submission) (next submission.Submission, able bool) {
	if s.Path == "" && s.Link == "" {
		return next, false
	}
	next = submission.Submission{ID: uuid.NewString(), Path: s.Path, Link: s.Link, Name: s.Name, Type: s.Type, Note: s.Note, Tags: s.Tags, Graphic: s.Graphic,
		Source: s.Source, Gate: s.Gate, Folder: s.Folder, State: submission.Waiting, Step: submission.Seen, Again: true, Accepted: q.Now()}
	if next.Source == submission.Service {
		next.Source = submission.Pasted // from here on, its link is one that was pasted here
	}
	if s.Copy.Format != "" || s.Copy.Part != (submission.Part{}) { // the person, or the settings, allowed it for the same file
		next.Copies, next.Part = submission.CopiesAlways, s.Part
	}
	next.Gate, _ = q.gateOf(next) // the settings, or its folder's, may have become stricter since
	return next, true
}
