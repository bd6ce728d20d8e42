package store

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay/client"
)

// counted is the order of a listing that is kept to count its rows by status: Newest, with a number for each row's status below its place, so that a
// change is counted by the rows that it is about, and not by all of them.
const counted Order = "counted"

const (
	statusBits = 5
	// otherStatus is the number of a status that was not known when the listing was read.
	otherStatus = 1<<statusBits - 1
)

// countedColumn is the SQL expression, with its values, of a place in a listing for counting.
func (sel *selection) countedColumn(statuses []client.Status) (column string, values []any) {
	var number strings.Builder
	number.WriteString("CASE s.status")
	for i, status := range statuses {
		number.WriteString(" WHEN ? THEN " + strconv.Itoa(i))
		values = append(values, string(status))
	}
	return "-" + sel.key() + " << " + strconv.Itoa(statusBits) + " | " + number.String() + " ELSE " + strconv.Itoa(otherStatus) + " END", values
}

// tally counts the places of a listing for counting by their status; known is false where one is of a status that was not known when it was read.
func tally(places []int64, statuses []client.Status) (counts map[client.Status]int, known bool) {
	var numbers [otherStatus + 1]int
	for _, place := range places {
		numbers[place&otherStatus]++
	}
	counts = make(map[client.Status]int, len(statuses))
	for i, status := range statuses {
		if numbers[i] > 0 {
			counts[status] = numbers[i]
		}
	}
	return counts, numbers[otherStatus] == 0
}

// CountByStatus returns how many results a query has of each status, leaving aside its own condition on it.
func (s *Store) CountByStatus(ctx context.Context, q Query) (map[client.Status]int, error) {
	q.Order, q.Statuses = counted, nil
	whole, err := s.countAll(ctx)
	sel := s.selection(q)
	if err != nil || len(whole) == 0 || len(sel.where) == 1 { // the only condition is that they are results
		return whole, s.read("count the results", err)
	}
	l := s.listings.of(nameOf("counted "+sel.plain(""), sel.values))
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ready {
		l.statuses = slices.Sorted(maps.Keys(whole))
	}
	if len(l.statuses) < otherStatus {
		if err := s.refresh(ctx, q, l); err != nil {
			return nil, s.read("count the results", err)
		}
		known := l.counts != nil
		if !known {
			l.counts, known = tally(l.places, l.statuses)
		}
		if known {
			return maps.Clone(l.counts), nil
		}
		l.ready, l.counts = false, nil // a status is new
	}
	counts, err := s.count(ctx, sel)
	return counts, s.read("count the results", err)
}

// count counts the results of a selection by status.
func (s *Store) count(ctx context.Context, sel *selection) (map[client.Status]int, error) {
	counts := map[client.Status]int{}
	return counts, s.readers.each(ctx, func(row scanner) error {
		var status client.Status
		var n int
		err := row.Scan(&status, &n)
		counts[status] = n
		return err
	}, sel.plain("s.status, count(*)")+" GROUP BY s.status", sel.values...)
}

// countAll counts all results by status, and remembers how many they are as they change.
func (s *Store) countAll(ctx context.Context) (map[client.Status]int, error) {
	s.listings.mu.Lock()
	counts, version := maps.Clone(s.listings.whole), s.listings.version
	s.listings.mu.Unlock()
	if counts != nil {
		return counts, nil
	}
	sel := s.selection(Query{})
	sel.from = "submissions s INDEXED BY results_status"
	counts, err := s.count(ctx, sel)
	if err != nil {
		return nil, err
	}
	s.listings.mu.Lock()
	defer s.listings.mu.Unlock()
	if s.listings.version == version && !s.listings.committing {
		s.listings.whole = maps.Clone(counts)
	}
	return counts, nil
}
