package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"assay/client"
)

// listing holds the rows of one query in their order, as ascending numbers: for Newest, Oldest and HumanFirst the rows' positions, from which their
// keys follow; for ByName the keys themselves, which do not ascend.
type listing struct {
	used    int64   // the greatest was used last; guarded by listings
	changed []int64 // the keys of rows that have changed since it was read; guarded by listings

	mu     sync.Mutex // held while it is read
	ready  bool
	places []int64 // never written to: a new slice replaces it
}

// mostUpdates is how many changes are applied to a listing one by one; after more, the listing is read again.
const mostUpdates = 500

// ranks is how many ranks HumanFirst has.
const ranks = 5

// placeColumn is the SQL expression of what a listing of this order holds.
func (sel *selection) placeColumn(o Order) string {
	switch o {
	case ByName, Oldest:
		return sel.key()
	case HumanFirst:
		return "s.human"
	}
	return "-" + sel.key()
}

// keyAt is the key of the row with this number in a listing.
func keyAt(o Order, place int64) int64 {
	switch o {
	case ByName, Oldest:
		return place
	case HumanFirst:
		return -place & lastKey // without the rank
	}
	return -place
}

// placed returns the index of a row, by its key, in a listing; ok is false where it is not in it.
func placed(o Order, places []int64, key int64) (i int, ok bool) {
	switch o {
	case ByName:
		i = slices.Index(places, key)
		return i, i >= 0
	case HumanFirst:
		for rank := range int64(ranks) {
			if i, ok = slices.BinarySearch(places, rank<<56-key); ok {
				return i, true
			}
		}
		return 0, false
	case Oldest:
		return slices.BinarySearch(places, key)
	}
	return slices.BinarySearch(places, -key)
}

// listing returns the listing of all of a query's results.
func (s *Store) listing(ctx context.Context, q Query) (places []int64, err error) {
	sel := s.selection(q)
	statement := sel.ordered(sel.placeColumn(q.Order)+" AS place", q.Order)
	l := s.listings.of(nameOf(statement, sel.values))
	l.mu.Lock()
	defer l.mu.Unlock()
	changed := s.listings.take(l) // taken before the read: later changes are applied the next time
	switch {
	case l.ready && len(changed) == 0:
		return l.places, nil
	case l.ready && len(changed) <= mostUpdates && q.Order != ByName:
		l.places, err = s.updated(ctx, q, l.places, changed)
	default:
		l.places, err = s.places(ctx, "SELECT coalesce(group_concat(place), '') FROM ("+statement+")", sel.values)
	}
	l.ready = err == nil
	return l.places, err
}

// updated applies changes to a listing: each changed row is taken out, and put in again if it is still one of the query's.
func (s *Store) updated(ctx context.Context, q Query, places, changed []int64) ([]int64, error) {
	sel := s.selection(q)
	if !sel.found {
		sel.from = "submissions s" // the rows are looked up by their keys
	}
	sel.and(sel.key()+" IN (SELECT value FROM json_each(?))", list(changed))
	statement := "SELECT coalesce(group_concat(place), '') FROM (" + sel.plain(sel.placeColumn(q.Order)+" AS place") + ")"
	now, err := s.places(ctx, statement, sel.values)
	if err != nil {
		return nil, err
	}
	updated := make([]int64, len(places), len(places)+len(now))
	copy(updated, places)
	for _, key := range changed {
		if i, ok := placed(q.Order, updated, key); ok {
			updated = slices.Delete(updated, i, i+1)
		}
	}
	for _, place := range now {
		i, _ := slices.BinarySearch(updated, place)
		updated = slices.Insert(updated, i, place)
	}
	return updated, nil
}

// places reads a column of numbers as one text: a hundred thousand rows, read one by one, would take three times as long.
func (s *Store) places(ctx context.Context, statement string, values []any) ([]int64, error) {
	var all string
	if _, err := s.readers.one(ctx, []any{&all}, statement, values...); err != nil {
		return nil, err
	}
	places := make([]int64, 0, strings.Count(all, ",")+1)
	for part := range strings.SplitSeq(all, ",") {
		if part == "" {
			break // there are none
		}
		place, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			return nil, err
		}
		places = append(places, place)
	}
	return places, nil
}

// mostListings are kept at a time: 800 KB each for 100,000 results.
const mostListings = 4

// mostCounts is how many counts are kept at a time.
const mostCounts = 100

// listings caches the order of whole queries, so that jumps need not count rows, and the number of their results by status. A change of a row is applied
// to an order when that is next asked for; counts are dropped, except those of all results, which are updated.
type listings struct {
	mu         sync.Mutex
	version    int64 // grows with each change of results
	committing bool  // the disk may be ahead of what is cached here
	kept       map[string]*listing
	statuses   map[string]map[client.Status]int
	uses       int64
}

// wholeStatuses is the name, among the cached counts by status, of the query without conditions.
const wholeStatuses = ""

// change is what a transaction did to a row: the status of the result that it was and is, nil for none.
type change struct{ was, is *client.Status }

// commits is called before a transaction that changes results is committed; settled or forget follows.
func (l *listings) commits() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.committing = true
}

// settled applies what a transaction has changed, by the rows' keys.
func (l *listings) settled(changes map[int64]change) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.version++
	l.committing = false
	for _, one := range l.kept {
		for key := range changes {
			if len(one.changed) <= mostUpdates { // after more, the listing is read again
				one.changed = append(one.changed, key)
			}
		}
	}
	whole := l.statuses[wholeStatuses]
	l.statuses = nil
	if whole == nil {
		return
	}
	for _, c := range changes {
		if c.was != nil {
			whole[*c.was]--
			if whole[*c.was] == 0 {
				delete(whole, *c.was)
			}
		}
		if c.is != nil {
			whole[*c.is]++
		}
	}
	l.statuses = map[string]map[client.Status]int{wholeStatuses: whole}
}

// forget drops everything.
func (l *listings) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.version++
	l.committing = false
	l.kept, l.statuses = nil, nil
}

// take returns the keys of what changed since the listing was read, and leaves none.
func (l *listings) take(one *listing) []int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	changed := one.changed
	one.changed = nil
	return changed
}

// of returns the listing of this name, and makes a new one where there is none, in place of the least recently used.
func (l *listings) of(name string) *listing {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kept == nil {
		l.kept = map[string]*listing{}
	}
	l.uses++
	found := l.kept[name]
	if found == nil {
		if len(l.kept) >= mostListings {
			oldest := ""
			for name, one := range l.kept {
				if oldest == "" || one.used < l.kept[oldest].used {
					oldest = name
				}
			}
			delete(l.kept, oldest)
		}
		found = &listing{}
		l.kept[name] = found
	}
	found.used = l.uses
	return found
}

// nameOf is the name under which a query is cached: queries that read differently have different names.
func nameOf(statement string, values []any) string {
	var name strings.Builder
	name.WriteString(statement)
	for _, value := range values {
		fmt.Fprintf(&name, "\x00%T %v", value, value)
	}
	return name.String()
}

// CountByStatus returns how many results a query has of each status, leaving aside its own condition on it.
func (s *Store) CountByStatus(ctx context.Context, q Query) (map[client.Status]int, error) {
	q.Order, q.Statuses = Newest, nil
	sel := s.selection(q)
	if !sel.found && !q.Changed {
		sel.from = "submissions s INDEXED BY results_status"
	}
	statement := sel.plain("s.status, count(*)") + " GROUP BY s.status"
	name := nameOf(statement, sel.values)
	if len(sel.where) == 1 { // the only condition is that they are results
		name = wholeStatuses
	}
	s.listings.mu.Lock()
	counts := maps.Clone(s.listings.statuses[name])
	version := s.listings.version
	s.listings.mu.Unlock()
	if counts != nil {
		return counts, nil
	}
	counts = map[client.Status]int{}
	err := s.readers.each(ctx, func(row scanner) error {
		var status client.Status
		var n int
		err := row.Scan(&status, &n)
		counts[status] = n
		return err
	}, statement, sel.values...)
	if err != nil {
		return nil, s.read("count the results", err)
	}
	s.listings.mu.Lock()
	defer s.listings.mu.Unlock()
	if s.listings.version == version && !s.listings.committing {
		if s.listings.statuses == nil || len(s.listings.statuses) >= mostCounts {
			s.listings.statuses = map[string]map[client.Status]int{}
		}
		s.listings.statuses[name] = maps.Clone(counts)
	}
	return counts, nil
}
