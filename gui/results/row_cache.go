package results

import (
	"context"
	"slices"

	"assay/gui/work"
)

// Answers is what the list needs of the store. Its methods read the disk: they are called on Workers, never on the UI thread, and ctx ends them
// early.
type Answers interface {
	// Rows returns up to n rows of a query's order from index on.
	Rows(ctx context.Context, q Query, index, n int) ([]Row, error)
	Counts(ctx context.Context, q Query) (Counts, error)
	// Place returns the index of a result; ok is false for one that does not match.
	Place(ctx context.Context, q Query, id string) (index int, ok bool, err error)
}

const (
	pageRows  = 50 // rows that are read at a time
	keptPages = 20 // the pages that are kept: the most recently used
)

// span is the rows from first to end, which is exclusive.
type span struct{ first, end int }

// pages is the span of whole pages that cover a span, in a list of so many rows.
func (s span) pages(length int) span {
	first := min(max(s.first, 0), max(length-1, 0)) / pageRows * pageRows
	end := (min(max(s.end, first+1), max(length, 1)) + pageRows - 1) / pageRows * pageRows
	return span{first, end}
}

// rowCache has the counts of a query, and the most recently used pages of its rows. Its cost grows with what is visible, not with what is stored. It
// belongs to the UI thread and reads on workers: a new read cancels the one before.
type rowCache struct {
	answers Answers
	workers *work.Workers

	query  Query
	counts Counts
	known  bool // the counts are those of the query
	pages  map[int][]Row
	used   []int // page numbers, the most recently used at the end

	reading    span // the rows being read, empty for none
	cancelRead context.CancelFunc
	cancelLoad context.CancelFunc
	arrived    func(error) // called when rows have arrived, or with the error
}

func newRowCache(answers Answers, workers *work.Workers, arrived func(error)) *rowCache {
	return &rowCache{answers: answers, workers: workers, arrived: arrived, pages: map[int][]Row{},
		cancelRead: func() {}, cancelLoad: func() {}}
}

// row returns the row at an index; ok is false where it has not been read yet.
func (w *rowCache) row(i int) (row Row, ok bool) {
	page := w.pages[i/pageRows]
	if i < 0 || i%pageRows >= len(page) {
		return Row{}, false
	}
	return page[i%pageRows], true
}

// find returns the index of a result among the rows that are in memory.
func (w *rowCache) find(id string) (index int, ok bool) {
	for number, page := range w.pages {
		for i, row := range page {
			if row.ID == id {
				return number*pageRows + i, true
			}
		}
	}
	return 0, false
}

// want reads those of the visible rows that are missing.
func (w *rowCache) want(visible span) {
	if !w.known || w.counts.Shown == 0 {
		return // the read under way will bring them
	}
	whole := visible.pages(w.counts.Shown)
	missing := span{whole.end, whole.first}
	for first := whole.first; first < whole.end; first += pageRows {
		if _, have := w.pages[first/pageRows]; have {
			w.touch(first / pageRows)
			continue
		}
		missing = span{min(missing.first, first), max(missing.end, first+pageRows)}
	}
	if missing.first >= missing.end || w.reading.first <= missing.first && missing.end <= w.reading.end {
		return
	}
	w.cancelRead()
	w.reading = missing
	query := w.query
	w.cancelRead = w.workers.Do(func(ctx context.Context) func() {
		rows, err := w.answers.Rows(ctx, query, missing.first, missing.end-missing.first)
		return func() {
			w.reading = span{}
			w.take(missing.first, rows, missing.end)
			w.arrived(err)
		}
	})
}

// view is what the person looks at, to be found again after the list has changed.
type view struct {
	rows   span   // visible
	anchor string // the row that stays in place on screen, "" for none
	at     int    // its index
	chosen string
}

// found is where a view is in the changed list.
type found struct {
	shift    int // by how many rows the view has moved
	chosen   int
	isChosen bool   // the chosen one is in the list
	of       string // the ID of the chosen one, as it was when this was asked
	err      error
}

// show reads the rows of another query, from its top. Until they have arrived, the old rows stay.
func (w *rowCache) show(q Query, v view, done func(found)) {
	w.query, w.known = q, false
	w.load(view{rows: span{0, max(1, v.rows.end-v.rows.first)}, chosen: v.chosen}, done)
}

// load reads the counts, the new position of the view, and the rows round it. Until all of that has arrived, the old rows stay.
func (w *rowCache) load(v view, done func(found)) {
	w.cancelLoad()
	w.dropRead()
	query := w.query
	w.cancelLoad = w.workers.Do(func(ctx context.Context) func() {
		l, err := w.read(ctx, query, v)
		if err != nil {
			return func() { done(found{err: err}) }
		}
		return func() {
			w.dropRead() // its indexes are those of the old list
			w.counts, w.known = l.counts, true
			w.pages, w.used = map[int][]Row{}, nil
			w.take(l.rows.first, l.read, l.rows.end)
			done(l.found)
		}
	})
}

func (w *rowCache) dropRead() {
	w.cancelRead()
	w.reading = span{}
}

// loaded is the outcome of a load.
type loaded struct {
	found
	counts Counts
	rows   span
	read   []Row
}

// read is the part of a load that runs on a worker. Mostly the view is where it was: its rows are read first, and only for a result that is not among
// them its place is asked for, which takes the order of the whole list.
func (w *rowCache) read(ctx context.Context, q Query, v view) (l loaded, err error) {
	if l.counts, err = w.answers.Counts(ctx, q); err != nil {
		return l, err
	}
	l.rows = v.rows.pages(l.counts.Shown)
	if l.read, err = w.answers.Rows(ctx, q, l.rows.first, l.rows.end-l.rows.first); err != nil {
		return l, err
	}
	place := func(id string) (int, bool, error) {
		if at := slices.IndexFunc(l.read, func(row Row) bool { return row.ID == id }); at >= 0 {
			return l.rows.first + at, true, nil
		}
		return w.answers.Place(ctx, q, id)
	}
	if v.anchor != "" {
		at, ok, err := place(v.anchor)
		if err != nil {
			return l, err
		}
		if ok {
			l.shift = at - v.at
		}
		l.chosen, l.isChosen = at, ok
	}
	if v.chosen != v.anchor {
		l.chosen, l.isChosen = 0, false
		if v.chosen != "" {
			if l.chosen, l.isChosen, err = place(v.chosen); err != nil {
				return l, err
			}
		}
	}
	l.of = v.chosen
	if moved := (span{v.rows.first + l.shift, v.rows.end + l.shift}).pages(l.counts.Shown); moved != l.rows {
		l.rows = moved
		l.read, err = w.answers.Rows(ctx, q, l.rows.first, l.rows.end-l.rows.first)
	}
	return l, err
}

// take keeps rows as pages; they begin at first, where a page begins, and only the list's last page may be incomplete.
func (w *rowCache) take(first int, rows []Row, end int) {
	for at := first; at < end && at-first < len(rows); at += pageRows {
		w.pages[at/pageRows] = rows[at-first : min(at-first+pageRows, len(rows))]
		w.touch(at / pageRows)
	}
	for len(w.used) > keptPages {
		delete(w.pages, w.used[0])
		w.used = w.used[1:]
	}
}

func (w *rowCache) touch(page int) {
	if n := len(w.used); n > 0 && w.used[n-1] == page {
		return
	}
	w.used = append(slices.DeleteFunc(w.used, func(p int) bool { return p == page }), page)
}
