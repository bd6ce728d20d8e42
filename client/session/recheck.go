package session

import (
	"context"
	"errors"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/verdict"
)

// RecheckPlan says what checking some results again would do.
type RecheckPlan struct {
	IDs      []string      `json:"ids"`      // of the results that would be checked again, each content once
	Held     int           `json:"held"`     // of IDs: those that wait for the person's word first
	UnderWay int           `json:"underWay"` // of IDs: those that are being checked again already, and use nothing more
	Left     []RecheckLeft `json:"left"`     // what can't be checked again
	Sandbox  bool          `json:"sandbox"`  // they are checked by the sandbox, which has no plan
}

// RecheckLeft is a result that can't be checked again.
type RecheckLeft struct {
	ID        string       `json:"id"`
	RequestID string       `json:"requestId"`
	Name      string       `json:"name"`
	Why       i18n.Message `json:"why"`
}

// Uploads is how many uploads of the person's plan it would use.
func (p RecheckPlan) Uploads() int { return len(p.IDs) - p.UnderWay }

// Forecast says what it would use, in one to three sentences.
func (p RecheckPlan) Forecast() string {
	if len(p.IDs) == 0 {
		return i18n.T("There is nothing to check again.")
	}
	parts := i18n.N(p.Uploads(), "%s check will use %[1]s upload of your plan.", "%s checks will use %[1]s uploads of your plan.")
	switch {
	case p.Uploads() == 0:
		parts = i18n.T("This uses nothing of your plan.")
	case p.Sandbox:
		parts = i18n.N(p.Uploads(), "%s check by the sandbox, which uses nothing of a plan.", "%s checks by the sandbox, which use nothing of a plan.")
	}
	if p.Held > 0 {
		parts += " " + i18n.N(p.Held, "%s of them waits for your decision first.", "%s of them wait for your decision first.")
	}
	if p.UnderWay > 0 {
		parts += " " + i18n.N(p.UnderWay, "%s is already being checked again.", "%s are already being checked again.")
	}
	return parts
}

// Why something can't be checked again.
var (
	noAnswerYet   = i18n.M("It has no answer yet: there is nothing to check again.")
	onOtherDevice = i18n.M("It was sent from another device, and its file is not on this computer.")
	atColleague   = i18n.M("A colleague shared this answer, and its file is not on this computer.")
)

// planner makes a RecheckPlan.
type planner struct {
	records *store.Store
	gate    func(submission.Submission) (gate, lock submission.Gate)
	unread  bool // what IT has locked can't be read
	sandbox bool
}

// PlanRecheck says what it would do to check results again: those that stand for these submissions, or for all if ids is nil, and that were answered
// before a time, if it is not zero. It reads the disk, and files that were touched since.
func (s *Session) PlanRecheck(ctx context.Context, ids []string, before time.Time) (RecheckPlan, error) {
	gate := s.Queue.Gate
	if gate == nil { // as the queue takes it
		gate = func(sub submission.Submission) (own, lock submission.Gate) { return sub.Gate, submission.GateSend }
	}
	return planner{s.Store, gate, s.Queue.LocksUnread, s.Sandbox}.plan(ctx, ids, before)
}

// PlanRecheck is Session.PlanRecheck for the records of a service that no session is open on.
func (s *Service) PlanRecheck(ctx context.Context, records *store.Store, ids []string, before time.Time) (RecheckPlan, error) {
	return planner{records, s.Config.Gate, s.Config.LocksUnread(), s.Sandbox}.plan(ctx, ids, before)
}

func (p planner) plan(ctx context.Context, ids []string, before time.Time) (plan RecheckPlan, err error) {
	plan.Sandbox = p.sandbox
	if ids, err = p.records.NewestAnswers(ctx, ids, before); err != nil {
		return plan, err
	}
	underWay, err := p.records.Rechecking(ctx)
	if err != nil {
		return plan, err
	}
	for _, id := range ids {
		sub, known, err := p.records.Get(ctx, id)
		switch {
		case err != nil:
			return plan, err
		case !known:
			continue // removed meanwhile
		case underWay[sub.Content()]:
			plan.IDs = append(plan.IDs, id)
			plan.UnderWay++
			continue
		}
		gate, why, err := p.judge(ctx, sub)
		switch {
		case err != nil:
			return plan, err
		case !why.IsZero():
			plan.Left = append(plan.Left, RecheckLeft{ID: id, RequestID: sub.RequestID, Name: sub.Name, Why: why})
			continue
		case gate == submission.GateAsk:
			plan.Held++
		}
		plan.IDs = append(plan.IDs, id)
	}
	return plan, nil
}

// judge returns the gate of a result that would be checked again, or why it can't be.
func (p planner) judge(ctx context.Context, sub submission.Submission) (gate submission.Gate, why i18n.Message, err error) {
	if sub.Source == submission.Service {
		sub.Source = submission.Pasted // as the queue would have it
	}
	gate, lock := p.gate(sub)
	switch {
	case sub.State != submission.Done:
		return gate, noAnswerYet, nil
	case sub.Source == submission.Desk:
		return gate, atColleague, nil
	case sub.Path == "" && sub.Link == "":
		return gate, onOtherDevice, nil
	case gate == submission.GateNever:
		return gate, intake.Overruled(gate, lock, p.unread), nil
	case sub.Link != "":
		return gate, why, nil
	}
	why, err = sameBytes(ctx, sub)
	return gate, why, err
}

// sameBytes returns why a file does not hold the bytes any more that were checked; none where it does.
func sameBytes(ctx context.Context, sub submission.Submission) (why i18n.Message, err error) {
	file := intake.FileOf(sub)
	err = media.Unchanged(file)
	var (
		changed *media.Changed
		refusal *media.Refusal
	)
	switch {
	case err == nil:
		return why, nil
	case errors.As(err, &refusal):
		return refusal.UserMessage(), nil
	case !errors.As(err, &changed) || changed.SizeIs != file.Size:
		return intake.OtherContent, nil
	}
	file.ModTime = changed.TimeIs // the file was touched, or written again with as many bytes
	opened, err := media.Open(file)
	if err != nil {
		return i18n.MessageOf(err, intake.OtherContent), nil
	}
	defer opened.Close() //nolint:errcheck // only read from
	sum, err := media.Hash(ctx, opened, nil)
	switch {
	case ctx.Err() != nil:
		return why, ctx.Err()
	case err != nil:
		return i18n.MessageOf(err, intake.OtherContent), nil
	case sum != sub.SHA256:
		return intake.OtherContent, nil
	}
	return why, nil
}

// recheckAtOnce is how many submissions are in memory at a time while many are checked again.
const recheckAtOnce = 200

// Recheck checks the results of a plan again, as intake.Queue.Recheck does, and returns the IDs of the submissions that will have the answers. With an
// error, those whose IDs are returned were accepted.
func (s *Session) Recheck(ctx context.Context, mark string, ids []string) (again []string, err error) {
	var subs []submission.Submission
	for i, id := range ids {
		sub, known, err := s.Store.Get(ctx, id)
		if err != nil {
			return again, err
		}
		if known {
			subs = append(subs, sub)
		}
		if len(subs) < recheckAtOnce && i < len(ids)-1 {
			continue
		}
		accepted, err := s.Queue.Recheck(ctx, mark, subs)
		if err != nil {
			return again, err
		}
		again, subs = append(again, accepted...), subs[:0]
	}
	return again, nil
}

// CompareWithBefore compares the answer of a submission with the one before on the same content, and returns that one, too; ok is false where there is
// none.
func CompareWithBefore(ctx context.Context, records *store.Store, id string) (c verdict.Comparison, before store.ContentAnswer, ok bool, err error) {
	all, err := records.ContentAnswers(ctx, id)
	if err != nil {
		return c, before, false, err
	}
	for i, a := range all {
		if a.Submission != id || !a.Current || i == 0 {
			continue
		}
		before = all[i-1]
		var results [2]*client.Result
		for n, of := range all[i-1 : i+1] {
			result, known, err := records.EarlierAnswer(ctx, of.Submission, of.RawSHA256)
			if err != nil || !known {
				return c, before, false, err
			}
			results[n] = result
		}
		return verdict.Compare(verdict.Answered{At: before.At, Result: results[0]}, verdict.Answered{At: a.At, Result: results[1]}), before, true, nil
	}
	return c, before, false, nil
}
