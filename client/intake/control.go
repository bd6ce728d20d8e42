package intake

import (
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/submission"
)

// Pause stops submissions at once, until Resume. What the service already has stays there, and nothing is sent twice.
func (q *Queue) Pause(ids ...string) {
	q.control("paused", ids, func(it *item) bool {
		if it.Paused || it.State == submission.Held || it.State.Ended() {
			return false
		}
		it.Paused = true
		q.halt(it)
		return true
	})
}

// Resume lets paused submissions go on.
func (q *Queue) Resume(ids ...string) {
	q.control("resumed", ids, func(it *item) bool {
		if !it.Paused {
			return false
		}
		it.Paused = false
		q.start(it)
		return true
	})
}

// Cancel ends submissions at once; what the service already has stays there.
func (q *Queue) Cancel(ids ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.takeBackAllow(ids)
	var changed []*item
	for _, id := range ids { // of a duplicate, itself and not the one whose answer it shows
		it := q.items[id]
		if it == nil || q.view(it).State.Ended() {
			continue
		}
		q.halt(it)
		it.State, it.Delay, it.Paused = submission.Cancelled, "", false
		q.touched(it)
		changed = append(changed, it)
	}
	q.keep("cancelled", changed...)
}

// Retry lets ended submissions that have no result go on where they stood: what the service already has is not sent again, and
// what the person has not allowed to leave waits for that. One that stays on this computer has nothing to try: Approve is its way on.
func (q *Queue) Retry(ids ...string) {
	q.control("tried again", ids, func(it *item) bool {
		if !it.State.Ended() || it.State == submission.Done || it.State == submission.Stays {
			return false
		}
		it.State, it.Paused, it.Problem, it.Delay, it.Sent, it.Rate = submission.Waiting, false, "", "", 0, 0
		if content := it.Content(); content != "" && it.Earlier == "" && it.Step != submission.Seen && it.stands() && q.firsts[content] == nil {
			q.firsts[content] = it
		}
		q.start(it)
		return true
	})
}

// putBack gives a submission its row in the inbox again, where that was removed: one that is paused by way of a duplicate
// might never be resumed without; q.mu is held.
func (q *Queue) putBack(it *item) {
	if it.inInbox {
		return
	}
	it.Filed, it.inInbox = false, true
	q.order = append(q.order, it.ID)
	q.tellOrder()
}

// RetryFailed retries all that failed.
func (q *Queue) RetryFailed() {
	q.mu.Lock()
	var failed []string
	for _, id := range q.order {
		if q.items[id].State == submission.Failed {
			failed = append(failed, id)
		}
	}
	q.mu.Unlock()
	q.Retry(failed...)
}

// control does something to submissions, or to those whose answer they show, and writes down what came of it.
func (q *Queue) control(deed string, ids []string, do func(*item) (changed bool)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var changed []*item
	for _, id := range ids {
		it := q.items[id]
		if it != nil && it.Earlier != "" && it.State != submission.Cancelled && q.items[it.Earlier] != nil {
			it = q.items[it.Earlier]
		}
		if it != nil && do(it) {
			if it.Paused {
				q.putBack(it)
			}
			q.touched(it)
			changed = append(changed, it)
		}
	}
	q.keep(deed, changed...)
}

// Remove takes ended submissions, and duplicates, out of the inbox; an answer still stands among the results.
func (q *Queue) Remove(ids ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var out []*item
	for _, id := range ids {
		if it := q.items[id]; it != nil && it.inInbox && (it.Earlier != "" || it.State.Ended()) {
			out = append(out, it)
		}
	}
	q.takeOut(out...)
}

// ClearDone takes all that was answered out of the inbox.
func (q *Queue) ClearDone() {
	q.mu.Lock()
	var done []string
	for _, id := range q.order {
		if q.view(q.items[id]).State == submission.Done {
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
func forgetUpload(s *submission.Submission) {
	s.Upload, s.Uploaded = client.Upload{}, time.Time{}
}
