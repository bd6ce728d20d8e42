package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// listing is the order of one query, as numbers that ascend: the rows' places in Newest, Oldest and HumanFirst, from which
// the keys follow; the keys themselves in ByName, which do not ascend.
type listing struct {
	used    int64   // the greatest was used last; guarded by listings
	changed []int64 // the keys of what changed since it was read; guarded by listings

	mu     sync.Mutex // held while it is read
	ready  bool
	places []int64 // never written to: a new one takes its place
}

// mostMended is how many changes are put into a listing one by one; after more of them it is read anew.
const mostMended = 500

// ranks are how many HumanFirst has.
const ranks = 5

// placeColumn is what the listing of an order holds, in SQL.
func (sel *selection) placeColumn(o Order) string {
	switch o {
	case ByName, Oldest:
		return sel.key()
	case HumanFirst:
		return "s.human"
	}
	return "-" + sel.key()
}

// keyAt is the key of the row at a place.
func keyAt(o Order, place int64) int64 {
	switch o {
	case ByName, Oldest:
		return place
	case HumanFirst:
		return -place & lastKey // without the rank
	}
	return -place
}

// placed returns where the row of a key stands in an order's listing; ok is false where it is not in it.
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
	changed := s.listings.take(l) // before it is read: what changes from here on is put in the next time
	switch {
	case l.ready && len(changed) == 0:
		return l.places, nil
	case l.ready && len(changed) <= mostMended && q.Order != ByName:
		l.places, err = s.mended(ctx, q, l.places, changed)
	default:
		l.places, err = s.places(ctx, "SELECT coalesce(group_concat(place), '') FROM ("+statement+")", sel.values)
	}
	l.ready = err == nil
	return l.places, err
}

// mended puts what changed where it belongs now: each of the rows is taken out, and put in again where it is still one of
// the query's.
func (s *Store) mended(ctx context.Context, q Query, places, changed []int64) ([]int64, error) {
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
	mended := make([]int64, len(places), len(places)+len(now))
	copy(mended, places)
	for _, key := range changed {
		if i, ok := placed(q.Order, mended, key); ok {
			mended = slices.Delete(mended, i, i+1)
		}
	}
	for _, place := range now {
		i, _ := slices.BinarySearch(mended, place)
		mended = slices.Insert(mended, i, place)
	}
	return mended, nil
}

// places reads numbers, as one text: a hundred thousand rows would take three times as long to come out one by one.
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
