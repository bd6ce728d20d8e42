package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/client/i18n"
)

// DefaultListSize is how many results an answer of the list is asked to hold.
const DefaultListSize = 100

// ListQuery narrows the list of own results. The zero value asks for all of them.
type ListQuery struct {
	Size  int       // results per answer, 0: DefaultListSize
	Name  string    // part of the file name
	Since time.Time // uploads from this day on; its time of day does not count, its zone does
	Until time.Time // uploads up to this day, itself included; likewise
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

// List fetches the caller's newest results by one call (interface, operation 5, the form without a page). Results
// goes through all of them.
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
			return listPage{}, &Error{Op: opList, Kind: KindAnswer, Status: http.StatusOK, Message: i18n.T("The service's answer is not a list of results.")}
		}
		return page, nil
	})
}

// clockSkew is how far the service's clock may be behind ours when an upload is looked for.
const clockSkew = 2 * time.Minute

// ErrNotListed is behind FindUpload's Error where the list was read and does not hold the upload.
var ErrNotListed = errors.New("the list does not hold it")

// FindUpload looks for the identifier of an upload whose answer gave none: the one result of this
// name as sent (names are case-insensitive), uploaded since the address was asked for. None, or more than one, is an error: nothing is guessed.
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
		Message: i18n.T("The service has the file but did not say under which number."),
		Hint:    i18n.T("Try again in a minute: the upload may not be listed yet.")}
	if len(found) == 0 {
		e.Err = ErrNotListed
	}
	return "", e
}
