package intake

import (
	"cmp"
	"slices"
	"time"

	"assay/client/custody"
	"assay/client/intake/dedupe"
	"assay/client/submission"
)

// becomePrimary makes a job's submission the primary of its content and writes what was found out about it (Step, and a file's facts or a link's
// Warning), or holds it back as its gate says. Where the content has a primary already, it becomes a duplicate of that, and primary is false. From a
// cancelled submission of the same link it takes over the time at which the service may have been given the link.
func (q *Queue) becomePrimary(j *job, found submission.Submission) (primary bool, err error) {
	e := j.entry
	q.obeyLock(e)
	known := q.snapshot(e)
	before := known.Content()
	known.SHA256 = found.SHA256
	content := known.Content()
	earlier, err := q.register(e, content)
	if err != nil {
		return false, err
	}
	if earlier != nil {
		return false, q.becomeDuplicate(j, earlier, found)
	}
	if taken, err := q.heedColleagues(e, found); taken || err != nil {
		return false, err
	}
	maySend := dedupe.MaySend(q.snapshot(e), cmp.Or(found.SHA256, before))
	if !maySend {
		return false, q.holdBack(e, found)
	}
	event := custody.Hashed
	if e.Link != "" {
		event = custody.None // there is nothing to record yet
	}
	asked := q.askedBefore(e, content)
	if err := q.commit(e, event, func(s *submission.Submission) {
		settle(s, found)
		if s.Asking.At.IsZero() {
			s.Asking.At = asked
		}
	}); err != nil {
		return false, err // in the index, it stands for nothing that it does not hold: see dedupe.GivesWay
	}
	if before != content {
		q.do(func(st *state) {
			st.index.Unregister(before, e.ID)
			st.releaseDuplicates(e)
		})
	}
	return true, nil
}

// register makes a submission the primary of a content, unless it gives way to an earlier one, in memory or in the store: then that one is returned,
// else nil.
func (q *Queue) register(e *entry, content string) (earlier *entry, err error) {
	inStore := false
	q.do(func(st *state) {
		primary := st.primary(content)
		if primary != nil && dedupe.GivesWay(e.Submission, primary.Submission, content) {
			earlier = primary
		}
		inStore = !e.Again && primary != e
	})
	if earlier != nil {
		return earlier, nil
	}
	var kept submission.Submission
	found := false
	if inStore {
		if kept, found, err = q.Store.ByContent(q.ctx, content); err != nil {
			return nil, &diskError{err}
		}
	}
	q.do(func(st *state) {
		if primary := st.primary(content); primary != nil && dedupe.GivesWay(e.Submission, primary.Submission, content) {
			earlier = primary
			return
		}
		if found {
			if earlier = st.entries[kept.ID]; earlier == nil {
				earlier = fromDisk(kept)
				earlier.Filed = true // on disk it may not be yet: but all that is in the inbox is among the entries
			}
			if dedupe.GivesWay(e.Submission, earlier.Submission, content) { // it may have been cancelled just now, and that not be on disk yet
				if st.entries[kept.ID] == nil {
					earlier.prepareToResume()
					st.add(earlier)
				}
				return
			}
			earlier = nil
		}
		if dedupe.MaySend(e.Submission, content) {
			st.index.Register(content, e.ID)
		}
	})
	return earlier, nil
}

// askedBefore is when a cancelled submission of the same link was submitted without its outcome being known; zero: there is none.
func (q *Queue) askedBefore(e *entry, content string) (asked time.Time) {
	if e.Link == "" {
		return asked
	}
	q.do(func(st *state) {
		for _, other := range st.entries {
			if other != e && other.State == submission.Cancelled && other.Content() == content && other.Asking.At.After(asked) {
				asked = other.Asking.At
			}
		}
	})
	return asked
}

// becomeDuplicate makes a submission show another's answer. Where that one had failed, it is started again.
func (q *Queue) becomeDuplicate(j *job, primary *entry, found submission.Submission) error {
	e := j.entry
	failed := false
	q.do(func(st *state) {
		if kept := st.entries[primary.ID]; kept != nil {
			primary = kept
		} else { // it was removed from the inbox meanwhile
			st.entries[primary.ID] = primary
		}
		st.index.Add(primary.ID, e.ID) // before it shows the answer, so that it misses no change of the primary
		failed = primary.State == submission.Failed
	})
	if failed { // before it shows: an old answer must not pass for a new one
		q.Retry(primary.ID)
	}
	found.Step = submission.Settled
	err := q.commit(e, custody.Duplicate, func(s *submission.Submission) {
		settle(s, found)
		s.Earlier = primary.ID
	})
	q.do(func(st *state) {
		switch {
		case err != nil:
			st.index.Remove(primary.ID, e.ID)
			return
		case !slices.Contains(st.index.Duplicates(primary.ID), e.ID): // it was released during the write
			e.Submission = dedupe.OnItsOwn(e.Submission)
			st.touched(e)
			st.keep(custody.NoDuplicate, e)
		case !dedupe.Shows(e.Submission, primary.Submission): // no longer
			st.releaseDuplicates(primary)
		}
	})
	return err
}

// releaseDuplicates makes the duplicates of an entry independent submissions again, as dedupe.Succeed says.
func (st *state) releaseDuplicates(e *entry) {
	released := st.duplicates(e)
	st.index.Release(e.ID)
	subs := make([]submission.Submission, len(released))
	for i, d := range released {
		subs[i] = d.Submission
	}
	for i, own := range dedupe.Succeed(e.Submission, subs) {
		released[i].Submission = own
		st.touched(released[i])
	}
	st.keep(custody.NoDuplicate, released...)
	for _, d := range released {
		st.start(d)
	}
}

// settle writes what was found out into a submission.
func settle(s *submission.Submission, found submission.Submission) {
	if s.SHA256 != found.SHA256 {
		if s.SHA256 != "" {
			s.Part = submission.Part{} // it was chosen of other bytes
		}
		dropUpload(s) // what was sent before were other bytes
		s.Step = submission.Seen
		revokeApproval(s)
	}
	if found.Step == submission.Settled || stepsBefore(s.Step, found.Step) {
		s.Step = found.Step
	}
	s.Warning = found.Warning
	if s.Link == "" {
		s.Name, s.Size, s.Modified = found.Name, found.Size, found.Modified
		if s.Copy.SHA256 == "" { // else it is the copy's
			s.Type = found.Type
		}
		if s.SHA256 != found.SHA256 || s.SendName == "" {
			s.SendName = found.SendName // else it keeps the name under which the service may have the bytes already
			if s.Neutral {
				s.SendName = NeutralName(*s) // the bytes are the same, so that the person's decision on the name holds
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
