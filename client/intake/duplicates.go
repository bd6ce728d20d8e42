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
func (q *Queue) becomePrimary(j *job, found submission.Submission) (first bool, err error) {
	e := j.entry
	q.obeyLock(e)
	q.mu.Lock()
	known, maySend := e.Submission, e.mayLeave(cmp.Or(found.SHA256, e.Content()))
	q.mu.Unlock()
	before := known.Content()
	known.SHA256 = found.SHA256
	content := known.Content()
	earlier, err := q.primaryFor(e, content)
	if err != nil {
		return false, err
	}
	if earlier != nil {
		return false, q.becomeDuplicate(j, earlier, found)
	}
	if !maySend {
		return false, q.holdBack(e, before, found)
	}
	deed := "hashed"
	if e.Link != "" {
		deed = "" // there is nothing to say of it yet
	}
	asked := q.askedBefore(e, content)
	if err := q.commit(e, deed, func(s *submission.Submission) {
		settle(s, found)
		if s.Asking.At.IsZero() {
			s.Asking.At = asked
		}
	}); err != nil {
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.firsts[content] == e {
			delete(q.firsts, content)
		}
		return false, err
	}
	if before != content {
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.firsts[before] == e {
			delete(q.firsts, before)
		}
		q.releaseDuplicates(e)
	}
	return true, nil
}

// letGo makes the duplicates of a submission submissions of their own again, which are looked at anew: what it stands for
// now is not what they hold, or it never will be sent. Where it will not, the first of them goes on where it stood, since
// their bytes are the same; q.mu is held.
func (q *Queue) releaseDuplicates(e *entry) {
	alone := e.duplicates
	e.duplicates = nil
	heir := e.State == submission.Refused && e.Copy == (submission.Copy{}) // else other bytes may be at its address than they hold
	for _, f := range alone {
		f.standAlone()
		if heir && f.State == submission.Waiting && f.MayLeave() && f.Content() == e.Content() {
			f.Step, f.Upload, f.Uploaded, f.SendName = e.Step, e.Upload, e.Uploaded, e.SendName
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
func (e *entry) standAlone() {
	e.Earlier, e.Step, e.State = "", submission.Seen, cmp.Or(e.ended(), submission.Waiting)
	if e.Filed && e.State == submission.Waiting {
		e.State = submission.Cancelled
	}
}

// ended is the state in which a submission has ended, "" while it has not.
func (e *entry) ended() submission.State {
	if e.State.Ended() {
		return e.State
	}
	return ""
}

// leads reports whether a duplicate shows another's answer rightly; q.mu is held.
func (e *entry) isShownBy(f *entry) bool {
	return e.Earlier == "" && shownByOthers(e.State) && e.Content() == f.Content()
}

// settle writes what was found into a submission.
func settle(s *submission.Submission, found submission.Submission) {
	if s.SHA256 != found.SHA256 {
		dropUpload(s) // what was sent before were other bytes
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
func (q *Queue) primaryFor(e *entry, content string) (*entry, error) {
	q.mu.Lock()
	first, again := q.firsts[content], e.Again
	if q.yieldsTo(e, first, content) {
		q.mu.Unlock()
		return first, nil
	}
	q.mu.Unlock()
	var kept submission.Submission
	found := false
	if !again && first != e {
		var err error
		if kept, found, err = q.Store.ByContent(q.ctx, content); err != nil {
			return nil, &diskError{err}
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if first := q.firsts[content]; q.yieldsTo(e, first, content) {
		return first, nil
	}
	if found && kept.ID != e.ID {
		earlier := q.entries[kept.ID]
		if earlier == nil {
			earlier = &entry{Submission: kept}
			earlier.Filed = true // on the disk it may not be yet: whatever is in the inbox is among the items
		}
		if q.yieldsTo(e, earlier, content) { // what was cancelled just now may not be on disk yet
			if q.entries[kept.ID] == nil {
				earlier.takeUp()
				q.add(earlier)
			}
			return earlier, nil
		}
	}
	if e.mayLeave(content) {
		q.firsts[content] = e
	}
	return nil, nil
}

// givesWay reports whether one submission shows the answer of another that is found for its content. Where the person
// wanted the content analysed anew, the one that was on its way before goes on beside that. One that waits for the person's
// word shows an answer that is there, for which nothing leaves, and one that never leaves shows none; q.mu is held.
func (q *Queue) yieldsTo(e, first *entry, content string) bool {
	if first == nil || first == e || first.Earlier != "" || e.Again || first.Content() != content || !first.canBePrimary() {
		return false
	}
	if !e.mayLeave(content) {
		return e.Gate == submission.GateAsk && first.State == submission.Done
	}
	onItsWay := e.Step != submission.Seen && e.Content() == content
	return !first.Again || !onItsWay
}

// leftBehind is when a cancelled submission of the same link was submitted with an outcome that is unknown; zero: none was.
func (q *Queue) askedBefore(e *entry, content string) (asked time.Time) {
	if e.Link == "" {
		return asked
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, other := range q.entries {
		if other != e && other.State == submission.Cancelled && other.Content() == content && other.Asking.At.After(asked) {
			asked = other.Asking.At
		}
	}
	return asked
}

// follow makes a submission show another's answer.
func (q *Queue) becomeDuplicate(j *job, earlier *entry, found submission.Submission) error {
	e := j.entry
	q.mu.Lock()
	if kept := q.entries[earlier.ID]; kept != nil {
		earlier = kept
	} else { // it was removed from the inbox meanwhile
		q.entries[earlier.ID] = earlier
	}
	earlier.duplicates = append(earlier.duplicates, e) // before it shows the answer, so that no change of that is missed
	q.releaseDuplicates(e)
	failed := earlier.State == submission.Failed
	q.mu.Unlock()
	if failed { // before it shows: nobody takes an answer of the past for that of this time
		q.Retry(earlier.ID)
	}
	found.Step = submission.Settled
	err := q.commit(e, "handed over before", func(s *submission.Submission) {
		settle(s, found)
		s.Earlier = earlier.ID
	})
	q.mu.Lock()
	switch {
	case err != nil:
		earlier.duplicates = slices.DeleteFunc(earlier.duplicates, func(o *entry) bool { return o == e })
	case !slices.Contains(earlier.duplicates, e): // it was let go while that was written down
		e.standAlone()
		q.touched(e)
		q.keep("on its own", e)
	case !earlier.isShownBy(e): // any more
		q.releaseDuplicates(earlier)
	}
	if err == nil {
		q.releaseDuplicates(e) // what took it for the first while that was written down
	}
	q.mu.Unlock()
	return err
}
