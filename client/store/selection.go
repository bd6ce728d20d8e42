package store

import (
	"strings"
)

// selection is a query's results in SQL: s are the submissions.
type selection struct {
	from   string
	where  []string
	values []any
	found  bool // the text search's hits, f, lead; their rowid is the key
}

// selection limits the submissions to a query's results.
func (s *Store) selection(q Query) *selection {
	sel := &selection{from: "submissions s", where: []string{"s.listed = 1"}}
	sel.search(q.Text)
	if !sel.found {
		sel.from += " INDEXED BY " + indexFor(q)
	}
	in(sel, "s.status", q.Statuses)
	in(sel, "s.type", q.Types)
	in(sel, "s.source", q.Sources)
	if q.Links != nil {
		sel.and("s.linked = ?", *q.Links)
	}
	// The key is the date's microsecond, or lies up to the longest shift behind it.
	if !q.From.IsZero() {
		sel.and("s.accepted >= ?", keep(q.From))
		sel.and(sel.key()+" >= ?", keyOf(q.From))
	}
	if !q.To.IsZero() {
		sel.and("s.accepted < ?", keep(q.To))
		sel.and(sel.key()+" <= ?", keyOf(q.To)+s.longest.Load())
	}
	return sel
}

// indexFor names the index that has a query's results in their order, so that no sort is needed.
func indexFor(q Query) string {
	switch {
	case q.Order == HumanFirst:
		return "results_human"
	case q.Order == ByName:
		return "results_name"
	case len(q.Statuses) == 1:
		return "results_status"
	case len(q.Types) == 1:
		return "results_type"
	}
	return "results_date"
}

// key is the key's column that is already at hand.
func (sel *selection) key() string {
	if sel.found {
		return "f.rowid"
	}
	return "s.key"
}

func (sel *selection) and(condition string, values ...any) {
	sel.where = append(sel.where, condition)
	sel.values = append(sel.values, values...)
}

// in limits a column to some values; none are no limit.
func in[T ~string](sel *selection, column string, allowed []T) {
	switch len(allowed) {
	case 0:
		return
	case 1:
		sel.and(column+" = ?", string(allowed[0]))
		return
	}
	values := make([]any, len(allowed))
	for i, value := range allowed {
		values[i] = string(value)
	}
	sel.and(column+" IN (?"+strings.Repeat(", ?", len(allowed)-1)+")", values...)
}

// after limits the results to those behind a place.
func (sel *selection) after(o Order, c Cursor) {
	if !c.begun {
		return
	}
	switch o {
	case HumanFirst:
		sel.and("s.human > ?", c.human)
	case ByName:
		sel.and("(s.sort_name, s.newness) > (?, ?)", c.name, -c.key)
	case Oldest:
		sel.and(sel.key()+" > ?", c.key)
	default:
		sel.and(sel.key()+" < ?", c.key)
	}
}

// plain is the statement that reads columns of the results in no order.
func (sel *selection) plain(columns string) string {
	return "SELECT " + columns + " FROM " + sel.from + " WHERE " + strings.Join(sel.where, " AND ")
}

// ordered is the statement that reads columns of the results in their order.
func (sel *selection) ordered(columns string, o Order) string {
	order := sel.key() + " DESC"
	switch o {
	case HumanFirst:
		order = "s.human"
	case ByName:
		order = "s.sort_name, s.newness"
	case Oldest:
		order = sel.key()
	}
	return sel.plain(columns) + " ORDER BY " + order
}
