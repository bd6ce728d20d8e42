package intake

import (
	"cmp"
	"errors"
	"time"

	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/media"
	"assay/client/submission"
)

// gateOf is Params.Gate. It is not called on the goroutine that owns the state, since Params.Gate may take a lock.
func (q *Queue) gateOf(s submission.Submission) (gate, lock submission.Gate) {
	if q.Gate == nil {
		return s.Gate, submission.GateSend
	}
	return q.Gate(s)
}

// lockOf returns a submission as it is now, and the gate that IT has locked for it.
func (q *Queue) lockOf(e *entry) (now submission.Submission, lock submission.Gate) {
	now = q.snapshot(e)
	_, lock = q.gateOf(now)
	return now, lock
}

// Overruled says why something is not sent although it was to be: its gate is stricter. The reason is the gate that IT has locked, or with unread
// (Params.LocksUnread) that Assay could not read what is locked.
func Overruled(gate, lock submission.Gate, unread bool) i18n.Message {
	switch {
	case gate == submission.GateNever && lock == gate:
		return i18n.M("Your organisation's IT has set that this never leaves this computer.")
	case gate == submission.GateNever:
		return i18n.M("The settings say that this never leaves this computer.")
	case lock == gate && unread:
		return i18n.M("The settings of this computer's administrators can't be read, so Assay asks first.")
	case lock == gate:
		return i18n.M("Your organisation's IT has set that Assay asks you before this leaves this computer.")
	}
	return i18n.M("The settings say that Assay asks you before this leaves this computer.")
}

// obeyLock makes a submission's gate as strict as the one that IT has locked, however it was accepted. The next commit writes that to disk.
func (q *Queue) obeyLock(e *entry) {
	now, lock := q.lockOf(e)
	if submission.Stricter(now.Gate, lock) != now.Gate {
		q.change(e, func(s *submission.Submission) { s.Gate = submission.Stricter(s.Gate, lock) })
	}
}

// holdBack ends a job before any request is made, and writes what was found out: the submission waits for the person's approval, or stays here for
// good. It is no primary any more: dedupe.GivesWay says so, whatever the index has.
func (q *Queue) holdBack(e *entry, found submission.Submission) error {
	found.Step = submission.Settled
	now, lock := q.lockOf(e) // the person may call NeverSend meanwhile
	becomes, event, problem := submission.Held, custody.Held, now.Problem
	switch {
	case now.Asks():
	case lock == submission.GateNever:
		becomes, event, problem = submission.Stays, custody.NeverByLock, Overruled(lock, lock, q.LocksUnread)
	case e.Source == submission.Watched:
		becomes, event = submission.Stays, custody.NeverByFolder
	default:
		becomes, event = submission.Stays, custody.NeverBySource
	}
	return q.commit(e, event, func(s *submission.Submission) {
		perhapsSent := s.Step == submission.SendingBytes && s.Link == "" && s.SHA256 == found.SHA256
		settle(s, found)
		switch {
		case becomes == submission.Stays:
			dropUpload(s)
		case perhapsSent: // once it is approved, the service's list is read before the bytes are sent again
			s.Step = submission.SendingBytes
		}
		s.State, s.Paused, s.Problem, s.Delay = becomes, false, problem, i18n.Message{} // no job goes on that could be paused
		revokeApproval(s)
	})
}

// heldAgain asks the person again about a submission that can't be sent as they approved it. Its upload URL is dropped.
func (q *Queue) heldAgain(e *entry, why *unsendable) error {
	q.Log.Info("it waits for the person's word again", "id", e.ID, "problem", why.problem)
	return q.commit(e, custody.Held, func(s *submission.Submission) {
		dropUpload(s)
		revokeApproval(s)
		if s.Part = (submission.Part{}); s.Needs != submission.NeedsNothing {
			s.Copies = submission.CopiesAsk // a copy that could not be sent as it was made is not made again and again
		}
		s.State, s.Step, s.Paused, s.Problem = submission.Held, submission.Settled, false, why.problem
	})
}

// revokeApproval revokes the person's approval; a name to send that came with it goes as well.
func revokeApproval(s *submission.Submission) {
	if s.Neutral || s.Copy != (submission.Copy{}) {
		s.SendName = media.SendNameWith(s.Name, token())
	}
	s.Allowed, s.Neutral, s.Copy = time.Time{}, false, submission.Copy{}
}

// errStaysHere ends the job of a submission that may not be sent any more.
var errStaysHere = errors.New("it stays on this computer")

// maySend is called just before each request that submits or sends a submission, and fails where it may not be sent. One whose gate a lock has made
// stricter since it was accepted is held back. The error is errStaysHere or a *diskError.
func (q *Queue) maySend(e *entry) error {
	q.obeyLock(e)
	now := q.snapshot(e)
	switch {
	case now.MayLeave():
		return nil
	case now.State.Ended(): // the person decided so
		return errStaysHere
	}
	return cmp.Or(q.holdBack(e, now), errStaysHere)
}

// keepLocked keeps here for good what waits for the person's approval, or what they withheld, where IT has locked the gate to never by now: nobody
// can approve it any more.
func (q *Queue) keepLocked() {
	for _, s := range q.All() {
		if !approvable(s) {
			continue
		}
		if _, lock := q.gateOf(s); lock == submission.GateNever {
			q.do(func(st *state) { st.decide(decision{ids: []string{s.ID}, carryOut: q.neverByLock}) })
		}
	}
}

// neverByLock keeps a submission here for good because of a lock.
func (q *Queue) neverByLock(id string) error {
	e := q.undecided(id, approvable)
	if e == nil {
		return nil
	}
	return q.commit(e, custody.NeverByLock, func(s *submission.Submission) {
		s.Gate, s.State, s.Problem, s.Delay = submission.GateNever, submission.Stays, Overruled(submission.GateNever, submission.GateNever, q.LocksUnread), i18n.Message{}
	})
}
