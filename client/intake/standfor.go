package intake

import (
	"cmp"
	"slices"
	"time"

	"assay/client/submission"
)

// standFor makes a run's submission stand for its content, and writes down what found holds of it: Step, and a file's
// facts or a link's Warning; or it is held back, as its gate says. Where another stands for that content already, this one shows its answer, and sets it going
// again where it had failed; first is then false. One that the person cancelled gives its place up, and with it the
// memory of a link that the service may have taken.
func (q *Queue) standFor(r *run, found submission.Submission) (first bool, err error) {
	it := r.item
	q.obeyLock(it)
	q.mu.Lock()
	known, leaves := it.Submission, it.mayLeave(cmp.Or(found.SHA256, it.Content()))
	q.mu.Unlock()
	before := known.Content()
	known.SHA256 = found.SHA256
	content := known.Content()
	earlier, err := q.earlierOf(it, content)
	if err != nil {
		return false, err
	}
	if earlier != nil {
		return false, q.follow(r, earlier, found)
	}
	if !leaves {
		return false, q.holdBack(it, before, found)
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
	if before != content {
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.firsts[before] == it {
			delete(q.firsts, before)
		}
		q.letGo(it)
	}
	return true, nil
}

// letGo makes the duplicates of a submission submissions of their own again, which are looked at anew: what it stands for
// now is not what they hold, or it never will be sent. Where it will not, the first of them goes on where it stood, since
// their bytes are the same; q.mu is held.
func (q *Queue) letGo(it *item) {
	alone := it.followers
	it.followers = nil
	heir := it.State == submission.Refused && it.Copy == (submission.Copy{}) // else other bytes may be at its address than they hold
	for _, f := range alone {
		f.standAlone()
		if heir && f.State == submission.Waiting && f.MayLeave() && f.Content() == it.Content() {
			f.Step, f.Upload, f.Uploaded, f.SendName = it.Step, it.Upload, it.Uploaded, it.SendName
			heir = false
		}
		q.touched(f)
	}
	q.keep("on its own", alone...)
	for _, f := range alone {
		q.start(f)
	}
}

// standAlone makes a duplicate a submission of its own, which is looked at anew; one that the person has removed is over.
func (it *item) standAlone() {
	it.Earlier, it.Step, it.State = "", submission.Seen, cmp.Or(it.ended(), submission.Waiting)
	if it.Filed && it.State == submission.Waiting {
		it.State = submission.Cancelled
	}
}

// ended is the state in which a submission has ended, "" while it has not.
func (it *item) ended() submission.State {
	if it.State.Ended() {
		return it.State
	}
	return ""
}

// leads reports whether a duplicate shows another's answer rightly; q.mu is held.
func (it *item) leads(f *item) bool {
	return it.Earlier == "" && shownByOthers(it.State) && it.Content() == f.Content()
}

// settle writes what was found into a submission.
func settle(s *submission.Submission, found submission.Submission) {
	if s.SHA256 != found.SHA256 {
		forgetUpload(s) // what was sent before were other bytes
		s.Step = submission.Seen
		takeBack(s)
	}
	if found.Step == submission.Settled || stepsBefore(s.Step, found.Step) {
		s.Step = found.Step
	}
	s.Warning = found.Warning
	if s.Link == "" {
		s.Name, s.Type, s.Size, s.Modified = found.Name, found.Type, found.Size, found.Modified
		if s.SHA256 != found.SHA256 || s.SendName == "" {
			s.SendName = found.SendName // else it is the one under which the service may have the bytes already
			if s.Neutral {
				s.SendName = NeutralName(*s) // the same bytes under another name: the person's word on that still holds
			}
		}
		s.SHA256 = found.SHA256
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
	first, again := q.firsts[content], it.Again
	if q.givesWay(it, first, content) {
		q.mu.Unlock()
		return first, nil
	}
	q.mu.Unlock()
	var kept submission.Submission
	found := false
	if !again && first != it {
		var err error
		if kept, found, err = q.Store.ByContent(q.ctx, content); err != nil {
			return nil, &diskError{err}
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if first := q.firsts[content]; q.givesWay(it, first, content) {
		return first, nil
	}
	if found && kept.ID != it.ID {
		earlier := q.items[kept.ID]
		if earlier == nil {
			earlier = &item{Submission: kept}
			earlier.Filed = true // on the disk it may not be yet: whatever is in the inbox is among the items
		}
		if q.givesWay(it, earlier, content) { // what was cancelled just now may not be on disk yet
			if q.items[kept.ID] == nil {
				earlier.takeUp()
				q.place(earlier)
			}
			return earlier, nil
		}
	}
	if it.mayLeave(content) {
		q.firsts[content] = it
	}
	return nil, nil
}

// givesWay reports whether one submission shows the answer of another that is found for its content. Where the person
// wanted the content analysed anew, the one that was on its way before goes on beside that. One that waits for the person's
// word shows an answer that is there, for which nothing leaves, and one that never leaves shows none; q.mu is held.
func (q *Queue) givesWay(it, first *item, content string) bool {
	if first == nil || first == it || first.Earlier != "" || it.Again || first.Content() != content || !first.stands() {
		return false
	}
	if !it.mayLeave(content) {
		return it.Gate == submission.GateAsk && first.State == submission.Done
	}
	onItsWay := it.Step != submission.Seen && it.Content() == content
	return !first.Again || !onItsWay
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
	q.mu.Lock()
	if kept := q.items[earlier.ID]; kept != nil {
		earlier = kept
	} else { // it was removed from the inbox meanwhile
		q.items[earlier.ID] = earlier
	}
	earlier.followers = append(earlier.followers, it) // before it shows the answer, so that no change of that is missed
	q.letGo(it)
	failed := earlier.State == submission.Failed
	q.mu.Unlock()
	if failed { // before it shows: nobody takes an answer of the past for that of this time
		q.Retry(earlier.ID)
	}
	found.Step = submission.Settled
	err := q.commit(it, "handed over before", func(s *submission.Submission) {
		settle(s, found)
		s.Earlier = earlier.ID
	})
	q.mu.Lock()
	switch {
	case err != nil:
		earlier.followers = slices.DeleteFunc(earlier.followers, func(o *item) bool { return o == it })
	case !slices.Contains(earlier.followers, it): // it was let go while that was written down
		it.standAlone()
		q.touched(it)
		q.keep("on its own", it)
	case !earlier.leads(it): // any more
		q.letGo(earlier)
	}
	if err == nil {
		q.letGo(it) // what took it for the first while that was written down
	}
	q.mu.Unlock()
	return err
}
