package report

import (
	"context"
	"iter"
	"maps"
	"runtime"
	"slices"
	"sync"

	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/store"
	"assay/client/submission"
)

// Read returns the Result of a submission, made from its records. id is the service's request ID, or Assay's ID of a submission. A duplicate
// is reported as its primary, whose answer it shows. An unknown id, or one without an answer, is an *Error.
func Read(ctx context.Context, records *store.Store, service Service, id string) (*Result, error) {
	for r, err := range Each(ctx, records, service, IDs(id), true) {
		return r, err
	}
	return nil, ctx.Err()
}

// Each yields the Results of submissions in the order of their IDs, each as Read returns it. Unless whole is true they lack what a table has no column
// for: the answer's JSON and the hash of it as received. It goes through the IDs and reads a few pages ahead on its own goroutines, which have ended when it
// returns. The iteration may go on after an *Error.
func Each(ctx context.Context, records *store.Store, service Service, ids iter.Seq2[string, error], whole bool) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		carry := i18n.Carry()
		reader := reader{records, service, whole}
		pages := make(chan chan []read, runtime.GOMAXPROCS(0))
		var reading sync.WaitGroup
		defer reading.Wait()
		defer cancel()
		reading.Go(func() {
			defer close(pages)
			for ids, err := range inPages(ids) {
				page := make(chan []read, 1)
				select {
				case pages <- page:
				case <-ctx.Done():
					return
				}
				reading.Go(func() {
					carry(func() { page <- append(reader.page(ctx, ids), read{err: err}) })
				})
			}
		})
		for page := range pages {
			for _, r := range <-page {
				if (r.result != nil || r.err != nil) && !yield(r.result, r.err) {
					return
				}
			}
		}
		if err := ctx.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// pageResults is how many results are read at a time. An answer takes some 20 KB once it is read.
const pageResults = 100

// inPages yields the IDs in pages, the last one with the error that ended them.
func inPages(ids iter.Seq2[string, error]) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		var page []string
		for id, err := range ids {
			if err != nil {
				yield(page, err)
				return
			}
			if page = append(page, id); len(page) == pageResults {
				if !yield(page, nil) {
					return
				}
				page = nil
			}
		}
		if len(page) > 0 {
			yield(page, nil)
		}
	}
}

// read is what Each yields.
type read struct {
	result *Result
	err    error
}

type reader struct {
	records *store.Store
	service Service
	whole   bool
}

// page reads the results of some IDs. It ends early where the records can't be read.
func (r *reader) page(ctx context.Context, ids []string) []read {
	page, err := r.find(ctx, ids)
	if err != nil {
		return []read{{err: err}}
	}
	var own, requests []string
	for _, one := range page {
		if one.err == nil {
			own, requests = append(own, one.result.ID), append(requests, one.result.RequestID)
		}
	}
	histories, err := r.records.Histories(ctx, own)
	if err != nil {
		return []read{{err: err}}
	}
	feedback, err := r.records.FeedbackOfEach(ctx, requests)
	if err != nil {
		return []read{{err: err}}
	}
	repeated, err := r.records.Repeated(ctx, own)
	if err != nil {
		return []read{{err: err}}
	}
	for i, one := range page {
		if one.err != nil {
			continue
		}
		one.result.complete(histories[one.result.ID], feedback[one.result.RequestID])
		if repeated[one.result.ID] {
			page[i].err = one.result.readLater(ctx, r.records, one.result.evidence.sub)
		}
		if r.whole && page[i].err == nil {
			page[i].err = one.result.prove(ctx)
		}
	}
	return page
}

// find reads the submissions whose answers IDs mean, in their order.
func (r *reader) find(ctx context.Context, ids []string) ([]read, error) {
	found, err := r.records.Submissions(ctx, ids)
	if err != nil {
		return nil, err
	}
	wanted := slices.Clone(ids)
	if len(found) < len(ids) {
		if err := r.findByRequest(ctx, wanted, found); err != nil {
			return nil, err
		}
	}
	var primaries []string
	for _, sub := range found {
		if sub.Earlier != "" {
			primaries = append(primaries, sub.Earlier)
		}
	}
	shown := map[string]submission.Submission{}
	if len(primaries) > 0 {
		if shown, err = r.records.Submissions(ctx, primaries); err != nil {
			return nil, err
		}
	}
	page := make([]read, len(ids))
	for i, id := range wanted {
		sub, ok := found[id]
		if sub.Earlier != "" {
			sub, ok = shown[sub.Earlier]
		}
		switch {
		case !ok:
			page[i].err = &Error{Text: i18n.F("No result with the ID %s is kept on this computer. assay list shows what the service has.", plain.From(ids[i]).Clip(longestID))}
		case sub.Result == nil:
			page[i].err = &Error{Text: i18n.F("%s has no answer yet: there is nothing to export.", plain.From(sub.Name)), Err: ErrNoAnswer}
		default:
			page[i].result = resultOf(sub, r.service)
			page[i].result.evidence = &evidence{r.records, sub}
		}
	}
	return page, nil
}

// findByRequest puts Assay's own IDs in the place of those that were not found and are request IDs, and adds their submissions to those that were found.
func (r *reader) findByRequest(ctx context.Context, ids []string, found map[string]submission.Submission) error {
	own, err := r.records.ByRequest(ctx, ids)
	if err != nil {
		return err
	}
	for i, id := range ids {
		_, isOwn := found[id]
		if known, isRequest := own[id]; isRequest && !isOwn {
			ids[i] = known
		}
	}
	more, err := r.records.Submissions(ctx, slices.Collect(maps.Values(own)))
	maps.Copy(found, more)
	return err
}

// longestID is how many characters of an unknown ID are shown.
const longestID = 200

// complete adds the answers that there were, and the desk's feedback.
func (r *Result) complete(history []store.Change, given []store.Feedback) {
	for _, change := range history {
		r.Answers = append(r.Answers, Answer{At: change.At.UTC(), ServiceDate: utc(change.Date), Status: change.Status, Release: plain.From(change.Release).String(), SHA256: change.RawSHA256})
	}
	for _, f := range given {
		r.Feedback = append(r.Feedback, Feedback{Label: f.Label, Category: f.Category, Comment: f.Comment, Given: utc(f.Given), State: f.State, Sent: utc(f.Sent)})
	}
}

// prove adds the answer's JSON and the entries of the custody log.
func (r *Result) prove(ctx context.Context) (err error) {
	r.Answer = answerOf(r.evidence.sub.Result)
	if r.entries, err = r.evidence.records.Custody(ctx, r.ID); err != nil {
		return err
	}
	for _, entry := range slices.Backward(r.entries) {
		if sums := entry.Sums(); entry.Event == custody.Answered && len(r.Answers) > 0 && sums.Kept == r.Answers[len(r.Answers)-1].SHA256 {
			r.ReceivedSHA256 = sums.Received
			break
		}
	}
	return nil
}
