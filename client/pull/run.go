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

// pull goes on with the pass that was broken off, or makes another. After one that was taken up again another follows, for
// what was uploaded since it began.
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
	seen map[string]bool // entries of this run, by what tells them apart
}

// leastCut is how many entries a list has at least that may not be all: the fewest that the interface speaks of for a page.
const leastCut = 10

// through makes a pass. A list may break off before its end, with a word about it or without: it is asked for again from
// the oldest date on, until nothing new comes.
func (r *run) through(at *progress) error {
	var short error // what the list before said about its end
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
	fresh     int       // of these, those that this run had not seen
	oldest    time.Time // date
	unbounded bool      // it does not keep to the last day that was asked for
}

// walk goes through the list page by page. again says that it is a list that this run has read, from its oldest date on:
// one that does not keep to that date is not read twice.
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

// beyond reports whether a page holds what is later than a last day, whichever zone's.
func beyond(page []*client.Result, until time.Time) bool {
	return slices.ContainsFunc(page, func(r *client.Result) bool {
		at, dated := dateOf(r)
		return dated && at.After(until.Add(2*24*time.Hour))
	})
}

// take writes down what of a page is not here, and returns how much of it this run had not seen.
func (r *run) take(page []*client.Result) (fresh int, err error) {
	var found []*client.Result
	var ids []string
	skipped := 0
	for _, result := range page {
		key := "id " + result.RequestID
		if result.RequestID == "" { // its links differ each time
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
	// The list begins with the newest; what is older is written down first.
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

// submissionOf is what stands here for a result that was submitted elsewhere.
func submissionOf(r *client.Result, now time.Time) submission.Submission {
	link := linkOf(r)
	sub := submission.Submission{
		ID: uuid.NewString(), Name: nameOf(r, link), Link: link, Source: submission.Service, Gate: submission.GateSend,
		State: submission.Analysing, Step: submission.Polling,
		Type: r.MediaType, RequestID: r.RequestID, Result: r, Accepted: now,
	}
	if at, dated := dateOf(r); dated {
		sub.Uploaded = at
		if at.Before(now) { // a clock that is ahead must not put it before all that comes
			sub.Accepted = at
		}
	}
	if r.Final() {
		sub.State, sub.Step, sub.Answered, sub.Filed = submission.Done, submission.Answered, now, true
	}
	return sub
}

// dateOf is the time of the upload, in UTC. One that no upload can have, such as the year 1 or 1970 that stand for none, is
// no date, and neither is one that can't be written down.
func dateOf(r *client.Result) (at time.Time, dated bool) {
	at, dated = r.Uploaded()
	at = at.UTC()
	return at, dated && at.Year() >= 2000 && at.Year() < 9999
}

// linkOf is the link that was submitted; what is none is left out: a screen may offer to open it.
func linkOf(r *client.Result) string {
	link := strings.TrimSpace(r.SocialLink)
	if _, err := address.Parse(link, "http", "https"); err != nil {
		return ""
	}
	return link
}

// longestName is how many characters of a name are kept that the service gives. No file system's come near.
const longestName = 1000

// nameOf is safe for the screen and never empty.
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
