package client

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/client/i18n"
)

// DefaultListSize is how many results are asked for per answer.
const DefaultListSize = 100

// ListQuery narrows the list of own results. The zero value asks for all of them.
type ListQuery struct {
	Size  int       // results per answer, 0: DefaultListSize
	Name  string    // part of the file name
	Since time.Time // uploads from this day on; of a time, its day in its zone counts
	Until time.Time // uploads up to and including this day; likewise
}

func (q ListQuery) size() int {
	if q.Size <= 0 {
		return DefaultListSize
	}
	return q.Size
}

func (q ListQuery) values() url.Values {
	values := url.Values{"size": {strconv.Itoa(q.size())}}
	if q.Name != "" {
		values.Set("name", q.Name)
	}
	if !q.Since.IsZero() {
		values.Set("startDate", q.Since.Format(time.DateOnly))
	}
	if !q.Until.IsZero() {
		values.Set("endDate", q.Until.Format(time.DateOnly))
	}
	return values
}

// List fetches the caller's newest results in one call (interface, operation 5, the form without a page). Results goes through all of them.
func (c *Client) List(ctx context.Context, q ListQuery) ([]*Result, error) {
	page, err := c.listPage(ctx, q, noPage)
	if err != nil {
		return nil, err
	}
	return unlessDone(ctx, opList, func() ([]*Result, error) {
		results := make([]*Result, 0, len(page.entries))
		for _, entry := range page.entries {
			if r := resultOf(entry); r != nil {
				results = append(results, r)
			}
		}
		return results, nil
	})
}

const (
	opList = "list the results"
	noPage = -1 // the form without a page
)

// listPage fetches one page, or with noPage the list in the form without one.
func (c *Client) listPage(ctx context.Context, q ListQuery, number int) (listPage, error) {
	k := call{op: opList, method: http.MethodGet, path: []string{"api", "v2", "media", "users"}, query: q.values()}
	if number != noPage {
		k.path = append(k.path, "pages", strconv.Itoa(number))
	}
	body, err := c.do(ctx, k)
	if err != nil {
		return listPage{}, err
	}
	return unlessDone(ctx, opList, func() (listPage, error) {
		page, ok := pageOf(body)
		if !ok {
			return listPage{}, &Error{Op: opList, Kind: KindAnswer, Status: http.StatusOK, Message: i18n.M("The service's answer is not a list of results.")}
		}
		return page, nil
	})
}

// clockSkew is how far the service's clock may be behind ours when an upload is looked up.
const clockSkew = 2 * time.Minute

// ErrNotListed is the cause where FindUpload has read the list and the upload is not in it.
var ErrNotListed = errors.New("the list does not hold it")

// FindUpload finds the request ID of an upload whose answer gave none: the one result of this name as sent (without regard to case), uploaded since
// the upload URL was requested. Both none and more than one are an error: nothing is guessed.
func (c *Client) FindUpload(ctx context.Context, name string, since time.Time) (string, error) {
	var found []string
	for r, err := range c.Results(ctx, ListQuery{Name: name, Since: since.UTC().AddDate(0, 0, -1)}) {
		if err != nil {
			return "", err
		}
		at, dated := r.Uploaded()
		if r.RequestID != "" && !slices.Contains(found, r.RequestID) && dated && !at.Before(since.Add(-clockSkew)) && (strings.EqualFold(r.OriginalFileName.Verbatim(), name) || strings.EqualFold(r.FileName.Verbatim(), name)) {
			found = append(found, r.RequestID)
		}
		if len(found) > 1 {
			break
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	e := &Error{Op: "find the upload among your results", Kind: KindAnswer,
		Message: i18n.M("The service has the file but gave no ID for it."),
		Hint:    i18n.M("Try again in a minute: the upload may not be listed yet.")}
	if len(found) == 0 {
		e.Err = ErrNotListed
	}
	return "", e
}

// Bounds for a list that never ends.
const (
	maxPages   = 1000
	maxEntries = 1_000_000
)

// Results goes through the caller's own results in the service's order, and fetches page after page as they are needed (interface, operation 5), on
// the goroutine that ranges. Whether pages are counted from 0 or 1 is found out from the answers; an entry that is no result is left out, and one
// that comes again is not shown twice. An error ends the sequence, with a nil result. Ranging over it again starts again.
func (c *Client) Results(ctx context.Context, q ListQuery) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		for page, err := range c.Pages(ctx, q) {
			if err != nil {
				yield(nil, err)
				return
			}
			for _, r := range page {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// Pages is Results by the page, for callers that store each page before they ask for more. A page holds none of the results of earlier ones; one
// without a new result is left out. An error ends the sequence, with a nil page.
func (c *Client) Pages(ctx context.Context, q ListQuery) iter.Seq2[[]*Result, error] {
	return func(yield func([]*Result, error) bool) {
		w := pageWalk{client: c, query: q, seen: map[digest]bool{}}
		for !w.ended {
			page, err := w.next(ctx)
			if len(page) > 0 && !yield(page, nil) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

type digest = [sha256.Size]byte

// pageWalk goes through the pages.
type pageWalk struct {
	client *Client
	query  ListQuery

	number   int             // of the page to ask for
	seen     map[digest]bool // the hashes of the entries shown, since an entry may be of any size
	entries  int             // on all pages so far, without repeated ones
	full     int             // entries of the fullest page
	refused  error           // the error with which page 0 was refused
	fromZero bool            // page 0 is the first: the envelope says so
	fromOne  bool            // page 1 is the first: page 0 was refused, empty or the same as it
	repeated bool            // the page before held nothing new
	more     bool            // by the totals, there is another page
	ended    bool
}

// next returns the new results of the next page.
func (w *pageWalk) next(ctx context.Context) ([]*Result, error) {
	if w.number >= maxPages || w.entries >= maxEntries {
		w.ended = true
		return nil, &Error{Op: opList, Kind: KindAnswer, Message: i18n.M("The list is too long: Assay stopped after %s pages.", i18n.CountMessage(w.number)),
			Hint: i18n.M("Narrow it by name or by date.")}
	}
	number := w.number
	page, err := w.client.listPage(ctx, w.query, number)
	if err != nil {
		return w.without(ctx, number, err)
	}
	w.number++
	fresh, repeated, err := w.unseen(ctx, page)
	if err != nil {
		w.ended = true
		return fresh, err
	}
	known := page.items.known || page.pages.known
	switch {
	case number == 0:
		w.ended = w.onlyPage(page)
		w.fromOne = len(page.entries) == 0
		w.fromZero = !w.fromOne && page.current.known && page.current.n == 0
		repeated = false
	case len(page.entries) == 0:
		w.ended = true
	case number == 1 && (w.refused != nil || repeated && !w.fromZero):
		w.fromOne = true
		w.ended = w.last(page, number)
		repeated = false
	case repeated && (!known || w.repeated): // with totals, one repeated page is allowed: uploads made meanwhile shift the pages
		w.ended = true
	default:
		w.ended = w.last(page, number)
	}
	w.repeated, w.more = repeated, known && !w.ended
	w.full = max(w.full, len(page.entries))
	return fresh, nil
}

// without goes on after a page that was refused. Services that count from 1 refuse page 0; those without pages refuse every page, and answer the form
// without one. A refusal past the last page is the end.
func (w *pageWalk) without(ctx context.Context, number int, err error) ([]*Result, error) {
	var e *Error
	refused := errors.As(err, &e) && e.Kind == KindRefused
	switch {
	case refused && number == 0:
		w.refused, w.number = err, 1
		return nil, nil
	case refused && number == 1 && w.refused != nil:
		w.ended = true
		page, failed := w.client.listPage(ctx, w.query, noPage)
		if failed != nil {
			return nil, w.refused // the refusal of page 0 says what is wrong with the query, if something is
		}
		fresh, _, failed := w.unseen(ctx, page)
		if failed != nil {
			return fresh, failed
		}
		if page.items.known && page.items.n > len(page.entries) {
			return fresh, &Error{Op: opList, Kind: KindAnswer,
				Message: i18n.M("The service shows only the first %s of %s results.", i18n.CountMessage(len(page.entries)), i18n.CountMessage(page.items.n)),
				Hint:    i18n.M("Narrow the list by name or by date.")}
		}
		return fresh, nil
	case refused && !w.more:
		w.ended = true
		return nil, nil
	}
	w.ended = true
	return nil, err
}

// unseen returns the entries that were not shown yet; repeated reports that there is none on a page with entries. It ends early with ctx.
func (w *pageWalk) unseen(ctx context.Context, page listPage) (fresh []*Result, repeated bool, err error) {
	repeated = true
	anonymous := map[digest]int{}
	for _, entry := range page.entries {
		if ctx.Err() != nil {
			return fresh, repeated, transportError(opList, ctx.Err())
		}
		r := resultOf(entry)
		var key digest
		switch {
		case r != nil && r.RequestID != "":
			key = sha256.Sum256([]byte("id " + r.RequestID))
		default: // two equal entries on one page are two results
			same := sha256.Sum256(entry)
			anonymous[same]++
			key = sha256.Sum256(fmt.Appendf(nil, "%d %x", anonymous[same], same))
		}
		if w.seen[key] {
			continue
		}
		w.seen[key] = true
		repeated = false
		w.entries++
		if r != nil {
			fresh = append(fresh, r)
		}
	}
	return fresh, repeated, nil
}

// onlyPage reports whether page 0 is the only one, whichever number the first page has; only the totals can say so. A page that is not full proves
// nothing: a service may give fewer per page than it was asked for.
func (w *pageWalk) onlyPage(page listPage) bool {
	if !page.items.known && !page.pages.known {
		return false
	}
	return (!page.items.known || w.entries >= page.items.n) &&
		(!page.pages.known || page.pages.n <= min(len(page.entries), 1))
}

// last reports whether a page is the last one: by the totals, or without any, by being shorter than an earlier one.
func (w *pageWalk) last(page listPage, number int) bool {
	if page.items.known || page.pages.known {
		end := page.pages.n - 1
		if w.fromOne {
			end++
		}
		return (!page.items.known || w.entries >= page.items.n) && (!page.pages.known || number >= end)
	}
	return len(page.entries) < w.full
}
