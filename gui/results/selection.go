package results

import (
	"context"
	"slices"
)

// selectedMost bounds an action on many. The selection itself has no bound: "all that match" is a query.
const selectedMost = 500

// selection is which results are selected: those named, or all that match except those named.
type selection struct {
	all   bool
	named map[string]bool
}

func (s *selection) clear() { *s = selection{} }

func (s *selection) selectAll() { *s = selection{all: true} }

func (s *selection) has(id string) bool { return s.named[id] != s.all }

func (s *selection) set(id string, selected bool) {
	if s.has(id) == selected {
		return
	}
	if s.named == nil {
		s.named = map[string]bool{}
	}
	if selected != s.all {
		s.named[id] = true
	} else {
		delete(s.named, id)
	}
}

// count is how many are selected, if so many match.
func (s *selection) count(matching int) int {
	if s.all {
		return max(0, matching-len(s.named))
	}
	return len(s.named)
}

// copied is a copy of the selection, for a worker.
func (s *selection) copied() selection {
	c := selection{all: s.all, named: map[string]bool{}}
	for id := range s.named {
		c.named[id] = true
	}
	return c
}

// rows reads the selected rows as they are now, in the list's order, at most selectedMost. It reads the disk.
func (s selection) rows(ctx context.Context, answers Answers, q Query) ([]Row, error) {
	if s.all {
		return s.allRows(ctx, answers, q)
	}
	var places []int
	for id := range s.named {
		at, ok, err := answers.Place(ctx, q, id)
		if err != nil {
			return nil, err
		}
		if ok {
			places = append(places, at)
		}
	}
	slices.Sort(places)
	var selected []Row
	for i := 0; i < len(places); {
		run := 1
		for i+run < len(places) && places[i+run] == places[i]+run {
			run++
		}
		rows, err := answers.Rows(ctx, q, places[i], run)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if s.has(row.ID) { // the list may have changed meanwhile
				selected = append(selected, row)
			}
		}
		i += run
	}
	return selected, nil
}

func (s selection) allRows(ctx context.Context, answers Answers, q Query) ([]Row, error) {
	var selected []Row
	for first := 0; len(selected) < selectedMost; first += pageRows {
		rows, err := answers.Rows(ctx, q, first, pageRows)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if s.has(row.ID) && len(selected) < selectedMost {
				selected = append(selected, row)
			}
		}
		if len(rows) < pageRows {
			break
		}
	}
	return selected, nil
}
