package intake

import (
	"context"
	"errors"
	"slices"
	"time"

	"assay/client"
	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/media"
	"assay/client/submission"
)

// decision is what the person said of submissions.
type decision struct {
	ids      []string
	approves bool // what comes after may take it back
	carryOut func(id string) error
}

// ApproveOptions say how the person lets a submission be sent.
type ApproveOptions struct {
	WithoutMetadata bool // a copy is sent in the file's place; nothing changes for a link
	NeutralName     bool // under NeutralName
}

// Approve lets submissions be sent that wait for the person's decision, or were kept here by it: those bytes, and no others that their
// files may come to hold. That is on disk, and in the custody log, before anything follows from it. Where a copy can't be made, the
// submission waits on, with its Problem.
func (q *Queue) Approve(o ApproveOptions, ids ...string) {
	q.do(func(st *state) {
		if o.WithoutMetadata {
			for _, id := range ids { // a large file takes a while, and all that are behind it
				if e := st.entries[id]; e != nil && e.Path != "" && approvable(e.Submission) {
					e.Delay, e.Problem = i18n.M("A copy without metadata is made first."), i18n.Message{}
					st.touched(e)
				}
			}
		}
		st.decide(decision{ids: ids, approves: true, carryOut: func(id string) error { return q.approve(id, o) }})
	})
}

// Withhold keeps submissions on this computer that wait for the person's decision; Approve takes it back.
func (q *Queue) Withhold(ids ...string) {
	q.do(func(st *state) {
		st.takeBackApproval(ids)
		st.decide(decision{ids: ids, carryOut: q.withhold})
	})
}

// NeverSend keeps submissions on this computer for good, as if their source had said so: those that wait for the person's decision,
// were kept here by it, or of which nothing was sent or asked for so far, and with them what was handed over with the same bytes
// and waits for them. There is no way back but to hand them over again.
func (q *Queue) NeverSend(ids ...string) {
	q.do(func(st *state) {
		st.takeBackApproval(ids)
		st.decide(decision{ids: ids, carryOut: q.never})
	})
}

// takeBackApproval forgets what of these was approved and not carried out yet: a copy may take a while to make.
func (st *state) takeBackApproval(ids []string) {
	for _, d := range st.decisions {
		if d.approves {
			d.ids = slices.DeleteFunc(d.ids, func(id string) bool { return slices.Contains(ids, id) })
		}
	}
	if st.giveUp != nil && slices.Contains(ids, st.copying) {
		st.giveUp()
	}
	for _, id := range ids {
		st.notCopying(id)
	}
}

// notCopying takes back that a copy of a submission is to be made.
func (st *state) notCopying(id string) {
	if e := st.entries[id]; e != nil && !e.Delay.IsZero() && approvable(e.Submission) {
		e.Delay = i18n.Message{}
		st.touched(e)
	}
}

// decide has a decision carried out on a worker, after all that were made before.
func (st *state) decide(d decision) {
	if len(d.ids) == 0 || st.ctx.Err() != nil {
		return
	}
	d.ids = slices.Clone(d.ids)
	st.decisions = append(st.decisions, &d)
	if !st.deciding {
		st.deciding = true
		st.workers.Go(st.carryOut)
	}
}

// carryOut carries the decisions out. One that can't be written down is none: the submission waits for the person's decision again.
func (q *Queue) carryOut() {
	for {
		var d *decision
		var id string
		q.do(func(st *state) {
			d, id = st.nextDecision()
			st.deciding = d != nil
		})
		if d == nil {
			return
		}
		err := d.carryOut(id)
		q.do(func(st *state) {
			st.notCopying(id)
			if err != nil {
				for _, id := range d.ids {
					st.notCopying(id)
				}
				d.ids = nil
			}
		})
		if err != nil {
			q.haltFor(err)
		}
	}
}

// nextDecision takes the next submission that something was decided about; nil where there is none.
func (st *state) nextDecision() (d *decision, id string) {
	for len(st.decisions) > 0 {
		if d = st.decisions[0]; len(d.ids) > 0 {
			id, d.ids = d.ids[0], d.ids[1:]
			return d, id
		}
		st.decisions = st.decisions[1:]
	}
	return nil, ""
}

// undecided is the submission of the inbox that a decision is about, nil where it is not for the person to decide any more.
func (q *Queue) undecided(id string, fits func(submission.Submission) bool) (found *entry) {
	q.do(func(st *state) {
		if e := st.entries[id]; e != nil && e.inInbox && fits(e.Submission) {
			found = e
		}
	})
	return found
}

// approvable reports whether the person may let a submission be sent.
func approvable(s submission.Submission) bool {
	return s.Gate == submission.GateAsk && (s.State == submission.Held || s.State == submission.Stays)
}

// approve carries out that a submission may be sent.
func (q *Queue) approve(id string, o ApproveOptions) error {
	e := q.undecided(id, approvable)
	if e == nil {
		return nil
	}
	now, lock := q.lockOf(e)
	if lock == submission.GateNever {
		return q.neverByLock(id)
	}
	event, made := custody.Approved, submission.Copy{}
	if o.WithoutMetadata && now.Path != "" {
		ctx, giveUp := context.WithCancel(q.ctx)
		defer giveUp()
		q.do(func(st *state) { st.copying, st.giveUp = id, giveUp })
		var err error
		made, err = q.copyOf(ctx, e)
		q.do(func(st *state) { st.copying, st.giveUp = "", nil })
		if err != nil && ctx.Err() == nil {
			return q.notCopied(e, err)
		}
		if made != (submission.Copy{}) {
			event = custody.ApprovedWithoutMetadata
		}
		if ctx.Err() != nil || q.undecided(id, approvable) != e { // the person said otherwise while it was made
			q.removeCopy(id)
			return nil
		}
	}
	at := q.Now()
	if err := q.commit(e, event, func(s *submission.Submission) {
		s.State, s.Allowed, s.Problem, s.Delay = submission.Waiting, at, i18n.Message{}, i18n.Message{}
		s.Copy, s.Neutral = made, o.NeutralName && s.Link == ""
		if s.Neutral {
			s.SendName = NeutralName(*s)
		}
	}); err != nil {
		return err
	}
	q.do(func(st *state) {
		st.entries[id] = e
		st.putBack(e) // where the person removed it a moment ago
		st.start(e)
	})
	return nil
}

// notCopied says why a submission waits on that was to be sent as a copy. A file that was changed or is gone is looked at again.
func (q *Queue) notCopied(e *entry, cause error) error {
	q.Log.Info("no copy without metadata", "id", e.ID, "error", cause)
	var changed *media.Changed
	var refusal *media.Refusal
	if !errors.As(cause, &changed) && !errors.As(cause, &refusal) {
		return q.commit(e, custody.None, func(s *submission.Submission) { s.Problem, s.Delay = noCopy(cause), i18n.Message{} })
	}
	if err := q.commit(e, custody.None, func(s *submission.Submission) {
		s.State, s.Problem, s.Delay = submission.Waiting, i18n.Message{}, i18n.Message{}
	}); err != nil {
		return err
	}
	q.do(func(st *state) { st.start(e) })
	return nil
}

// withhold carries out that a submission stays here.
func (q *Queue) withhold(id string) error {
	e := q.undecided(id, func(s submission.Submission) bool { return s.State == submission.Held })
	if e == nil {
		return nil
	}
	return q.commit(e, custody.Withheld, func(s *submission.Submission) { s.State, s.Problem = submission.Stays, i18n.Message{} })
}

// neverable reports whether the person may still say that a submission is never sent.
func neverable(s submission.Submission) bool {
	if s.State.Ended() && s.State != submission.Stays || s.Gate == submission.GateNever && s.State == submission.Stays {
		return false
	}
	return s.RequestID == "" && s.Upload == (client.Upload{}) && s.Uploaded.IsZero() && s.Asking.At.IsZero() &&
		!stepsBefore(submission.Gated, s.Step)
}

// never carries out that a submission is never sent. What shows its answer comes first: it would set out by itself as soon as this one
// does not.
func (q *Queue) never(id string) error {
	e := q.undecided(id, neverable)
	if e == nil {
		return nil
	}
	var same []*entry
	q.do(func(st *state) { same = append(st.duplicates(e), e) })
	for _, one := range same {
		if err := q.keepForGood(one); err != nil {
			return err
		}
	}
	return nil
}

func (q *Queue) keepForGood(e *entry) error {
	q.do(func(st *state) { st.halt(e) })
	kept := false
	save := func(ctx context.Context, s submission.Submission, event custody.Event) error {
		if !kept {
			event = custody.None // the custody log must not say what is not so
		}
		return q.Store.Save(ctx, s, event)
	}
	err := q.write(e, custody.NeverByPerson, save, func(s *submission.Submission) {
		if kept = neverable(*s); !kept {
			return // it set out meanwhile
		}
		s.Gate, s.State, s.Earlier = submission.GateNever, submission.Stays, "" // its Step is its job's, which may not have ended yet
		s.Paused, s.Allowed, s.Copy, s.Neutral = false, time.Time{}, submission.Copy{}, false
		s.Problem, s.Delay = i18n.Message{}, i18n.Message{}
	})
	q.do(func(st *state) {
		if !kept || err != nil {
			st.start(e) // it was halted for nothing
		} else {
			st.halt(e) // where it was set going again while that was written down
		}
	})
	return err
}
