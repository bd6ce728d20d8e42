package pull

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/address"
	"assay/client/plain"
	"assay/client/submission"
)

// pull resumes the pass that was interrupted, or makes a new one. After a resumed pass it makes another, for what was uploaded since that began.
func (p *Puller) pull(ctx context.Context) error {
	at, err := p.load(ctx)
	if err != nil {
		return err
	}
	r := &run{Puller: p, ctx: ctx, seen: map[string]bool{}}
	for {
		resumed := at.Pass != nil
		if !resumed {
			at.begin()
			if err := p.save(ctx, at); err != nil {
				return err
			}
		}
		if err := r.through(&at); err != nil {
			return err
		}
		at.finish(p.Now())
		if err := p.save(ctx, at); err != nil {
			return err
		}
		if !resumed {
			return nil
		}
	}
}

// run is a pull under way.
type run struct {
	*Puller
	ctx  context.Context
	seen map[string]bool // the entries of this run, by what identifies them
}

// leastCut is the least number of entries of a list that may have been cut off: the smallest page size in the interface.
const leastCut = 10

// through completes a pass. A list may be cut off, with an error or without: then it is fetched again from the oldest date on, until nothing new
// comes.
func (r *run) through(at *progress) error {
	var short error // the error with which the list before ended
	for first := true; ; first = false {
		w, err := r.walk(at, !first)
		if w.unbounded {
			return short
		}
		furtherBack := w.fresh > 0 && !at.Pass.Oldest.IsZero() && !at.Pass.Mixed
		switch {
		case err != nil && (!furtherBack || !client.IsKind(err, client.KindAnswer)):
			return err
		case err == nil && (!furtherBack || w.entries < leastCut):
			return nil
		}
		short = err
	}
}

// walk is one list, as far as it was read.
type walk struct {
	entries   int
	fresh     int       // of these, those that were new in this run
	oldest    time.Time // date
	unbounded bool      // it goes beyond the last day that was asked for
}

// walk reads the list page by page. again says that this run has read the list before, from its oldest date on: one that ignores that date is not
// read twice.
func (r *run) walk(at *progress, again bool) (walk, error) {
	var w walk
	query := at.Pass.query(r.Size)
	for page, err := range r.Client.Pages(r.ctx, query) {
		if err != nil {
			return w, err
		}
		if again && !query.Until.IsZero() && beyond(page, query.Until) {
			w.unbounded = true
			return w, nil
		}
		fresh, err := r.take(page)
		if err != nil {
			return w, err
		}
		w.entries += len(page)
		w.fresh += fresh
		at.Pass.see(page, &w.oldest)
		if err := r.save(r.ctx, *at); err != nil {
			return w, err
		}
	}
	return w, r.ctx.Err()
}

// beyond reports whether a page holds results later than a day, in whichever time zone.
func beyond(page []*client.Result, until time.Time) bool {
	return slices.ContainsFunc(page, func(r *client.Result) bool {
		at, dated := dateOf(r)
		return dated && at.After(until.Add(2*24*time.Hour))
	})
}

// take writes a page's results that are not here to disk, and returns how many of the page were new in this run.
func (r *run) take(page []*client.Result) (fresh int, err error) {
	var found []*client.Result
	var ids []string
	skipped := 0
	for _, result := range page {
		key := "id " + result.RequestID
		if result.RequestID == "" { // the raw answer has other links each time
			key = "entry " + result.UploadedDate.Verbatim() + " " + result.FileName.Verbatim() + " " + result.OriginalFileName.Verbatim() + " " + result.SocialLink
		}
		if r.seen[key] {
			continue
		}
		r.seen[key] = true
		fresh++
		if result.RequestID == "" {
			skipped++
			continue
		}
		found, ids = append(found, result), append(ids, result.RequestID)
	}
	known := map[string]string{}
	if len(ids) > 0 {
		if known, err = r.Store.ByRequest(r.ctx, ids); err != nil {
			return fresh, ofStore(err)
		}
	}
	var done, unfinished []submission.Submission
	now := r.Now()
	for _, result := range found {
		if _, here := known[result.RequestID]; here || r.Claimed(result) {
			continue
		}
		if sub := submissionOf(result, now); sub.State == submission.Done {
			done = append(done, sub)
		} else {
			unfinished = append(unfinished, sub)
		}
	}
	// The list begins with the newest; the oldest are written first.
	slices.Reverse(done)
	slices.Reverse(unfinished)
	if len(done) > 0 {
		if done, err = r.Store.Add(r.ctx, done); err != nil {
			return fresh, ofStore(err)
		}
		r.OnAdded(done)
	}
	if len(unfinished) > 0 {
		if err := r.OnUnfinished(r.ctx, unfinished); err != nil {
			return fresh, ofStore(err)
		}
	}
	r.note(func(s *State) {
		s.Found += len(found)
		s.Added += len(done)
		s.Unfinished += len(unfinished)
		s.Skipped += skipped
	})
	return fresh, nil
}

// submissionOf is the submission for a result that was submitted elsewhere.
func submissionOf(r *client.Result, now time.Time) submission.Submission {
	link := linkOf(r)
	sub := submission.Submission{
		ID: uuid.NewString(), Name: nameOf(r, link), Link: link, Source: submission.Service, Gate: submission.GateSend,
		State: submission.Analysing, Step: submission.Polling,
		Type: r.MediaType, RequestID: r.RequestID, Result: r, Accepted: now,
	}
	if at, dated := dateOf(r); dated {
		sub.Uploaded = at
		if at.Before(now) { // with a wrong clock it must not come before all later ones
			sub.Accepted = at
		}
	}
	if r.Final() {
		sub.State, sub.Step, sub.Answered, sub.Filed = submission.Done, submission.Answered, now, true
	}
	return sub
}

// dateOf is the time of the upload, in UTC. A date that no upload can have, such as one in the year 1 or 1970, which stand for none, or one that
// can't be encoded, is not dated.
func dateOf(r *client.Result) (at time.Time, dated bool) {
	at, dated = r.Uploaded()
	at = at.UTC()
	return at, dated && at.Year() >= 2000 && at.Year() < 9999
}

// linkOf is the link that was submitted, "" for what is no link: a screen may offer to open it.
func linkOf(r *client.Result) string {
	link := strings.TrimSpace(r.SocialLink)
	if _, err := address.Parse(link, "http", "https"); err != nil {
		return ""
	}
	return link
}

// longestName is how many characters of the service's name are kept. No file system's names come near.
const longestName = 1000

// nameOf is safe to show and never empty.
func nameOf(r *client.Result, link string) string {
	if link != "" {
		_, rest, _ := strings.Cut(link, "://")
		return plain.From(rest).Clip(longestName).String()
	}
	for _, name := range []plain.Text{r.OriginalFileName, r.FileName, plain.From(r.SocialLink)} {
		if strings.TrimSpace(name.Verbatim()) != "" {
			return name.Clip(longestName).String()
		}
	}
	return plain.From(r.RequestID).Clip(longestName).String()
}
