package client

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// listPage is one answer of the list: its entries as sent, whatever they are, and what its envelope says about the whole.
type listPage struct {
	entries []json.RawMessage
	items   total // in all pages
	pages   total
	current total // this page's number
}

// total is a number of an envelope, as a number or a text; known is false where there is none that makes sense.
type total struct {
	n     int
	known bool
}

// UnmarshalJSON never fails: what is no count is not known.
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

// readTotals reads the envelope's own totals, and those of an object inside it where it has none.
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
	_ = json.Unmarshal(body, &members) // it is an object
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

// resultOf reads an entry of a list; what is no object is none.
func resultOf(entry json.RawMessage) *Result {
	r := new(Result)
	if json.Unmarshal(entry, r) != nil {
		return nil
	}
	return r
}

// entriesOf finds the list in an answer: the answer itself, or the member of it that is a list of objects, the one
// with the most results where there are several. Where no member is one, it is looked for inside those that are objects.
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
			continue // one result is no list; its models are none either
		}
		if entries, ok = mostIdentified(inner); ok {
			return entries, true
		}
	}
	return nil, false
}

// mostIdentified is the member that is a list of objects, the one of most results.
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

// listOf reads a list of objects; null, and a list of something else, is none.
func listOf(data []byte) (entries []json.RawMessage, ok bool) {
	if json.Unmarshal(data, &entries) != nil || entries == nil {
		return nil, false
	}
	return entries, len(entries) == 0 || slices.ContainsFunc(entries, func(entry json.RawMessage) bool {
		return len(entry) > 0 && entry[0] == '{'
	})
}
