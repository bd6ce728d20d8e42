package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"assay/client"
)

// listing holds the rows of one query in their order, as ascending numbers: for Newest, Oldest and HumanFirst the rows' positions, from which their
// keys follow; for ByName the keys themselves, which do not ascend; for counted see there.
type listing struct {
	used    int64   // the greatest was used last; guarded by listings
	size    int     // how many rows it has; guarded by listings
	changed []int64 // the keys of rows that have changed since it was read; guarded by listings

	mu     sync.Mutex // held while it is read
	ready  bool
	places []int64 // never written to: a new slice replaces it
	// statuses are those that the places tell apart, where they are counted; see counted.
	statuses []client.Status
	counts   map[client.Status]int // never written to
}

// mostUpdates is how many changes are applied to a listing one by one; after more, the listing is read again.
const mostUpdates = 500

// ranks is how many ranks HumanFirst has.
const ranks = 5

// placeColumn is the SQL expression, with its values, of what a listing of this order holds; statuses are those that counted tells apart.
func (sel *selection) placeColumn(o Order, statuses []client.Status) (column string, values []any) {
	switch o {
	case ByName, Oldest:
		return sel.key(), nil
	case HumanFirst:
		return "s.human", nil
	case counted:
		return sel.countedColumn(statuses)
	}
	return "-" + sel.key(), nil
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
	case counted:
		i, _ = slices.BinarySearch(places, -key<<statusBits)
		return i, i < len(places) && places[i]>>statusBits == -key
	}
	return slices.BinarySearch(places, -key)
}

// listing returns the listing of all of a query's results.
func (s *Store) listing(ctx context.Context, q Query) (places []int64, err error) {
	sel := s.selection(q)
	column, _ := sel.placeColumn(q.Order, nil)
	l := s.listings.of(nameOf(sel.ordered(column, q.Order), sel.values))
	l.mu.Lock()
	defer l.mu.Unlock()
	err = s.refresh(ctx, q, l)
	return l.places, err
}

// refresh reads a listing, or applies to it what has changed since it was read. l.mu is held.
func (s *Store) refresh(ctx context.Context, q Query, l *listing) error {
	changed, version := s.listings.take(l) // before the read: later changes are applied the next time
	if l.ready && len(changed) == 0 {
		return nil
	}
	l.counts = nil
	if l.ready && len(changed) <= mostUpdates && (q.Order != ByName || len(changed)*rowsAnUpdate < len(l.places)) {
		places, err := s.updated(ctx, q, l, changed)
		if err == nil {
			l.places = places
			l.ready = q.Order != ByName || s.listings.isAt(version) // else a row may have been renamed while others were placed beside it
			s.listings.sized(l, len(places))
			return nil
		}
		if !errors.Is(err, errMoved) {
			l.ready = false
			return err
		}
	}
	sel := s.selection(q)
	column, values := sel.placeColumn(q.Order, l.statuses)
	places, err := s.places(ctx, sel.ordered(column+" AS place", q.Order), append(values, sel.values...))
	l.places, l.ready = places, err == nil
	s.listings.sized(l, len(places))
	return err
}

// rowsAnUpdate is how many rows can be read by name in the time in which one is put into its place.
const rowsAnUpdate = 500

// errMoved: a row that another was to be placed beside is not there any more.
var errMoved = errors.New("the order has changed meanwhile")

// updated applies changes to a listing: each changed row is taken out, and put in again if it is still one of the query's.
func (s *Store) updated(ctx context.Context, q Query, l *listing, changed []int64) ([]int64, error) {
	sel := s.selection(q)
	if !sel.found {
		sel.from = "submissions s" // the rows are looked up by their keys
	}
	column, values := sel.placeColumn(q.Order, l.statuses)
	sel.and(sel.key()+" IN (SELECT value FROM json_each(?))", list(changed))
	kept := removed(q.Order, l.places, changed)
	if q.Order == ByName {
		return s.insertByName(ctx, kept, sel)
	}
	now, err := s.places(ctx, sel.plain(column+" AS place"), append(values, sel.values...))
	if err != nil {
		return nil, err
	}
	slices.Sort(now)
	at := make([]int, len(now))
	for i, place := range now {
		at[i], _ = slices.BinarySearch(kept, place)
	}
	return inserted(kept, now, at), nil
}

// removed is a listing without some rows, by their keys.
func removed(o Order, places, keys []int64) []int64 {
	kept := make([]int64, 0, len(places)+len(keys))
	if o == ByName {
		gone := make(map[int64]bool, len(keys))
		for _, key := range keys {
			gone[key] = true
		}
		for _, place := range places {
			if !gone[place] {
				kept = append(kept, place)
			}
		}
		return kept
	}
	var at []int
	for _, key := range keys {
		if i, ok := placed(o, places, key); ok {
			at = append(at, i)
		}
	}
	slices.Sort(at)
	from := 0
	for _, i := range slices.Compact(at) {
		kept = append(kept, places[from:i]...)
		from = i + 1
	}
	return append(kept, places[from:]...)
}

// inserted is a listing with some places more, each before the index at[i] of places, in ascending order.
func inserted(places, more []int64, at []int) []int64 {
	if len(more) == 0 {
		return places
	}
	all := make([]int64, 0, len(places)+len(more))
	from := 0
	for i, place := range more {
		all = append(append(all, places[from:at[i]]...), place)
		from = at[i]
	}
	return append(all, places[from:]...)
}

// insertByName puts the rows of a selection into a listing by name. The names beside them are looked up, some twenty for each: the listing has none.
func (s *Store) insertByName(ctx context.Context, places []int64, sel *selection) ([]int64, error) {
	var keys []int64
	var names []string
	err := s.readers.each(ctx, func(row scanner) error {
		var key int64
		var name string
		err := row.Scan(&key, &name)
		keys, names = append(keys, key), append(names, name)
		return err
	}, sel.ordered(sel.key()+", s.sort_name", ByName), sel.values...)
	at := make([]int, len(keys))
	for i := range keys {
		at[i] = sort.Search(len(places), func(n int) bool {
			if err != nil {
				return true
			}
			var beside string
			found, failed := s.readers.one(ctx, []any{&beside}, "SELECT sort_name FROM submissions WHERE key = ?", places[n])
			if failed == nil && !found {
				failed = errMoved
			}
			err = failed
			return cmp.Or(strings.Compare(beside, names[i]), cmp.Compare(keys[i], places[n])) > 0 // of one name, the newest first
		})
		if i > 0 {
			at[i] = max(at[i], at[i-1]) // where names change meanwhile, the listing is read anew the next time
		}
	}
	if err != nil {
		return nil, err
	}
	return inserted(places, keys, at), nil
}

// places reads a statement's column of numbers, place, as one text: a hundred thousand rows, read one by one, would take three times as long.
func (s *Store) places(ctx context.Context, statement string, values []any) ([]int64, error) {
	var all string
	if _, err := s.readers.one(ctx, []any{&all}, "SELECT coalesce(group_concat(place), '') FROM ("+statement+")", values...); err != nil {
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

// mostPlaces is how many rows the listings that are kept have together, at most: 8 bytes each. The one that was used last is kept in any case.
const mostPlaces = 4 << 20

// mostListings is how many are kept at a time, at most.
const mostListings = 100

// listings caches the order of whole queries, so that jumps need not count rows, and the number of their results by status. A change of a row is applied
// to an order, and to what is counted, when that is next asked for; to the number of all results at once.
type listings struct {
	mu         sync.Mutex
	version    int64 // grows with each change of results
	committing bool  // the disk may be ahead of what is cached here
	kept       map[string]*listing
	whole      map[client.Status]int // of the query without conditions; nil: not known
	uses       int64
}

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
	if l.whole == nil {
		return
	}
	for _, c := range changes {
		if c.was != nil {
			l.whole[*c.was]--
			if l.whole[*c.was] == 0 {
				delete(l.whole, *c.was)
			}
		}
		if c.is != nil {
			l.whole[*c.is]++
		}
	}
}

// forget drops everything.
func (l *listings) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.version++
	l.committing = false
	l.kept, l.whole = nil, nil
}

// take returns the keys of what changed since the listing was read, and leaves none; version is that of the results before it is read again.
func (l *listings) take(one *listing) (changed []int64, version int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	changed, one.changed = one.changed, nil
	return changed, l.version
}

// isAt reports whether no results have changed since a version, nor are about to.
func (l *listings) isAt(version int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.version == version && !l.committing
}

// of returns the listing of this name, and makes a new one where there is none.
func (l *listings) of(name string) *listing {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kept == nil {
		l.kept = map[string]*listing{}
	}
	l.uses++
	found := l.kept[name]
	if found == nil {
		found = &listing{}
		l.kept[name] = found
	}
	found.used = l.uses
	return found
}

// sized notes how many rows a listing has, and drops those that were least recently used where there are too many.
func (l *listings) sized(one *listing, rows int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one.size = rows
	for {
		places, oldest := 0, ""
		for name, other := range l.kept {
			places += other.size
			if oldest == "" || other.used < l.kept[oldest].used {
				oldest = name
			}
		}
		if len(l.kept) <= 1 || places <= mostPlaces && len(l.kept) <= mostListings {
			return
		}
		delete(l.kept, oldest)
	}
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
