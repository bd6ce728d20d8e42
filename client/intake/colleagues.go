package intake

import (
	"assay/client/custody"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/submission"
)

// heedColleagues looks whether a colleague has checked a file's content, as the submission's rule says: taken is true where their answer is taken over,
// for which nothing is sent; otherwise the submission may be asked about from now on. The next commit writes that to disk.
func (q *Queue) heedColleagues(e *entry, found submission.Submission) (taken bool, err error) {
	now := q.snapshot(e)
	approved := !now.Allowed.IsZero() && now.SHA256 == found.SHA256
	switch {
	case now.Colleagues == submission.SendAnyway, now.Again, now.Link != "", approved, found.SHA256 == "":
		return false, nil
	case now.Gate != submission.GateSend && now.Gate != submission.GateAsk && now.Colleagues != submission.TakeOver:
		return false, nil // there is nothing to ask: it never leaves
	}
	theirs, by, ok, err := q.Store.ByColleague(q.ctx, found.SHA256)
	if err != nil {
		return false, &diskError{err}
	}
	switch {
	case !ok && now.Gate == submission.GateSend && q.elsewhere(now, found):
		q.change(e, func(s *submission.Submission) {
			s.Colleagues, s.Problem = submission.Checked, submission.CheckedElsewhere
		})
	case !ok && now.Colleagues == submission.Checked: // the file has changed since, or the colleague took it back
		q.change(e, func(s *submission.Submission) { s.Colleagues, s.Problem = submission.AskFirst, i18n.Message{} })
	case !ok:
	case now.Colleagues == submission.TakeOver && theirs.Result != nil:
		return true, q.takeOver(e, found, theirs)
	case now.Gate == submission.GateSend || now.Gate == submission.GateAsk:
		q.change(e, func(s *submission.Submission) {
			s.Colleagues, s.Problem = submission.Checked, submission.CheckedBy(by, theirs.Result != nil)
		})
	}
	return false, nil
}

// elsewhere reports whether somebody at the desk has checked a file's content in a case that isn't the person's. The desk is asked only of what may be sent
// without asking the person: a hash of anything else stays here. What was found once stays found, also without a connection.
func (q *Queue) elsewhere(now, found submission.Submission) bool {
	if now.Colleagues == submission.Checked && now.SHA256 == found.SHA256 && now.Problem.Equal(submission.CheckedElsewhere) {
		return true
	}
	return q.Elsewhere != nil && q.Elsewhere(q.ctx, found.SHA256)
}

// takeOver makes a colleague's answer a submission's own. Nothing is sent for that.
func (q *Queue) takeOver(e *entry, found, theirs submission.Submission) error {
	at := q.Now()
	found.Step = submission.Settled
	if err := q.write(e, custody.TakenOver, q.Store.Answer, func(s *submission.Submission) {
		settle(s, found)
		s.State, s.Step, s.Paused, s.Result, s.RequestID = submission.Done, submission.Answered, false, theirs.Result, theirs.RequestID
		s.SendName = "" // the service had it under theirs
		s.Answered, s.AnsweredBy, s.Problem, s.Delay = at, theirs.AnsweredBy, i18n.Message{}, i18n.Message{}
	}); err != nil {
		return err
	}
	q.do(func(st *state) { st.tell(events.Results, "") })
	q.Log.Info("a colleague's answer was taken over", "id", e.ID, "status", theirs.Result.Status())
	return nil
}

// TakeOver uses the answers of colleagues for submissions that wait for the person's decision. Where there is none any more, one keeps waiting.
func (q *Queue) TakeOver(ids ...string) {
	q.do(func(st *state) {
		st.takeBackApproval(ids)
		st.decide(decision{ids: ids, carryOut: func(id string) error {
			e := q.undecided(id, func(s submission.Submission) bool { return approvable(s) && s.SHA256 != "" })
			if e == nil {
				return nil
			}
			now := q.snapshot(e)
			theirs, _, ok, err := q.Store.ByColleague(q.ctx, now.SHA256)
			if err != nil {
				return &diskError{err}
			}
			if !ok || theirs.Result == nil {
				return nil
			}
			return q.takeOver(e, now, theirs)
		}})
	})
}
