package client

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ListQuery narrows the list of own results. The zero value asks for the service's first results.
type ListQuery struct {
	Size  int       // results per answer, 0: 100
	Name  string    // part of the file name
	Since time.Time // uploads from this day on
}

// List fetches one page of the caller's own results (interface, operation 5, the form without a page).
func (c *Client) List(ctx context.Context, q ListQuery) ([]*Result, error) {
	const op = "list the results"
	query := url.Values{"size": {strconv.Itoa(orDefault(q.Size, 100))}}
	if q.Name != "" {
		query.Set("name", q.Name)
	}
	if !q.Since.IsZero() {
		query.Set("startDate", q.Since.Format(time.DateOnly))
	}
	body, err := c.do(ctx, call{op: op, method: http.MethodGet, path: []string{"api", "v2", "media", "users"}, query: query})
	if err != nil {
		return nil, err
	}
	entries, ok := entriesOf(body)
	if !ok {
		return nil, &Error{Op: op, Kind: KindAnswer, Status: http.StatusOK, Message: "The service's answer is not a list of results."}
	}
	results := make([]*Result, 0, len(entries))
	for _, entry := range entries {
		r := new(Result)
		if json.Unmarshal(entry, r) == nil {
			results = append(results, r)
		}
	}
	return results, nil
}

// entriesOf finds the list in an answer whose envelope the interface does not show: the answer itself,
// or the member of it that is a list of objects, the one with the most results where there are several.
func entriesOf(body []byte) (entries []json.RawMessage, ok bool) {
	if entries, ok = listOf(body); ok {
		return entries, true
	}
	var envelope map[string]json.RawMessage
	if json.Unmarshal(body, &envelope) != nil {
		return nil, false
	}
	most := -1
	for _, name := range slices.Sorted(maps.Keys(envelope)) {
		candidate, isList := listOf(envelope[name])
		if !isList {
			continue
		}
		identified := 0
		for _, entry := range candidate {
			var r Result
			if json.Unmarshal(entry, &r) == nil && r.RequestID != "" {
				identified++
			}
		}
		if identified > most {
			entries, ok, most = candidate, true, identified
		}
	}
	return entries, ok
}

// listOf reads a list of objects; null, and a list of something else, is none.
func listOf(data []byte) (entries []json.RawMessage, ok bool) {
	if json.Unmarshal(data, &entries) != nil || entries == nil {
		return nil, false
	}
	return entries, len(entries) == 0 || slices.ContainsFunc(entries, func(entry json.RawMessage) bool {
		return len(entry) > 0 && entry[0] == '{'
	})
}

// clockSkew is how far the service's clock may be behind ours when an upload is looked for.
const clockSkew = 2 * time.Minute

// FindUpload looks for the identifier of an upload whose answer gave none: the one result of this
// name as sent (names are case-insensitive), uploaded since the address was asked for. None, or more than one, is an error: nothing is guessed.
func (c *Client) FindUpload(ctx context.Context, name string, since time.Time) (string, error) {
	results, err := c.List(ctx, ListQuery{Name: name, Since: since.UTC().AddDate(0, 0, -1)})
	if err != nil {
		return "", err
	}
	var found []string
	for _, r := range results {
		at, dated := r.Uploaded()
		if r.RequestID != "" && !slices.Contains(found, r.RequestID) && dated && !at.Before(since.Add(-clockSkew)) && (strings.EqualFold(r.OriginalFileName, name) || strings.EqualFold(r.FileName, name)) {
			found = append(found, r.RequestID)
		}
	}
	if len(found) != 1 {
		return "", &Error{Op: "find the upload among your results", Kind: KindAnswer,
			Message: "The service has the file but did not say under which number.",
			Hint:    "Try again in a minute: the upload may not be listed yet."}
	}
	return found[0], nil
}
