package inbox

import (
	"assay/gui/present"
)

// Selection is which rows of a list are selected. Only visible ones can be, since nobody acts on what they do not see. It is used on its list's
// goroutine.
type Selection struct {
	list   *List
	chosen map[string]bool
	anchor string // the first row of the next range
}

// NewSelection returns an empty selection of a list.
func NewSelection(l *List) *Selection {
	return &Selection{list: l, chosen: map[string]bool{}}
}

// Len is how many are selected.
func (s *Selection) Len() int { return len(s.chosen) }

// Has reports whether a row is selected.
func (s *Selection) Has(id string) bool { return s.chosen[id] }

// Toggle selects or unselects a visible row; the next range begins there.
func (s *Selection) Toggle(id string) {
	switch {
	case s.chosen[id]:
		delete(s.chosen, id)
	case s.list.Place(id) >= 0:
		s.chosen[id] = true
	}
	s.anchor = id
}

// Anchor sets the row where the next range begins.
func (s *Selection) Anchor(id string) { s.anchor = id }

// Extend adds the rows from the anchor to this one, both included.
func (s *Selection) Extend(id string) {
	to := s.list.Place(id)
	if to < 0 {
		return
	}
	from := s.list.Place(s.anchor)
	if from < 0 {
		from, s.anchor = to, id
	}
	for _, one := range s.list.IDs(min(from, to), max(from, to)) {
		s.chosen[one] = true
	}
}

// All selects every visible row.
func (s *Selection) All() {
	for _, id := range s.list.IDs(0, s.list.Len()-1) {
		s.chosen[id] = true
	}
}

// Clear selects nothing.
func (s *Selection) Clear() { clear(s.chosen) }

// Drop unselects the rows that are not visible any more.
func (s *Selection) Drop() {
	for id := range s.chosen {
		if s.list.Place(id) < 0 {
			delete(s.chosen, id)
		}
	}
}

// IDs are those of the selected rows, from top to bottom.
func (s *Selection) IDs() []string {
	ids := make([]string, 0, len(s.chosen))
	for _, e := range s.list.visible {
		if len(ids) == len(s.chosen) {
			break
		}
		if s.chosen[e.row.ID] {
			ids = append(ids, e.row.ID)
		}
	}
	return ids
}

// Offers reports whether one of the selected rows offers an action.
func (s *Selection) Offers(a present.Action) bool {
	for id := range s.chosen {
		if e := s.list.entries[id]; e != nil && e.row.Can(a) {
			return true
		}
	}
	return false
}
