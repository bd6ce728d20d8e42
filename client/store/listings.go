package store

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"

	"assay/client"
)

// mostListings are kept at a time: 800 KB each for 100,000 results.
const mostListings = 4

// mostCounts are kept at a time.
const mostCounts = 100

// listings remember the order of whole queries until the results change, so that jumps need not count rows, and how many
// results queries have.
type listings struct {
	mu       sync.Mutex
	version  int64 // grows with each change of the results
	kept     map[string]*listing
	counts   map[string]int
	statuses map[string]map[client.Status]int
	uses     int64
}

// listing is the order of one query.
type listing struct {
	used int64 // the greatest was used last

	mu    sync.Mutex // held while it is read
	ready bool
	keys  []int64 // never written to
}

// changed forgets everything.
func (l *listings) changed() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.version++
	l.kept, l.counts, l.statuses = nil, nil, nil
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

// listing returns the keys of all of a query's results in their order.
func (s *Store) listing(ctx context.Context, q Query) ([]int64, error) {
	sel := s.selection(q)
	statement := sel.ordered("s.key", q.Order)
	l := s.listings.of(nameOf(statement, sel.values))
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ready {
		return l.keys, nil
	}
	// As one text: a hundred thousand rows would take three times as long to come out one by one.
	var all string
	if _, err := s.readers.one(ctx, []any{&all}, "SELECT coalesce(group_concat(key), '') FROM ("+statement+")", sel.values...); err != nil {
		return nil, err
	}
	keys := make([]int64, 0, strings.Count(all, ",")+1)
	for part := range strings.SplitSeq(all, ",") {
		if part == "" {
			break // there are none
		}
		key, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	l.keys, l.ready = keys, true
	return keys, nil
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
	s.listings.mu.Lock()
	counts := s.listings.statuses[name]
	version := s.listings.version
	s.listings.mu.Unlock()
	if counts != nil {
		return maps.Clone(counts), nil
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
	if s.listings.version == version {
		if s.listings.statuses == nil || len(s.listings.statuses) >= mostCounts {
			s.listings.statuses = map[string]map[client.Status]int{}
		}
		s.listings.statuses[name] = maps.Clone(counts)
	}
	return counts, nil
}
