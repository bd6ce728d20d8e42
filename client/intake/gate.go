package intake

import (
	"slices"
	"sync"

	"assay/client/i18n"
	"assay/client/submission"
)

// gate is what stands between a submission and the service until the person has decided; arriving is its own, Queue.mu guards
// the rest.
type gate struct {
	arriving  sync.Mutex  // held while arrivals are looked up and taken; before Queue.saving
	decisions []*decision // that were not carried out yet, or not for all
	deciding  bool        // a worker carries them out
	copying   string      // the ID of the submission of which a copy is made
	giveUp    func()      // ends that
}

// decision is the person's word on submissions.
type decision struct {
	ids      []string
	allows   bool // what comes after may take it back
	carryOut func(id string) error
}

// gateOf is Params.Gate; q.mu is not held.
func (q *Queue) gateOf(s submission.Submission) (gate, lock submission.Gate) {
	if q.Gate == nil {
		return s.Gate, submission.GateSend
	}
	return q.Gate(s)
}

// lockOf is a submission as it stands, and what IT has locked of its gate; q.mu is not held.
func (q *Queue) lockOf(e *entry) (now submission.Submission, lock submission.Gate) {
	q.mu.Lock()
	now = e.Submission
	q.mu.Unlock()
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

// Withhold keeps submissions on this computer that wait for the person's word; Approve takes it back.
func (q *Queue) Withhold(ids ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.takeBackAllow(ids)
	q.decide(decision{ids: ids, carryOut: q.withhold})
}

// takeBackAllow forgets what of these was allowed and not carried out yet: a copy may take a while to make. q.mu is held.
func (q *Queue) takeBackAllow(ids []string) {
	for _, d := range q.gate.decisions {
		if d.allows {
			d.ids = slices.DeleteFunc(d.ids, func(id string) bool { return slices.Contains(ids, id) })
		}
	}
	if q.gate.giveUp != nil && slices.Contains(ids, q.gate.copying) {
		q.gate.giveUp()
	}
	for _, id := range ids {
		q.notCopying(id)
	}
}

// notCopying takes back that a copy of a submission is to be made; q.mu is held.
func (q *Queue) notCopying(id string) {
	if e := q.entries[id]; e != nil && !e.Delay.IsZero() && allowable(e.Submission) {
		e.Delay = i18n.Message{}
		q.touched(e)
	}
}

// decide has the person's word carried out on a worker, after all that they said before; q.mu is held.
func (q *Queue) decide(d decision) {
	if len(d.ids) == 0 || q.ctx.Err() != nil {
		return
	}
	d.ids = slices.Clone(d.ids)
	q.gate.decisions = append(q.gate.decisions, &d)
	if !q.gate.deciding {
		q.gate.deciding = true
		q.workers.Go(q.carryOut)
	}
}

// carryOut carries the decisions out. One that can't be written down is none: the submission waits for the person's word again.
func (q *Queue) carryOut() {
	for {
		q.mu.Lock()
		d, id := q.gate.next()
		if d == nil {
			q.gate.deciding = false
			q.mu.Unlock()
			return
		}
		q.mu.Unlock()
		err := d.carryOut(id)
		q.mu.Lock()
		q.notCopying(id)
		if err != nil {
			for _, id := range d.ids {
				q.notCopying(id)
			}
			d.ids = nil
		}
		q.mu.Unlock()
		if err != nil {
			q.holdFor(err)
		}
	}
}

// next takes the next submission that something was decided about; nil where there is none. Queue.mu is held.
func (g *gate) next() (d *decision, id string) {
	for len(g.decisions) > 0 {
		if d = g.decisions[0]; len(d.ids) > 0 {
			id, d.ids = d.ids[0], d.ids[1:]
			return d, id
		}
		g.decisions = g.decisions[1:]
	}
	return nil, ""
}

// withhold carries out the person's word that a submission stays here.
func (q *Queue) withhold(id string) error {
	e := q.undecided(id, func(s submission.Submission) bool { return s.State == submission.Held })
	if e == nil {
		return nil
	}
	return q.commit(e, "kept on this computer", func(s *submission.Submission) { s.State, s.Problem = submission.Stays, i18n.Message{} })
}

// undecided is the submission of the inbox that a decision is about, nil where it is not for the person to decide any more.
func (q *Queue) undecided(id string, fits func(submission.Submission) bool) *entry {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[id]
	if e == nil || !e.inInbox || !fits(e.Submission) {
		return nil
	}
	return e
}

// mayLeave reports whether a submission may leave with this content: what was allowed are the bytes that it held then;
// Queue.mu is held.
func (e *entry) mayLeave(content string) bool {
	return e.MayLeave() && (e.Gate == submission.GateSend || e.Content() == content)
}

// holdBack ends a submission's way here, before any request, with what was found of it: until the person allows it, or for
// good. It stands for its content no more, nor for any that it had before.
func (q *Queue) holdBack(e *entry, before string, found submission.Submission) error {
	found.Step = submission.Settled
	now, lock := q.lockOf(e) // the person may say that it never leaves meanwhile
	state, deed, problem := submission.Held, deedHeld, now.Problem
	switch {
	case now.Gate == submission.GateAsk:
	case lock == submission.GateNever:
		state, deed, problem = submission.Stays, deedNeverByLock, Overruled(lock, lock, q.LocksUnread)
	case e.Source == submission.Watched:
		state, deed = submission.Stays, deedNeverByFolder
	default:
		state, deed = submission.Stays, deedNeverBySource
	}
	err := q.commit(e, deed, func(s *submission.Submission) {
		perhapsSent := s.Step == submission.SendingBytes && s.Link == "" && s.SHA256 == found.SHA256
		settle(s, found)
		switch {
		case state == submission.Stays:
			dropUpload(s)
		case perhapsSent: // once it is allowed, the service's list is asked before they are sent again
			s.Step = submission.SendingBytes
		}
		s.State, s.Paused, s.Problem, s.Delay = state, false, problem, i18n.Message{} // nothing goes on that could be paused
		takeBack(s)
	})
	q.mu.Lock()
	defer q.mu.Unlock()
	if err == nil && q.firsts[before] == e {
		delete(q.firsts, before)
	}
	return err
}

// leaves reports whether a submission may leave, just before the service is asked to take it, or anything of it is sent. One that a lock
// has come in the way of since it was accepted is held back. The error is a *diskError.
func (q *Queue) maySend(e *entry) (bool, error) {
	q.obeyLock(e)
	q.mu.Lock()
	now := e.Submission
	q.mu.Unlock()
	if now.MayLeave() {
		return true, nil
	}
	if now.State.Ended() { // the person has said so
		return false, nil
	}
	return false, q.holdBack(e, now.Content(), now)
}

// keepLocked keeps what waits for the person's word, or was kept here by it, on this computer for good where IT has locked that by now:
// nobody can allow it any more.
func (q *Queue) keepLocked() {
	for _, s := range q.All() {
		if !allowable(s) {
			continue
		}
		if _, lock := q.gateOf(s); lock == submission.GateNever {
			q.mu.Lock()
			q.decide(decision{ids: []string{s.ID}, carryOut: q.neverByLock})
			q.mu.Unlock()
		}
	}
}

// neverByLock keeps a submission here that IT has locked.
func (q *Queue) neverByLock(id string) error {
	e := q.undecided(id, allowable)
	if e == nil {
		return nil
	}
	return q.commit(e, deedNeverByLock, func(s *submission.Submission) {
		s.Gate, s.State, s.Problem, s.Delay = submission.GateNever, submission.Stays, Overruled(submission.GateNever, submission.GateNever, q.LocksUnread), i18n.Message{}
	})
}
