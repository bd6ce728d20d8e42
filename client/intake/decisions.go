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

// decision is what the person decided about submissions.
type decision struct {
	ids      []string
	approves bool // a later decision may take it back
	carryOut func(id string) error
}

// ApproveOptions say how the person lets a submission be sent.
type ApproveOptions struct {
	WithoutMetadata bool // a copy is sent in the file's place; no effect on a link
	NeutralName     bool // it is sent under NeutralName
	// Part is what is sent of a clip that is too large; of others it has no effect.
	Part submission.Part
}

// Approve lets submissions be sent that wait for the person's decision, or that Withhold kept here: the bytes that were hashed, and no others. The
// approval is on disk, and in the custody log, before anything is sent. Where a copy can't be made, the submission keeps waiting, with its Problem.
func (q *Queue) Approve(o ApproveOptions, ids ...string) {
	q.do(func(st *state) {
		for _, id := range ids { // one by one: a large file takes a while, and holds up all that are behind it
			if e := st.entries[id]; e != nil && e.Path != "" && approvable(e.Submission) && (o.WithoutMetadata || e.Needs != submission.NeedsNothing) {
				e.Delay, e.Problem = makingCopy(e.Submission), i18n.Message{}
				st.touched(e)
			}
		}
		st.decide(decision{ids: ids, approves: true, carryOut: func(id string) error { return q.approve(id, o) }})
	})
}

// Withhold keeps submissions on this computer that wait for the person's decision; Approve reverses it.
func (q *Queue) Withhold(ids ...string) {
	q.do(func(st *state) {
		st.takeBackApproval(ids)
		st.decide(decision{ids: ids, carryOut: q.withhold})
	})
}

// NeverSend keeps submissions on this computer for good, as the gate "never" does: those that wait for the person's decision, those that Withhold
// kept here, and those of which nothing was sent or requested so far; also their duplicates. It can't be reversed, except by handing the files over
// again.
func (q *Queue) NeverSend(ids ...string) {
	q.do(func(st *state) {
		st.takeBackApproval(ids)
		st.decide(decision{ids: ids, carryOut: q.never})
	})
}

// takeBackApproval drops approvals of these that were not carried out yet: making a copy may take a while.
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

// notCopying ends the making of a submission's copy.
func (st *state) notCopying(id string) {
	if e := st.entries[id]; e != nil && !e.Delay.IsZero() && approvable(e.Submission) {
		e.Delay = i18n.Message{}
		st.touched(e)
	}
}

// decide has a decision carried out on a worker, after all earlier ones.
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

// carryOut carries the decisions out. One that can't be written to disk has no effect: the submission waits for the person's decision again.
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

// nextDecision returns the next submission with a decision to carry out; nil where there is none.
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

// undecided returns the entry of a submission in the inbox that fits, nil where the decision does not apply to it any more.
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
	return s.Asks() && (s.State == submission.Held || s.State == submission.Stays)
}

// approve carries an approval out.
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
	if now.Needs == submission.NeedsPart && (o.Part.From < 0 || o.Part.To <= o.Part.From) {
		return q.commit(e, custody.None, func(s *submission.Submission) {
			s.Problem, s.Delay = i18n.M("First choose which part of it to send."), i18n.Message{}
		})
	}
	if now.Path != "" && (o.WithoutMetadata || now.Needs != submission.NeedsNothing) {
		ctx, giveUp := context.WithCancel(q.ctx)
		defer giveUp()
		q.do(func(st *state) { st.copying, st.giveUp = id, giveUp })
		var err error
		made, err = q.copyOf(ctx, e, o.WithoutMetadata, o.Part)
		q.do(func(st *state) { st.copying, st.giveUp = "", nil })
		if err != nil && ctx.Err() == nil {
			return q.notCopied(e, err)
		}
		switch {
		case made == submission.Copy{}:
		case made.Metadata:
			event = custody.ApprovedAsCopy
		default:
			event = custody.ApprovedWithoutMetadata
		}
		if ctx.Err() != nil || q.undecided(id, approvable) != e { // the person decided otherwise while the copy was made
			q.removeCopy(id)
			return nil
		}
	}
	at := q.Now()
	if err := q.commit(e, event, func(s *submission.Submission) {
		s.State, s.Allowed, s.Problem, s.Delay = submission.Waiting, at, i18n.Message{}, i18n.Message{}
		copyInto(s, made)
		if s.Neutral = o.NeutralName && s.Link == ""; s.Needs == submission.NeedsPart {
			s.Part = o.Part
		}
		if s.Neutral {
			s.SendName = NeutralName(*s)
		}
	}); err != nil {
		return err
	}
	q.do(func(st *state) {
		st.entries[id] = e
		st.putBack(e) // the person may have removed it a moment ago
		st.start(e)
	})
	return nil
}

// notCopied records why a submission keeps waiting that was to be sent as a copy. A file that has changed or is gone is checked again.
func (q *Queue) notCopied(e *entry, cause error) error {
	q.Log.Info("no copy", "id", e.ID, "error", cause)
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

// withhold carries Withhold out.
func (q *Queue) withhold(id string) error {
	e := q.undecided(id, func(s submission.Submission) bool { return s.State == submission.Held })
	if e == nil {
		return nil
	}
	return q.commit(e, custody.Withheld, func(s *submission.Submission) { s.State, s.Problem = submission.Stays, i18n.Message{} })
}

// canNeverSend reports whether NeverSend still applies to a submission.
func canNeverSend(s submission.Submission) bool {
	if s.State.Ended() && s.State != submission.Stays || s.Gate == submission.GateNever && s.State == submission.Stays {
		return false
	}
	return s.RequestID == "" && s.Upload == (client.Upload{}) && s.Uploaded.IsZero() && s.Asking.At.IsZero() &&
		!stepsBefore(submission.Gated, s.Step)
}

// never carries NeverSend out. Its duplicates come first: each would start by itself as soon as this one is not its primary any more.
func (q *Queue) never(id string) error {
	e := q.undecided(id, canNeverSend)
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
			event = custody.None // nothing was changed, so the custody log must not say so
		}
		return q.Store.Save(ctx, s, event)
	}
	err := q.write(e, custody.NeverByPerson, save, func(s *submission.Submission) {
		if kept = canNeverSend(*s); !kept {
			return // it was started meanwhile
		}
		s.Gate, s.State, s.Earlier = submission.GateNever, submission.Stays, "" // its Step belongs to its job, which may not have ended yet
		s.Paused, s.Allowed, s.Copy, s.Neutral = false, time.Time{}, submission.Copy{}, false
		s.Problem, s.Delay = i18n.Message{}, i18n.Message{}
	})
	q.do(func(st *state) {
		if !kept || err != nil {
			st.start(e) // it was not written, so it goes on
		} else {
			st.halt(e) // it may have been started again during the write
		}
	})
	return err
}
