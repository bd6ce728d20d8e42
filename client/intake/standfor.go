package intake

import (
	"time"

	"assay/client/submission"
)

// standFor makes a run's submission stand for its content, and writes down what found holds of it: Step, and a file's
// facts or a link's Warning. Where another stands for that content already, this one shows its answer, and sets it going
// again where it had failed; first is then false. One that the person cancelled gives its place up, and with it the
// memory of a link that the service may have taken.
func (q *Queue) standFor(r *run, found submission.Submission) (first bool, err error) {
	it := r.item
	known := it.Submission
	known.SHA256 = found.SHA256
	content := known.Content()
	earlier, err := q.earlierOf(it, content)
	if err != nil {
		return false, err
	}
	if earlier != nil {
		return false, q.follow(r, earlier, found)
	}
	deed := "hashed"
	if it.Link != "" {
		deed = "" // there is nothing to say of it yet
	}
	asked := q.leftBehind(it, content)
	if err := q.commit(it, deed, func(s *submission.Submission) {
		settle(s, found)
		if s.Asking.At.IsZero() {
			s.Asking.At = asked
		}
	}); err != nil {
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.firsts[content] == it {
			delete(q.firsts, content)
		}
		return false, err
	}
	return true, nil
}

// settle writes what was found into a submission.
func settle(s *submission.Submission, found submission.Submission) {
	if s.SHA256 != found.SHA256 {
		forgetUpload(s) // what was sent before were other bytes
		s.Step = submission.Seen
	}
	if found.Step == submission.Settled || stepsBefore(s.Step, found.Step) {
		s.Step = found.Step
	}
	s.Warning = found.Warning
	if s.Link == "" {
		s.Name, s.Type, s.Size, s.Modified = found.Name, found.Type, found.Size, found.Modified
		s.SHA256, s.SendName = found.SHA256, found.SendName
	}
}

// stepsBefore reports whether one step comes before another.
func stepsBefore(one, other submission.Step) bool {
	return ranks[one] < ranks[other]
}

var ranks = map[submission.Step]int{submission.Seen: 0, submission.Settled: 1, submission.Gated: 2, submission.URLRequested: 3,
	submission.URLHeld: 4, submission.SendingBytes: 5, submission.SentBytes: 6, submission.Polling: 7, submission.Answered: 8}

// earlierOf finds the submission that stands for a content, in memory or in the store, and else makes this one stand
// for it: then it returns nil.
func (q *Queue) earlierOf(it *item, content string) (*item, error) {
	q.mu.Lock()
	first, anew := q.firsts[content], it.Anew
	if first != nil && first != it && standsForContent(first.State) && !anew {
		q.mu.Unlock()
		return first, nil
	}
	q.mu.Unlock()
	var kept submission.Submission
	found := false
	if !anew && first != it {
		var err error
		if kept, found, err = q.Store.ByContent(q.ctx, content); err != nil {
			return nil, &diskError{err}
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if first := q.firsts[content]; first != nil && first != it && standsForContent(first.State) && !anew {
		return first, nil
	}
	if found && kept.ID != it.ID {
		earlier := q.items[kept.ID]
		if earlier == nil {
			earlier = &item{Submission: kept}
			earlier.takeUp()
			q.place(earlier)
		}
		if standsForContent(earlier.State) { // what was cancelled just now may not be on disk yet
			return earlier, nil
		}
	}
	q.firsts[content] = it
	return nil, nil
}

// leftBehind is when a cancelled submission of the same link was submitted with an outcome that is unknown; zero: none was.
func (q *Queue) leftBehind(it *item, content string) (asked time.Time) {
	if it.Link == "" {
		return asked
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, other := range q.items {
		if other != it && other.State == submission.Cancelled && other.Content() == content && other.Asking.At.After(asked) {
			asked = other.Asking.At
		}
	}
	return asked
}

// follow makes a submission show another's answer.
func (q *Queue) follow(r *run, earlier *item, found submission.Submission) error {
	it := r.item
	found.Step = submission.Settled
	if err := q.commit(it, "handed over before", func(s *submission.Submission) {
		settle(s, found)
		s.Earlier = earlier.ID
	}); err != nil {
		return err
	}
	q.mu.Lock()
	earlier.followers = append(earlier.followers, it)
	q.touched(it)
	failed := earlier.State == submission.Failed
	q.mu.Unlock()
	if failed {
		q.Retry(earlier.ID)
	}
	return nil
}
