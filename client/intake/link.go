package intake

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"assay/client"
	"assay/client/media"
	"assay/client/submission"
)

const (
	linksAtOnce = 2               // links that are submitted together
	linkSkew    = 2 * time.Minute // how far the service's clock may be behind ours when a link is looked for
)

// asLink takes an absolute http(s) address, with the space that pasting leaves around it.
func asLink(given string) (link string, ok bool) {
	link = strings.TrimSpace(given)
	u, err := url.Parse(link)
	return link, err == nil && u.Host != "" && (strings.EqualFold(u.Scheme, "http") || strings.EqualFold(u.Scheme, "https"))
}

// linkName is a link for the screen: without its scheme.
func linkName(link string) string {
	_, rest, _ := strings.Cut(link, "://")
	return media.DisplayName(rest)
}

// unfitLink is a link that is refused before any request.
type unfitLink struct{ error }

func (u *unfitLink) Unwrap() error { return u.error }

// runLink takes a link from wherever it stands to its end. It owns the item's link progress.
func (q *Queue) runLink(ctx context.Context, it *item) error {
	if it.Asking.Refetch {
		q.setLink(it, submission.Asking{})
		q.change(it, func(s *submission.Submission) { s.RequestID, s.Uploaded, s.Result = "", time.Time{}, nil })
	}
	if it.RequestID == "" {
		checked, err := q.Service.CheckLink(it.Link)
		if err != nil {
			return &unfitLink{err}
		}
		q.change(it, func(s *submission.Submission) { s.Warning = checked.Note })
		if first := q.standFor(it); !first {
			return nil
		}
		if err := q.sendLink(ctx, it); err != nil {
			return err
		}
	}
	err := q.await(ctx, it)
	q.setLink(it, submission.Asking{Refetch: errors.Is(err, errNotFetched)})
	return err
}

// sendLink submits the link, unless the service has it from an attempt whose answer was lost.
func (q *Queue) sendLink(ctx context.Context, it *item) error {
	place := q.links.stand()
	defer q.links.leave(place)
	if err := place.come(ctx); err != nil {
		return err
	}
	q.change(it, func(s *submission.Submission) { s.State = submission.Sending })
	err := q.attempt(ctx, it, func() error {
		if !it.Asking.At.IsZero() {
			taken, err := q.findLink(ctx, it)
			if taken || err != nil {
				return err
			}
		}
		return q.submitLink(ctx, it)
	})
	if errors.Is(err, errLinkUnknown) {
		q.setLink(it, submission.Asking{At: it.Asking.At, Told: true})
	}
	return err
}

// submitLink makes the request. An outcome that is unknown is kept in mind before anything else happens.
func (q *Queue) submitLink(ctx context.Context, it *item) error {
	q.setLink(it, submission.Asking{At: q.Now()})
	answer, err := q.Service.SubmitLink(ctx, it.Link)
	switch {
	case err == nil && answer.RequestID != "":
		q.linkTaken(it, answer.RequestID)
		return nil
	case err == nil: // it has the link, and the list will say under which number
		return &later{errLinkUnanswered}
	case !outcomeUnknown(err):
		q.setLink(it, submission.Asking{})
		return err
	}
	return &later{err}
}

// findLink looks in the list for a link whose submission had an unknown outcome. One that does not show there yet is
// looked for again in a while; in the end the person is asked, since a second submission is their decision.
func (q *Queue) findLink(ctx context.Context, it *item) (taken bool, err error) {
	results, err := q.Service.List(ctx, client.ListQuery{Size: pageSize, Since: it.Asking.At.UTC().AddDate(0, 0, -1)})
	if err != nil {
		return false, err
	}
	for _, r := range results { // two of one link tell the same: the first serves
		at, dated := r.Uploaded()
		if r.RequestID != "" && submission.SameLink(r.SocialLink) == submission.SameLink(it.Link) && (!dated || !at.Before(it.Asking.At.Add(-linkSkew))) {
			q.linkTaken(it, r.RequestID)
			return true, nil
		}
	}
	if it.Asking.Told {
		return false, nil
	}
	return false, &later{errLinkUnknown}
}

// linkTaken writes down that the service has the link.
func (q *Queue) linkTaken(it *item, requestID string) {
	q.setLink(it, submission.Asking{})
	q.change(it, func(s *submission.Submission) {
		s.State, s.RequestID, s.Uploaded = submission.Analysing, requestID, q.Now()
	})
}

func (q *Queue) setLink(it *item, p submission.Asking) {
	q.mu.Lock()
	defer q.mu.Unlock()
	it.Asking = p
}

// outcomeUnknown reports whether the service may have taken what a failed request carried.
func outcomeUnknown(err error) bool {
	var e *client.Error
	return !errors.As(err, &e) || e.Uncertain
}

var (
	errLinkUnanswered = &client.Error{Op: "submit the link", Kind: client.KindAnswer,
		Message: "The service took the link but did not say under which number."}
	errLinkUnknown = &client.Error{Op: "submit the link", Kind: client.KindAnswer,
		Message: "It is not known whether the service took this link: its answer was lost, and your results do not show it.",
		Hint:    "Retry looks once more, and then submits it again."}
	errNotFetched = &client.Error{Op: "wait for the result", Kind: client.KindRefused,
		Message: "The service could not fetch what this link leads to.",
		Hint:    "It may be private, deleted or blocked there. Save the file yourself and drop it here, or retry."}
)

// downloadFailed says that a link could not be fetched, and nothing came of it.
func downloadFailed(r *client.Result) error {
	if r.SocialLink == "" || !bool(r.SocialLinkFailed) {
		return nil
	}
	if status := r.Status(); status.Terminal() && status != client.UnableToEvaluate {
		return nil // a verdict counts for more
	}
	return errNotFetched
}
