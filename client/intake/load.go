package intake

import (
	"context"
	"slices"

	"assay/client"
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
		q.items[s.ID] = &item{Submission: s}
	}
	for _, s := range kept {
		if err := q.loadEarlier(ctx, s.Earlier); err != nil {
			return err
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, s := range kept {
		it := q.items[s.ID]
		it.takeUp()
		if q.items[it.Earlier] == nil {
			it.Earlier = "" // whose answer it showed is no more
		}
		q.place(it)
	}
	var old []*item
	for _, s := range kept {
		it := q.items[s.ID]
		if first := q.items[it.Earlier]; first != nil && !first.leads(it) {
			q.letGo(first)
		}
		if it.Earlier != "" && it.Accepted.Before(yesterday) && q.view(it).State == submission.Done {
			old = append(old, it)
		}
	}
	if len(old) > 0 {
		q.takeOut(old...)
	}
	return nil
}

func (q *Queue) loadEarlier(ctx context.Context, id string) error {
	if id == "" || q.items[id] != nil {
		return nil
	}
	s, ok, err := q.Store.Get(ctx, id)
	if err != nil || !ok {
		return err
	}
	it := &item{Submission: s}
	it.takeUp()
	q.items[id] = it
	return nil
}

// takeUp puts a submission of an earlier run into the state from which it goes on.
func (it *item) takeUp() {
	switch {
	case it.State.Ended(), it.State == submission.Held:
	case it.RequestID != "":
		it.State = submission.Analysing
	default:
		it.State = submission.Waiting
	}
}

// place puts an item into the inbox's order, and lets it stand for its content where it is the one; q.mu is held.
func (q *Queue) place(it *item) {
	q.items[it.ID] = it
	if first := q.items[it.Earlier]; first != nil {
		first.followers = append(first.followers, it)
	} else if content := it.Content(); content != "" && it.Step != submission.Seen && it.stands() {
		q.firsts[content] = it
	}
	if !it.Filed {
		it.inInbox = true
		q.order = append(q.order, it.ID)
		q.tellOrder()
	}
	q.touched(it)
}
