package intake

import (
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/submission"
)

// Pause stops submissions at once, until Resume. What the service already has stays there, and nothing is sent twice.
func (q *Queue) Pause(ids ...string) {
	q.control("paused", ids, func(e *entry) bool {
		if e.Paused || e.State == submission.Held || e.State.Ended() {
			return false
		}
		e.Paused = true
		q.halt(e)
		return true
	})
}

// Resume lets paused submissions go on.
func (q *Queue) Resume(ids ...string) {
	q.control("resumed", ids, func(e *entry) bool {
		if !e.Paused {
			return false
		}
		e.Paused = false
		q.start(e)
		return true
	})
}

// Cancel ends submissions at once; what the service already has stays there.
func (q *Queue) Cancel(ids ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.takeBackAllow(ids)
	var changed []*entry
	for _, id := range ids { // of a duplicate, itself and not the one whose answer it shows
		e := q.entries[id]
		if e == nil || q.view(e).State.Ended() {
			continue
		}
		q.halt(e)
		e.State, e.Delay, e.Paused = submission.Cancelled, i18n.Message{}, false
		q.touched(e)
		changed = append(changed, e)
	}
	q.keep("cancelled", changed...)
}

// Retry lets ended submissions that have no result go on where they stood: what the service already has is not sent again, and
// what the person has not allowed to leave waits for that. One that stays on this computer has nothing to try: Approve is its way on.
func (q *Queue) Retry(ids ...string) {
	q.control("tried again", ids, func(e *entry) bool {
		if !e.State.Ended() || e.State == submission.Done || e.State == submission.Stays {
			return false
		}
		e.State, e.Paused, e.Problem, e.Delay, e.Sent, e.Rate = submission.Waiting, false, i18n.Message{}, i18n.Message{}, 0, 0
		if content := e.Content(); content != "" && e.Earlier == "" && e.Step != submission.Seen && e.canBePrimary() && q.firsts[content] == nil {
			q.firsts[content] = e
		}
		q.start(e)
		return true
	})
}

// putBack gives a submission its row in the inbox again, where that was removed: one that is paused by way of a duplicate
// might never be resumed without; q.mu is held.
func (q *Queue) putBack(e *entry) {
	if e.inInbox {
		return
	}
	e.Filed, e.inInbox = false, true
	q.order = append(q.order, e.ID)
	q.tell(events.Inbox, "")
}

// RetryFailed retries all that failed.
func (q *Queue) RetryFailed() {
	q.mu.Lock()
	var failed []string
	for _, id := range q.order {
		if q.entries[id].State == submission.Failed {
			failed = append(failed, id)
		}
	}
	q.mu.Unlock()
	q.Retry(failed...)
}

// control does something to submissions, or to those whose answer they show, and writes down what came of it.
func (q *Queue) control(deed string, ids []string, do func(*entry) (changed bool)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var changed []*entry
	for _, id := range ids {
		e := q.entries[id]
		if e != nil && e.Earlier != "" && e.State != submission.Cancelled && q.entries[e.Earlier] != nil {
			e = q.entries[e.Earlier]
		}
		if e != nil && do(e) {
			if e.Paused {
				q.putBack(e)
			}
			q.touched(e)
			changed = append(changed, e)
		}
	}
	q.keep(deed, changed...)
}

// Remove takes ended submissions, and duplicates, out of the inbox; an answer still stands among the results.
func (q *Queue) Remove(ids ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var out []*entry
	for _, id := range ids {
		if e := q.entries[id]; e != nil && e.inInbox && (e.Earlier != "" || e.State.Ended()) {
			out = append(out, e)
		}
	}
	q.takeOut(out...)
}

// ClearDone takes all that was answered out of the inbox.
func (q *Queue) ClearDone() {
	q.mu.Lock()
	var done []string
	for _, id := range q.order {
		if q.view(q.entries[id]).State == submission.Done {
			done = append(done, id)
		}
	}
	q.mu.Unlock()
	q.Remove(done...)
}

// ScanAgain submits the files and links of these submissions once more, whether they have an answer or not. Both
// results are kept. Of what asks first, by itself or by the settings as
// they are now, the person is asked again. The submissions may be given
// from the store: they need not be in the inbox.
func (q *Queue) ScanAgain(subs ...submission.Submission) {
	var again []submission.Submission
	now := q.Now()
	for _, s := range subs {
		if s.Path == "" && s.Link == "" {
			continue // another device has it
		}
		next := submission.Submission{ID: uuid.NewString(), Path: s.Path, Link: s.Link, Name: s.Name, Type: s.Type, Note: s.Note,
			Source: s.Source, Gate: s.Gate, Folder: s.Folder, State: submission.Waiting, Step: submission.Seen, Again: true, Accepted: now}
		if next.Source == submission.Service {
			next.Source = submission.Pasted // its link, from here on
		}
		next.Gate, _ = q.gateOf(next) // the settings, or its folder's, may have become stricter
		again = append(again, next)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(again) == 0 || q.ctx.Err() != nil {
		return
	}
	q.workers.Go(func() {
		if _, err := q.admit(q.ctx, again); err != nil {
			q.Log.Error("scan again", "error", err)
		}
	})
}

// forgetUpload is how a submission stands whose bytes are not at the service under the address it holds.
func dropUpload(s *submission.Submission) {
	s.Upload, s.Uploaded = client.Upload{}, time.Time{}
}
