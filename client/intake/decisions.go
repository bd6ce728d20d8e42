package intake

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/media"
	"assay/client/submission"
)

// ApproveOptions say how the person lets a submission be sent.
type ApproveOptions struct {
	WithoutMetadata bool // a copy is sent in the file's place; nothing changes for a link
	NeutralName     bool // under NeutralName
}

// The deeds of the gate that are noted in the custody log.
const (
	deedHeld           = "held for a decision"
	deedAllowed        = "allowed to leave"
	deedAllowedWithout = "allowed to leave without metadata"
	deedNeverByPerson  = "never leaves: by the person's word"
	deedNeverByFolder  = "never leaves: by its folder"
	deedNeverBySource  = "never leaves: by its source"
	deedNeverByLock    = "never leaves: locked by IT"
)

// NeutralName is the name under which a file that was looked at is sent where the person wants one that says nothing.
func NeutralName(s submission.Submission) string {
	return media.NeutralName(s.Type, s.SendName, tokenIn(s.SendName))
}

// tokenIn is the token that a name to send ends in, or another where there is none.
func tokenIn(sendName string) string {
	const length = 8
	stem := strings.TrimSuffix(sendName, filepath.Ext(sendName))
	if at := len(stem) - length; at > 0 && stem[at-1] == '-' {
		return stem[at:]
	}
	return token()
}

// Approve lets submissions be sent that wait for the person's word, or were kept here by it: those bytes, and no others that their
// files may come to hold. That is on disk, and in the custody log, before anything follows from it. Where a copy can't be made, the
// submission waits on, with its Problem.
func (q *Queue) Approve(o ApproveOptions, ids ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if o.WithoutMetadata {
		for _, id := range ids { // a large file takes a while, and all that are behind it
			if e := q.entries[id]; e != nil && e.Path != "" && allowable(e.Submission) {
				e.Delay, e.Problem = i18n.M("A copy without metadata is made first."), i18n.Message{}
				q.touched(e)
			}
		}
	}
	q.decide(decision{ids: ids, allows: true, carryOut: func(id string) error { return q.allow(id, o) }})
}

// allowable reports whether the person may let a submission leave.
func allowable(s submission.Submission) bool {
	return s.Gate == submission.GateAsk && (s.State == submission.Held || s.State == submission.Stays)
}

// allow carries out the person's word that a submission may leave.
func (q *Queue) allow(id string, o ApproveOptions) error {
	e := q.undecided(id, allowable)
	if e == nil {
		return nil
	}
	if _, lock := q.lockOf(e); lock == submission.GateNever {
		return q.neverByLock(id)
	}
	deed, made := deedAllowed, submission.Copy{}
	if o.WithoutMetadata && e.Path != "" {
		ctx, giveUp := context.WithCancel(q.ctx)
		defer giveUp()
		q.copies(id, giveUp)
		var err error
		made, err = q.copyOf(ctx, e)
		q.copies("", nil)
		if err != nil && ctx.Err() == nil {
			return q.notCopied(e, err)
		}
		if made != (submission.Copy{}) {
			deed = deedAllowedWithout
		}
		if ctx.Err() != nil || q.undecided(id, allowable) != e { // the person said otherwise while it was made
			q.removeCopy(id)
			return nil
		}
	}
	now := q.Now()
	if err := q.commit(e, deed, func(s *submission.Submission) {
		s.State, s.Allowed, s.Problem, s.Delay = submission.Waiting, now, i18n.Message{}, i18n.Message{}
		s.Copy, s.Neutral = made, o.NeutralName && s.Link == ""
		if s.Neutral {
			s.SendName = NeutralName(*s)
		}
	}); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.entries[id] = e
	q.putBack(e) // where the person removed it a moment ago
	q.start(e)
	return nil
}

// errNoCopier is why no copy can be made where Params.Copier is nil.
var errNoCopier = errors.New("nothing makes copies here")

// copyOf makes the copy that is sent in a submission's place, of the bytes that were hashed.
func (q *Queue) copyOf(ctx context.Context, e *entry) (submission.Copy, error) {
	if q.Copier == nil {
		return submission.Copy{}, errNoCopier
	}
	q.mu.Lock()
	file := FileOf(e.Submission)
	q.mu.Unlock()
	return q.Copier.Copy(ctx, file, e.ID)
}

// copies notes of which submission a copy is made, and how to give that up.
func (q *Queue) copies(id string, giveUp func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.gate.copying, q.gate.giveUp = id, giveUp
}

// removeCopy deletes the copy of a submission. One that can't be deleted is swept up at the next start.
func (q *Queue) removeCopy(id string) {
	if q.Copier == nil {
		return
	}
	if err := q.Copier.Remove(id); err != nil {
		q.Log.Warn("a copy without metadata was not deleted", "id", id, "error", err)
	}
}

// notCopied says why a submission waits on that was to leave as a copy. A file that was changed or is gone is looked at anew.
func (q *Queue) notCopied(e *entry, cause error) error {
	q.Log.Info("no copy without metadata", "id", e.ID, "error", cause)
	var changed *media.Changed
	var refusal *media.Refusal
	if !errors.As(cause, &changed) && !errors.As(cause, &refusal) {
		return q.commit(e, "", func(s *submission.Submission) { s.Problem, s.Delay = noCopy(cause), i18n.Message{} })
	}
	if err := q.commit(e, "", func(s *submission.Submission) {
		s.State, s.Problem, s.Delay = submission.Waiting, i18n.Message{}, i18n.Message{}
	}); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.start(e)
	return nil
}

func noCopy(err error) i18n.Message {
	return i18n.MessageOf(err, i18n.M("No copy without metadata could be made of this file."))
}

// NeverSend keeps submissions on this computer for good, as if their source had said so: those that wait for the person's word,
// were kept here by it, or of which nothing was sent or asked for so far, and with them what was handed over with the same bytes
// and waits for them. There is no way back but to hand them over anew.
func (q *Queue) NeverSend(ids ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.takeBackAllow(ids)
	q.decide(decision{ids: ids, carryOut: q.never})
}

// neverable reports whether the person may still say that a submission never leaves.
func neverable(s submission.Submission) bool {
	if s.State.Ended() && s.State != submission.Stays || s.Gate == submission.GateNever && s.State == submission.Stays {
		return false
	}
	return s.RequestID == "" && s.Upload == (client.Upload{}) && s.Uploaded.IsZero() && s.Asking.At.IsZero() &&
		!stepsBefore(submission.Gated, s.Step)
}

// never carries out the person's word that a submission never leaves. What shows its answer comes first: it would set out by itself
// as soon as this one does not.
func (q *Queue) never(id string) error {
	e := q.undecided(id, neverable)
	if e == nil {
		return nil
	}
	q.mu.Lock()
	same := append([]*entry(nil), e.duplicates...)
	q.mu.Unlock()
	for _, f := range append(same, e) {
		if err := q.keepForGood(f); err != nil {
			return err
		}
	}
	return nil
}

func (q *Queue) keepForGood(e *entry) error {
	q.mu.Lock()
	q.halt(e)
	q.mu.Unlock()
	kept := false
	save := func(ctx context.Context, s submission.Submission, deed string) error {
		if !kept {
			deed = "" // the custody log must not say what is not so
		}
		return q.Store.Save(ctx, s, deed)
	}
	err := q.write(e, deedNeverByPerson, save, func(s *submission.Submission) {
		if kept = neverable(*s); !kept {
			return // it set out meanwhile
		}
		s.Gate, s.State, s.Earlier = submission.GateNever, submission.Stays, "" // its Step is its run's, which may not have ended yet
		s.Paused, s.Allowed, s.Copy, s.Neutral = false, time.Time{}, submission.Copy{}, false
		s.Problem, s.Delay = i18n.Message{}, i18n.Message{}
	})
	q.mu.Lock()
	defer q.mu.Unlock()
	if !kept || err != nil {
		q.start(e) // it was halted for nothing
		return err
	}
	q.halt(e) // where it was set going again while that was written down
	return nil
}
