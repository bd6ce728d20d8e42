package store

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"

	"assay/client"
)

// mostListings are kept at a time: 800 KB each for 100,000 results.
const mostListings = 4

// mostCounts are kept at a time.
const mostCounts = 100

// listings remember the order of whole queries, so that jumps need not count rows, and how many results queries have. What
// changes is put into an order when that is asked for the next time; counts are forgotten, but for those of all results by
// status, which the changes are counted into.
type listings struct {
	mu         sync.Mutex
	version    int64 // grows with each change of the results
	committing bool  // what the disk holds may be ahead of what is known here
	kept       map[string]*listing
	counts     map[string]int
	statuses   map[string]map[client.Status]int
	uses       int64
}

// wholeStatuses is the name, among the statuses, of the query that limits nothing.
const wholeStatuses = ""

// change is what a transaction did to a row: the status of the result that it was and is, nil for none.
type change struct{ was, is *client.Status }

// commits says that a transaction which changes results is about to be committed; settled or forget follows.
func (l *listings) commits() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.committing = true
}

// settled takes in what a transaction has changed, by the rows' keys.
func (l *listings) settled(changes map[int64]change) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.version++
	l.committing = false
	for _, one := range l.kept {
		for key := range changes {
			if len(one.changed) <= mostMended { // after more of them it is read anew
				one.changed = append(one.changed, key)
			}
		}
	}
	whole := l.statuses[wholeStatuses]
	l.counts, l.statuses = nil, nil
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
	l.kept, l.counts, l.statuses = nil, nil, nil
}

// take returns the keys of what changed since the listing was read, and leaves none.
func (l *listings) take(one *listing) []int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	changed := one.changed
	one.changed = nil
	return changed
}

// of returns the listing of this name, a new one where there is none, and gives up the one that was not used for longest.
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

// nameOf tells queries apart that read differently.
func nameOf(statement string, values []any) string {
	var name strings.Builder
	name.WriteString(statement)
	for _, value := range values {
		fmt.Fprintf(&name, "\x00%T %v", value, value)
	}
	return name.String()
}

// Count returns how many results a query has.
func (s *Store) Count(ctx context.Context, q Query) (int, error) {
	q.Order = Newest // does not matter
	sel := s.selection(q)
	statement := sel.plain("count(*)")
	if sel.found && len(sel.where) == 2 { // nothing but the search, which holds the results alone
		sel.from, sel.where = "search f", []string{"f.search MATCH ?"}
		statement = sel.plain("count(*)")
	}
	name := nameOf(statement, sel.values)
	s.listings.mu.Lock()
	n, known := s.listings.counts[name]
	version := s.listings.version
	s.listings.mu.Unlock()
	if known {
		return n, nil
	}
	counted, err := s.readers.number(ctx, statement, sel.values...)
	if err != nil {
		return 0, s.read("count the results", err)
	}
	s.listings.mu.Lock()
	defer s.listings.mu.Unlock()
	if s.listings.version == version {
		if s.listings.counts == nil || len(s.listings.counts) >= mostCounts {
			s.listings.counts = map[string]int{}
		}
		s.listings.counts[name] = int(counted)
	}
	return int(counted), nil
}

// CountByStatus returns how many results a query would have of each status, if it did not limit them.
func (s *Store) CountByStatus(ctx context.Context, q Query) (map[client.Status]int, error) {
	q.Order, q.Statuses = Newest, nil
	sel := s.selection(q)
	if !sel.found {
		sel.from = "submissions s INDEXED BY results_status"
	}
	statement := sel.plain("s.status, count(*)") + " GROUP BY s.status"
	name := nameOf(statement, sel.values)
	if len(sel.where) == 1 { // no more than that they are results
		name = wholeStatuses
	}
	s.listings.mu.Lock()
	counts := maps.Clone(s.listings.statuses[name])
	version, certain := s.listings.version, !s.listings.committing
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
	if s.listings.version == version && certain && !s.listings.committing {
		if s.listings.statuses == nil || len(s.listings.statuses) >= mostCounts {
			s.listings.statuses = map[string]map[client.Status]int{}
		}
		s.listings.statuses[name] = maps.Clone(counts)
	}
	return counts, nil
}
