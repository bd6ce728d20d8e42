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

// gateOf is Params.Gate. It is not for the goroutine that owns the state: whoever answers may take a lock.
func (q *Queue) gateOf(s submission.Submission) (gate, lock submission.Gate) {
	if q.Gate == nil {
		return s.Gate, submission.GateSend
	}
	return q.Gate(s)
}

// lockOf is a submission as it stands, and what IT has locked of its gate.
func (q *Queue) lockOf(e *entry) (now submission.Submission, lock submission.Gate) {
	now = q.snapshot(e)
	_, lock = q.gateOf(now)
	return now, lock
}

// Overruled says why something is not sent although it was wanted: the gate is stricter, and what IT has locked of it, or
// Assay itself where unread, which is Params.LocksUnread.
func Overruled(gate, lock submission.Gate, unread bool) i18n.Message {
	switch {
	case gate == submission.GateNever && lock == gate:
		return i18n.M("Your organisation's IT has set that this never leaves this computer.")
	case gate == submission.GateNever:
		return i18n.M("The settings say that this never leaves this computer.")
	case lock == gate && unread:
		return i18n.M("The settings of this computer's administrators can't be read, so Assay asks first.")
	case lock == gate:
		return i18n.M("Your organisation's IT has set that this leaves only once you have allowed it.")
	}
	return i18n.M("The settings ask first before this leaves this computer.")
}

// obeyLock has a submission's gate be as strict as what IT has locked, however it was accepted. It is written down with what follows.
func (q *Queue) obeyLock(e *entry) {
	now, lock := q.lockOf(e)
	if submission.Stricter(now.Gate, lock) != now.Gate {
		q.change(e, func(s *submission.Submission) { s.Gate = submission.Stricter(s.Gate, lock) })
	}
}

// holdBack ends a submission's way here, before any request, with what was found of it: until the person approves it, or for
// good. It stands for its content no more, nor for any that it had before.
func (q *Queue) holdBack(e *entry, before string, found submission.Submission) error {
	found.Step = submission.Settled
	now, lock := q.lockOf(e) // the person may say that it is never sent meanwhile
	becomes, event, problem := submission.Held, custody.Held, now.Problem
	switch {
	case now.Gate == submission.GateAsk:
	case lock == submission.GateNever:
		becomes, event, problem = submission.Stays, custody.NeverByLock, Overruled(lock, lock, q.LocksUnread)
	case e.Source == submission.Watched:
		becomes, event = submission.Stays, custody.NeverByFolder
	default:
		becomes, event = submission.Stays, custody.NeverBySource
	}
	err := q.commit(e, event, func(s *submission.Submission) {
		perhapsSent := s.Step == submission.SendingBytes && s.Link == "" && s.SHA256 == found.SHA256
		settle(s, found)
		switch {
		case becomes == submission.Stays:
			dropUpload(s)
		case perhapsSent: // once it is approved, the service's list is asked before they are sent again
			s.Step = submission.SendingBytes
		}
		s.State, s.Paused, s.Problem, s.Delay = becomes, false, problem, i18n.Message{} // nothing goes on that could be paused
		takeBack(s)
	})
	if err == nil {
		q.do(func(st *state) { st.index.Unregister(before, e.ID) })
	}
	return err
}

// heldAgain asks the person once more about a submission that can't be sent as they approved it. What was asked of the service for it is
// forgotten.
func (q *Queue) heldAgain(e *entry, why *unsendable) error {
	q.Log.Info("it waits for the person's word again", "id", e.ID, "problem", why.problem)
	err := q.commit(e, custody.Held, func(s *submission.Submission) {
		dropUpload(s)
		takeBack(s)
		s.State, s.Step, s.Paused, s.Problem = submission.Held, submission.Settled, false, why.problem
	})
	if err == nil {
		q.do(func(st *state) { st.index.Unregister(e.Content(), e.ID) })
	}
	return err
}

// takeBack makes the person's approval none; another name to send goes with what is sent next.
func takeBack(s *submission.Submission) {
	if s.Neutral || s.Copy != (submission.Copy{}) {
		s.SendName = media.SendNameWith(s.Name, token())
	}
	s.Allowed, s.Neutral, s.Copy = time.Time{}, false, submission.Copy{}
}

// errStaysHere ends a job whose submission may not be sent any more.
var errStaysHere = errors.New("it stays on this computer")

// maySend fails where a submission may not be sent, just before the service is asked to take it, or anything of it is sent. One that a
// lock has come in the way of since it was accepted is held back. The error is errStaysHere or a *diskError.
func (q *Queue) maySend(e *entry) error {
	q.obeyLock(e)
	now := q.snapshot(e)
	switch {
	case now.MayLeave():
		return nil
	case now.State.Ended(): // the person has said so
		return errStaysHere
	}
	return cmp.Or(q.holdBack(e, now.Content(), now), errStaysHere)
}

// keepLocked keeps what waits for the person's approval, or was kept here by them, on this computer for good where IT has locked that by
// now: nobody can approve it any more.
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

// neverByLock keeps a submission here that IT has locked.
func (q *Queue) neverByLock(id string) error {
	e := q.undecided(id, approvable)
	if e == nil {
		return nil
	}
	return q.commit(e, custody.NeverByLock, func(s *submission.Submission) {
		s.Gate, s.State, s.Problem, s.Delay = submission.GateNever, submission.Stays, Overruled(submission.GateNever, submission.GateNever, q.LocksUnread), i18n.Message{}
	})
}
