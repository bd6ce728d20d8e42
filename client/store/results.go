package store

import (
	"context"
	"strconv"
	"time"

	"assay/client"
	"assay/client/submission"
)

// Order is the order in which results are listed.
type Order string

// The orders.
const (
	Newest     Order = "newest" // also for ""
	Oldest     Order = "oldest"
	ByName     Order = "name"  // ignoring case; of one name, the newest first
	HumanFirst Order = "human" // suspicious or contradictory; failed or unrecognised; not assessable; fake; authentic; of each, the newest first
)

// Query says which results are listed, and in which order. The zero value lists all, the newest first.
type Query struct {
	Text     string          // each of its words must occur in the name, the link, the note or a tag
	Statuses []client.Status // as FiledStatus: client.Contradictory is one, and a contradictory answer has no other
	Types    []client.MediaType
	Sources  []submission.Source
	Gates    []submission.Gate
	From, To time.Time // of Accepted, From included, To not; zero: no bound
	Links    *bool     // true: only links; false: no links
	Changed  bool      // only those whose answer differs from the one before on the same content, and that nobody has marked as seen
	Order    Order
}

// Row is what a list shows of a result: a submission that is done and has an answer of its own.
type Row struct {
	Key                int64
	ID                 string
	Name, Link, Note   string
	RequestID          string
	Source             submission.Source
	AnsweredBy         string // the colleague whose answer it is; "" for one of its own
	Folder             string // the watched folder that it came from, by its path; "" for none
	Type               client.MediaType
	Size               int64         // bytes
	Status             client.Status // as FiledStatus
	Was                client.Status // likewise of the answer before on the same content, where this one differs and nobody has marked that as seen; else ""
	Graphic            bool          // see submission.Submission
	Accepted, Answered time.Time
}

// Cursor is a position in the order of a Query: after a row. The zero value is the beginning.
type Cursor struct {
	begun bool
	key   int64 // of the row
	human int64 // its rank in HumanFirst
	name  string
}

// Page returns the next n results after a cursor, and the cursor after the last of them. Fewer than n are the last ones. Following the cursors shows
// each result once, even if some are added meanwhile.
func (s *Store) Page(ctx context.Context, q Query, after Cursor, n int) (rows []Row, next Cursor, err error) {
	next = after
	place := "NULL"
	switch q.Order {
	case ByName:
		place = "s.sort_name"
	case HumanFirst:
		place = "s.human"
	}
	sel := s.selection(q)
	sel.after(q.Order, after)
	reader := newRowReader(1)
	err = s.readers.each(ctx, func(row scanner) error {
		r, err := reader.read(row)
		if err != nil {
			return err
		}
		next = Cursor{begun: true, key: r.Key}
		switch q.Order {
		case ByName:
			next.name, err = cell[string](reader, len(reader.cells)-1)
		case HumanFirst:
			next.human, err = cell[int64](reader, len(reader.cells)-1)
		}
		rows = append(rows, r)
		return err
	}, sel.ordered(rowColumns+", "+place, q.Order)+limit(n), sel.values...)
	if err == nil {
		err = reader.complete(ctx, s.readers, rows)
	}
	if err != nil {
		return nil, after, s.read("read the results", err)
	}
	return rows, next, nil
}

// limit is written into the statement: for a bound one, SQLite would plan the statement again for each value, at three times the cost of a page.
func limit(n int) string { return " LIMIT " + strconv.Itoa(max(n, 0)) }

// nearby is up to which index the rows before it are simply counted; beyond it the listing is used.
const nearby = 200

// PageAt returns n results from an index in the query's order, 0 for the first; fewer at the end. A jump is as fast as a page, except for the first,
// which reads the whole order, and the first after a change, which puts the changed results into their places.
func (s *Store) PageAt(ctx context.Context, q Query, index, n int) ([]Row, error) {
	index, n = max(index, 0), max(n, 0)
	if index < nearby {
		sel := s.selection(q)
		rows, err := s.rows(ctx, sel.ordered(rowColumns, q.Order)+limit(n)+" OFFSET ?", append(sel.values, index)...)
		return rows, s.read("read the results", err)
	}
	places, err := s.listing(ctx, q)
	if err != nil {
		return nil, s.read("read the results", err)
	}
	var keys []int64
	for _, place := range places[min(index, len(places)):min(index+n, len(places))] {
		keys = append(keys, keyAt(q.Order, place))
	}
	if len(keys) == 0 {
		return nil, nil
	}
	unordered, err := s.rows(ctx, "SELECT "+rowColumns+" FROM json_each(?) j CROSS JOIN submissions s ON s.key = j.value", list(keys))
	if err != nil {
		return nil, s.read("read the results", err)
	}
	found := make(map[int64]Row, len(keys))
	for _, r := range unordered {
		found[r.Key] = r
	}
	rows := make([]Row, 0, len(keys))
	for _, key := range keys {
		if r, still := found[key]; still {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// rows reads all rows of a statement.
func (s *Store) rows(ctx context.Context, statement string, values ...any) ([]Row, error) {
	var rows []Row
	reader := newRowReader(0)
	err := s.readers.each(ctx, func(row scanner) error {
		r, err := reader.read(row)
		rows = append(rows, r)
		return err
	}, statement, values...)
	if err != nil {
		return nil, err
	}
	return rows, reader.complete(ctx, s.readers, rows)
}

// Place returns the index of a result in the query's order; ok is false where the query does not have it.
func (s *Store) Place(ctx context.Context, q Query, id string) (index int, ok bool, err error) {
	key, err := s.readers.number(ctx, "SELECT key FROM submissions WHERE id = ?", id)
	if err != nil || key == 0 {
		return 0, false, s.read("look for the result", err)
	}
	places, err := s.listing(ctx, q)
	if err != nil {
		return 0, false, s.read("look for the result", err)
	}
	at, ok := placed(q.Order, places, key)
	if !ok {
		return 0, false, nil
	}
	return at, true, nil
}
