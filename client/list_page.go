package client

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// listPage is one answer of the list: its entries as sent, and what its envelope says of the whole.
type listPage struct {
	entries []json.RawMessage
	items   total // in all pages
	pages   total
	current total // this page's number
}

// total is a count in an envelope, as a number or a text; known is false where there is no sensible one.
type total struct {
	n     int
	known bool
}

// UnmarshalJSON never fails: what is no count is unknown.
func (t *total) UnmarshalJSON(data []byte) error {
	n, err := strconv.Atoi(strings.Trim(string(data), `"`))
	*t = total{n: n, known: err == nil && n >= 0}
	return nil
}

// pageOf reads an answer of the list, whose envelope the interface does not show; ok is false where it holds no list.
func pageOf(body []byte) (page listPage, ok bool) {
	page.entries, ok = entriesOf(body)
	if !ok {
		return listPage{}, false
	}
	page.readTotals(body)
	return page, true
}

// readTotals reads the totals of the envelope itself, or else of an object inside it.
func (p *listPage) readTotals(body []byte) {
	type totals struct {
		Items   total `json:"totalItems"`
		Pages   total `json:"totalPages"`
		Current total `json:"currentPage"`
	}
	var outer totals
	if decodeLenient(body, &outer) != nil {
		return // a bare list
	}
	var members map[string]json.RawMessage
	_ = json.Unmarshal(body, &members) // entriesOf has seen that it is an object
	for _, name := range slices.Sorted(maps.Keys(members)) {
		var inner totals
		if outer.Items.known || outer.Pages.known || decodeLenient(members[name], &inner) != nil {
			continue
		}
		if inner.Items.known || inner.Pages.known {
			outer = inner
		}
	}
	p.items, p.pages, p.current = outer.Items, outer.Pages, outer.Current
}

// resultOf decodes an entry of a list; nil where it is no object.
func resultOf(entry json.RawMessage) *Result {
	r := new(Result)
	if json.Unmarshal(entry, r) != nil {
		return nil
	}
	return r
}

// entriesOf finds the list in an answer: the answer itself, or its member that is a list of objects, the one with the most results if there are
// several. If no member is, it looks inside the members that are objects.
func entriesOf(body []byte) (entries []json.RawMessage, ok bool) {
	if entries, ok = listOf(body); ok {
		return entries, true
	}
	var envelope map[string]json.RawMessage
	if json.Unmarshal(body, &envelope) != nil {
		return nil, false
	}
	if entries, ok = mostIdentified(envelope); ok {
		return entries, true
	}
	for _, name := range slices.Sorted(maps.Keys(envelope)) {
		var inner map[string]json.RawMessage
		if json.Unmarshal(envelope[name], &inner) != nil {
			continue
		}
		if _, single := inner["requestId"]; single {
			continue // a single result: its list of models is no list of results
		}
		if entries, ok = mostIdentified(inner); ok {
			return entries, true
		}
	}
	return nil, false
}

// mostIdentified returns the member that is a list of objects; of several, the one with the most results.
func mostIdentified(envelope map[string]json.RawMessage) (entries []json.RawMessage, ok bool) {
	most := -1
	for _, name := range slices.Sorted(maps.Keys(envelope)) {
		candidate, isList := listOf(envelope[name])
		if !isList {
			continue
		}
		identified := 0
		for _, entry := range candidate {
			if r := resultOf(entry); r != nil && r.RequestID != "" {
				identified++
			}
		}
		if identified > most {
			entries, ok, most = candidate, true, identified
		}
	}
	return entries, ok
}

// listOf decodes a list of objects; ok is false for null and for a list of anything else.
func listOf(data []byte) (entries []json.RawMessage, ok bool) {
	if json.Unmarshal(data, &entries) != nil || entries == nil {
		return nil, false
	}
	return entries, len(entries) == 0 || slices.ContainsFunc(entries, func(entry json.RawMessage) bool {
		return len(entry) > 0 && entry[0] == '{'
	})
}
