package intake

import (
	"errors"
	"time"

	"assay/client"
	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/intake/poll"
	"assay/client/submission"
)

const (
	linksAtOnce = 2               // links that are submitted together
	linkSkew    = 2 * time.Minute // how far the service's clock may be behind ours when a link is looked up in the list
)

// unfitLink wraps the error of a link that is refused before any request.
type unfitLink struct{ error }

func (u *unfitLink) Unwrap() error { return u.error }

// sendLinkOf takes a link through all steps until the service has it.
func (q *Queue) sendLinkOf(j *job) error {
	e := j.entry
	if q.snapshot(e).Asking.Refetch {
		if err := q.commit(e, custody.Refetch, func(s *submission.Submission) {
			s.Asking, s.RequestID, s.Uploaded, s.Result, s.Step = submission.Asking{}, "", time.Time{}, nil, submission.Gated
		}); err != nil {
			return err
		}
	}
	checked, err := q.Service.CheckLink(e.Link)
	if err != nil {
		return &unfitLink{err}
	}
	if step := q.snapshot(e).Step; step == submission.Seen || step == submission.Settled {
		primary, err := q.becomePrimary(j, submission.Submission{Step: submission.Gated, Warning: checked.Note})
		if !primary || err != nil {
			return err
		}
	}
	return q.sendLink(j)
}

// sendLink submits the link, unless an earlier attempt whose answer was lost has reached the service.
func (q *Queue) sendLink(j *job) error {
	e := j.entry
	slot := q.submits.reserve()
	defer slot.Release()
	if err := slot.Acquire(j.ctx); err != nil {
		return err
	}
	q.change(e, func(s *submission.Submission) { s.State = submission.Sending })
	err := q.attempt(j, slot, func() error {
		if !q.snapshot(e).Asking.At.IsZero() {
			taken, err := q.findLink(j)
			if taken || err != nil {
				return err
			}
		}
		return q.submitLink(j)
	})
	if unknown := (*linkUnknown)(nil); errors.As(err, &unknown) {
		if failed := q.commit(e, custody.None, func(s *submission.Submission) {
			s.Asking = submission.Asking{At: s.Asking.At, Warned: true}
		}); failed != nil {
			return failed
		}
	}
	return err
}

// submitLink makes the request. Before it does, it writes to disk that the request may have been made.
func (q *Queue) submitLink(j *job) error {
	e, now := j.entry, q.Now()
	if err := q.maySend(e); err != nil { // before the custody log says that it was submitted
		return err
	}
	if err := q.hasQuota(e); err != nil {
		return err
	}
	if err := q.commit(e, custody.LinkSubmitted, func(s *submission.Submission) {
		if s.MayLeave() {
			s.Step, s.Asking = submission.SendingBytes, submission.Asking{At: now}
		}
	}); err != nil {
		return err
	}
	if err := q.maySend(e); err != nil {
		return err
	}
	answer, err := q.Service.SubmitLink(j.ctx, e.Link)
	switch {
	case err == nil && answer.RequestID != "":
		return q.linkTaken(e, answer.RequestID)
	case err == nil: // the service has it, and the list will say under which request ID
		return &retryLater{errLinkUnanswered()}
	case !outcomeUnknown(err):
		if failed := q.commit(e, custody.None, func(s *submission.Submission) {
			s.Step, s.Asking = submission.Gated, submission.Asking{}
		}); failed != nil {
			return failed
		}
		return err
	}
	return &retryLater{err}
}

// findLink looks the link up in the service's list, after a submission whose outcome is not known. If it is not there yet, it is looked up again
// after a while; in the end the person is asked, since submitting it a second time is their decision.
func (q *Queue) findLink(j *job) (taken bool, err error) {
	e, asking := j.entry, q.snapshot(j.entry).Asking
	for found, err := range q.Service.Results(j.ctx, client.ListQuery{Size: poll.PageSize, Since: asking.At.UTC().AddDate(0, 0, -1)}) {
		if err != nil {
			return false, err
		}
		// Two entries of one link say the same: the first will do.
		at, dated := found.Uploaded()
		if found.RequestID != "" && submission.SameLink(found.SocialLink) == submission.SameLink(e.Link) &&
			(!dated || !at.Before(asking.At.Add(-linkSkew))) {
			return true, q.linkTaken(e, found.RequestID)
		}
	}
	if asking.Warned {
		return false, nil
	}
	return false, &retryLater{errLinkUnknown()}
}

// linkTaken writes to disk that the service has the link.
func (q *Queue) linkTaken(e *entry, requestID string) error {
	now := q.Now()
	return q.commit(e, custody.TakenByService, func(s *submission.Submission) {
		s.State, s.Step, s.Asking = submission.Analysing, submission.Polling, submission.Asking{}
		s.RequestID, s.Uploaded = requestID, now
	})
}

// outcomeUnknown reports whether a request that failed may have reached the service.
func outcomeUnknown(err error) bool {
	var e *client.Error
	return !errors.As(err, &e) || e.Uncertain
}

func errLinkUnanswered() error {
	return &client.Error{Op: "submit the link", Kind: client.KindAnswer,
		Message: i18n.M("The service took the link but gave no ID for it.")}
}

// linkUnknown is the error of a link whose submission has an unknown outcome.
type linkUnknown struct{ cause *client.Error }

func (l *linkUnknown) Error() string { return l.cause.Error() }
func (l *linkUnknown) Unwrap() error { return l.cause }

func errLinkUnknown() error {
	return &linkUnknown{&client.Error{Op: "submit the link", Kind: client.KindAnswer,
		Message: i18n.M("Assay does not know whether the service took this link. Its answer was lost, and the link is not among your results."),
		Hint:    i18n.M("“Try again” looks once more, and then submits it again.")}}
}
