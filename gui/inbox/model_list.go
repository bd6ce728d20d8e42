package inbox

import (
	"cmp"
	"slices"
	"strings"
)

// List is the rows of the inbox, and those of them that a filter and a search let through, in an order. A row that changes does not cause a new sort.
// It is for one goroutine at a time.
type List struct {
	entries map[string]*listEntry
	visible []*listEntry // in order; each has its index
	counts  map[Filter]int
	held    Held

	filter Filter
	sort   Sort
	words  []string // of the search, folded

	still bool // rows stay where they are although they have changed
	late  bool // some should have moved meanwhile
}

// listEntry is a row with what it is searched and sorted by.
type listEntry struct {
	row      Row
	accepted int    // index in the order of acceptance
	place    int    // index among the visible, -1 where it is not
	name     string // case-folded
	text     string // to be searched, case-folded
}

// NewList returns an empty list: no filter, no search, the newest first.
func NewList() *List {
	return &List{entries: map[string]*listEntry{}, counts: map[Filter]int{}}
}

// movesAtATime is how many rows are moved one by one; where more have to be, sorting again is faster.
const movesAtATime = 16

// Update takes changed rows, and the IDs of all in the order of acceptance (nil if that has not changed). It reports whether visible rows have come,
// gone or moved; if not, each changed row is still at its index.
func (l *List) Update(order []string, changed []Row) (moved bool) {
	reordered := order != nil && l.reorder(order)
	var move []*listEntry
	for _, row := range changed {
		e := l.entries[row.ID]
		if e == nil {
			continue // it is gone since
		}
		before, known := e.row, e.row.ID != ""
		l.count(e, -1)
		e.set(row)
		l.count(e, 1)
		switch {
		case reordered || len(move) > movesAtATime:
		case !known || l.passes(e) != (e.place >= 0) || l.sort.moves(before, row):
			if l.still && known {
				l.late = true
			} else if !slices.Contains(move, e) {
				move = append(move, e)
			}
		}
	}
	switch {
	case reordered || len(move) > movesAtATime:
		l.sift()
	case len(move) > 0:
		l.move(move)
	}
	return reordered || len(move) > 0
}

// KeepStill leaves rows that change where they are, as while the pointer is over them: what comes and goes still does. Once it ends, it reports
// whether rows have moved.
func (l *List) KeepStill(still bool) (moved bool) {
	l.still = still
	if still || !l.late {
		return false
	}
	l.sift()
	return true
}

// moves reports whether a change of a row may change its position.
func (s Sort) moves(before, after Row) bool {
	if !before.Accepted.Equal(after.Accepted) {
		return true
	}
	switch s {
	case SortHumanFirst:
		return before.Urgency != after.Urgency
	case SortName:
		return before.Name != after.Name
	case SortSize:
		return before.Bytes != after.Bytes
	}
	return false
}

// set sets the row. The text is folded again only if it has changed: an upload changes its row at every tick.
func (e *listEntry) set(row Row) {
	if row.Name != e.row.Name || row.Link != e.row.Link || row.From != e.row.From {
		e.name = strings.ToLower(row.Name)
		e.text = e.name + "\n" + strings.ToLower(row.Link) + "\n" + strings.ToLower(row.From)
	}
	e.row = row
}

// count adds n to the count of a row's filter; an entry of which only the ID is known does not count yet.
func (l *List) count(e *listEntry, n int) {
	if e.row.ID == "" {
		return
	}
	l.counts[FilterAll] += n
	if e.row.Group != FilterAll {
		l.counts[e.row.Group] += n
	}
	if e.row.Held() {
		l.held.Files += n
		if e.row.Link != "" {
			l.held.Links += n
		}
		l.held.Bytes += int64(n) * e.row.Bytes
	}
}

// reorder sets the order of acceptance, and reports whether it has changed.
func (l *List) reorder(order []string) bool {
	same := len(order) == len(l.entries)
	for i, id := range order {
		e := l.entries[id]
		if e == nil {
			e = &listEntry{place: -1}
			l.entries[id] = e
			same = false
		}
		same = same && e.accepted == i
		e.accepted = i
	}
	if len(l.entries) > len(order) {
		kept := make(map[string]bool, len(order))
		for _, id := range order {
			kept[id] = true
		}
		for id, e := range l.entries {
			if !kept[id] {
				l.count(e, -1)
				delete(l.entries, id)
			}
		}
	}
	return !same
}

// passes reports whether filter and search let a row through.
func (l *List) passes(e *listEntry) bool {
	if e.row.ID == "" || l.filter != FilterAll && e.row.Group != l.filter {
		return false
	}
	for _, word := range l.words {
		if !strings.Contains(e.text, word) {
			return false
		}
	}
	return true
}

// sift fills what is visible again.
func (l *List) sift() {
	l.late = false
	l.visible = l.visible[:0]
	for _, e := range l.entries {
		e.place = -1
		if l.passes(e) {
			l.visible = append(l.visible, e)
		}
	}
	slices.SortFunc(l.visible, l.sort.compare)
	for i, e := range l.visible {
		e.place = i
	}
}

// move takes changed rows out of the visible ones, and inserts each at its new position.
func (l *List) move(changed []*listEntry) {
	// All are taken out before any is inserted, so that the search for a position is among ordered rows; the last first, so that the indexes of the
	// others stay valid.
	slices.SortFunc(changed, func(a, b *listEntry) int { return cmp.Compare(b.place, a.place) })
	first := len(l.visible)
	for _, e := range changed {
		if e.place >= 0 {
			first = e.place
			l.visible = slices.Delete(l.visible, e.place, e.place+1)
			e.place = -1
		}
	}
	for _, e := range changed {
		if l.passes(e) {
			at, _ := slices.BinarySearchFunc(l.visible, e, l.sort.compare)
			l.visible = slices.Insert(l.visible, at, e)
			first = min(first, at)
		}
	}
	for i := first; i < len(l.visible); i++ {
		l.visible[i].place = i
	}
}

// Show sets filter, search and order. A row matches the search if its name or link has all of its words, in any order; case is ignored.
func (l *List) Show(f Filter, search string, s Sort) {
	l.filter, l.sort, l.words = f, s, strings.Fields(strings.ToLower(search))
	l.sift()
}

// Len is how many rows are visible.
func (l *List) Len() int { return len(l.visible) }

// Count is how many rows a filter lets through, without regard to the search.
func (l *List) Count(f Filter) int { return l.counts[f] }

// In are the IDs of a filter's rows, shown or not, in no order.
func (l *List) In(f Filter) (ids []string) {
	for id, e := range l.entries {
		if e.row.Group == f {
			ids = append(ids, id)
		}
	}
	return ids
}

// At is the visible row at an index below Len.
func (l *List) At(place int) Row { return l.visible[place].row }

// Row returns a row by its ID, visible or not.
func (l *List) Row(id string) (r Row, ok bool) {
	e := l.entries[id]
	if e == nil || e.row.ID == "" {
		return Row{}, false
	}
	return e.row, true
}

// Place is the index of a row among the visible ones, -1 where it is not visible.
func (l *List) Place(id string) int {
	if e := l.entries[id]; e != nil {
		return e.place
	}
	return -1
}

// IDs are those of the visible rows from one index to another, both included.
func (l *List) IDs(from, to int) []string {
	ids := make([]string, 0, max(0, to-from+1))
	for i := max(from, 0); i <= to && i < len(l.visible); i++ {
		ids = append(ids, l.visible[i].row.ID)
	}
	return ids
}
