package intake

import (
	"context"
	"slices"

	"assay/client"
	"assay/client/events"
	"assay/client/submission"
)

// load reads the inbox, and what its duplicates refer to.
func (q *Queue) load(ctx context.Context) error {
	yesterday := q.Now().Add(-answeredFor)
	if err := q.Store.FileDone(ctx, yesterday, answeredMost); err != nil {
		return err
	}
	paused, err := q.Store.Fact(ctx, factPaused)
	if err != nil {
		return err
	}
	if paused != "" {
		q.status = QueueStatus{Cause: PausedAll}
	}
	kept, err := q.Store.Inbox(ctx)
	if err != nil {
		return err
	}
	kept = slices.DeleteFunc(kept, func(s submission.Submission) bool {
		return s.Filed && s.Earlier != "" // removed, and the answer that it showed is another's
	})
	for _, s := range kept {
		if q.UploadURLsExpired && s.Upload.SignedURL != "" {
			s.Upload.Issued = s.Upload.Issued.Add(-client.SignedURLLife)
		}
		q.entries[s.ID] = &entry{Submission: s}
	}
	for _, s := range kept {
		if err := q.loadEarlier(ctx, s.Earlier); err != nil {
			return err
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, s := range kept {
		e := q.entries[s.ID]
		e.takeUp()
		if q.entries[e.Earlier] == nil {
			e.Earlier = "" // whose answer it showed is no more
		}
		q.add(e)
	}
	var old []*entry
	for _, s := range kept {
		e := q.entries[s.ID]
		if first := q.entries[e.Earlier]; first != nil && !first.isShownBy(e) {
			q.releaseDuplicates(first)
		}
		if e.Earlier != "" && e.Accepted.Before(yesterday) && q.view(e).State == submission.Done {
			old = append(old, e)
		}
	}
	if len(old) > 0 {
		q.takeOut(old...)
	}
	return nil
}

func (q *Queue) loadEarlier(ctx context.Context, id string) error {
	if id == "" || q.entries[id] != nil {
		return nil
	}
	s, ok, err := q.Store.Get(ctx, id)
	if err != nil || !ok {
		return err
	}
	e := &entry{Submission: s}
	e.takeUp()
	q.entries[id] = e
	return nil
}

// takeUp puts a submission of an earlier run into the state from which it goes on.
func (e *entry) takeUp() {
	switch {
	case e.State.Ended(), e.State == submission.Held:
	case e.RequestID != "":
		e.State = submission.Analysing
	default:
		e.State = submission.Waiting
	}
}

// place puts an item into the inbox's order, and lets it stand for its content where it is the one; q.mu is held.
func (q *Queue) add(e *entry) {
	q.entries[e.ID] = e
	if first := q.entries[e.Earlier]; first != nil {
		first.duplicates = append(first.duplicates, e)
	} else if content := e.Content(); content != "" && e.Step != submission.Seen && e.canBePrimary() {
		q.firsts[content] = e
	}
	if !e.Filed {
		e.inInbox = true
		q.order = append(q.order, e.ID)
		q.tell(events.Inbox, "")
	}
	q.touched(e)
}
