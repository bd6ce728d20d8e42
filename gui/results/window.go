package results

import (
	"context"
	"slices"

	"assay/gui/work"
)

// Answers is what the list of results reads. Its methods read the disk: they are called on Workers, never on the UI thread,
// and ctx ends them early.
type Answers interface {
	// Rows returns up to n rows of a query's order from index on.
	Rows(ctx context.Context, q Query, index, n int) ([]Row, error)
	Counts(ctx context.Context, q Query) (Counts, error)
	// Place says at which index a result stands; ok is false for one that does not match.
	Place(ctx context.Context, q Query, id string) (index int, ok bool, err error)
}

const (
	pageRows  = 50 // rows that are read at a time
	keptPages = 20 // pages that are kept: those looked at last
)

// span is rows from first up to end, which is excluded.
type span struct{ first, end int }

// pages returns the whole pages that the span lies on, of a list of length rows.
func (s span) pages(length int) span {
	first := min(max(s.first, 0), max(length-1, 0)) / pageRows * pageRows
	end := (min(max(s.end, first+1), max(length, 1)) + pageRows - 1) / pageRows * pageRows
	return span{first, end}
}

// rowCache is what is known of a query's rows: how many there are, and the pages that were looked at last. What it
// costs grows with what is visible, not with what is stored. It belongs to the UI thread and reads on workers: what is
// wanted now cancels what was wanted before.
type rowCache struct {
	answers Answers
	workers *work.Workers

	query  Query
	counts Counts
	known  bool // the counts are the query's
	pages  map[int][]Row
	used   []int // the pages' numbers, what was looked at last at the end

	reading    span // the rows on their way, empty for none
	cancelRead context.CancelFunc
	cancelLoad context.CancelFunc
	arrived    func(error) // told when rows have arrived, or why they have not
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

// find returns the index of a result among the rows that were read.
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

// want reads what is missing of the visible rows.
func (w *rowCache) want(visible span) {
	if !w.known || w.counts.Shown == 0 {
		return // what is on its way brings the rows
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

// view is what the person sees, to be found again after the list has changed.
type view struct {
	rows   span   // visible
	anchor string // what stays where it is on screen, "" for nothing
	at     int    // its index
	chosen string
}

// found is where a view's things are in the list as it is now.
type found struct {
	shift    int // by how many rows what is looked at has moved
	chosen   int
	isChosen bool // the chosen one is in the list
	err      error
}

// show drops all rows and reads another query's, from its top.
func (w *rowCache) show(q Query, v view, done func(found)) {
	w.query, w.known = q, false
	w.pages, w.used = map[int][]Row{}, nil
	w.load(view{rows: span{0, max(1, v.rows.end-v.rows.first)}, chosen: v.chosen}, done)
}

// load reads how many there are, where what is looked at stands now, and the rows round it. Until all of that has arrived,
// what was read before stays.
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
			w.dropRead() // its indexes are those of the list as it was
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

// loaded is what a load has read.
type loaded struct {
	found
	counts Counts
	rows   span
	read   []Row
}

// read does the reading of a load, on a worker.
func (w *rowCache) read(ctx context.Context, q Query, v view) (l loaded, err error) {
	if l.counts, err = w.answers.Counts(ctx, q); err != nil {
		return l, err
	}
	if v.anchor != "" {
		at, ok, err := w.answers.Place(ctx, q, v.anchor)
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
			if l.chosen, l.isChosen, err = w.answers.Place(ctx, q, v.chosen); err != nil {
				return l, err
			}
		}
	}
	l.rows = span{v.rows.first + l.shift, v.rows.end + l.shift}.pages(l.counts.Shown)
	l.read, err = w.answers.Rows(ctx, q, l.rows.first, l.rows.end-l.rows.first)
	return l, err
}

// take keeps rows from first on as pages, which is where a page begins; an incomplete one is the list's last.
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
