package sandbox

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Results per page where the query names no size: the interface has 10 with a page and 100 without.
const (
	pagedSize   = 10
	unpagedSize = 100
	largestSize = 1000
)

// resultList is the envelope of a list, as newer services of this kind send it. Pages count from 0.
type resultList struct {
	TotalItems       int          `json:"totalItems"`
	TotalPages       int          `json:"totalPages"`
	CurrentPage      int          `json:"currentPage"`
	CurrentPageItems int          `json:"currentPageItemsCount"`
	MediaList        []sentResult `json:"mediaList"`
}

// listUnpaged answers with the first results (interface, operation 5, the form without a page).
func (s *Sandbox) listUnpaged(w http.ResponseWriter, r *http.Request) {
	s.list(w, r, 0, unpagedSize)
}

// listPage answers with one page of results (interface, operation 5).
func (s *Sandbox) listPage(w http.ResponseWriter, r *http.Request) {
	page, err := strconv.Atoi(r.PathValue("page"))
	if err != nil || page < 0 {
		s.fail(w, http.StatusBadRequest, "invalid-page", "The page is a number from 0.")
		return
	}
	s.list(w, r, page, pagedSize)
}

func (s *Sandbox) list(w http.ResponseWriter, r *http.Request, page, size int) {
	filter, err := readFilter(r.URL.Query(), size)
	if err != nil {
		s.fail(w, http.StatusBadRequest, "invalid-query", err.Error())
		return
	}
	matching := s.matching(caller(r), filter)
	total := len(matching)
	pages := (total + filter.size - 1) / filter.size
	first := total
	if page < pages {
		first = page * filter.size
	}
	answer := resultList{TotalItems: total, TotalPages: pages, CurrentPage: page, MediaList: []sentResult{}}
	for _, e := range matching[first:min(first+filter.size, total)] {
		answer.MediaList = append(answer.MediaList, s.result(r, e.snapshot()))
	}
	answer.CurrentPageItems = len(answer.MediaList)
	s.answer(w, http.StatusOK, answer)
}

// matching is what a list has of all pages, the newest first.
func (s *Sandbox) matching(whose user, filter listFilter) []*entry {
	type match struct { // small, because a list of 100,000 is sorted
		entry *entry
		date  int64 // nanoseconds since 1970
		id    string
	}
	var found []match
	for _, e := range slices.Backward(s.all()) {
		e.mu.Lock()
		if r := &e.record; r.owner() == whose && filter.takes(r) {
			found = append(found, match{e, r.date().UnixNano(), r.RequestID})
		}
		e.mu.Unlock()
	}
	slices.SortFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.date, a.date), cmp.Compare(a.id, b.id))
	})
	entries := make([]*entry, len(found))
	for i, m := range found {
		entries[i] = m.entry
	}
	return entries
}

// listFilter is what a list is narrowed to.
type listFilter struct {
	size  int
	name  string    // part of a file name, in lower case
	from  time.Time // zero: no limit
	until time.Time // exclusive; zero: no limit
}

// readFilter reads the query; an error is a sentence for the answer. Days are days of UTC.
func readFilter(query url.Values, size int) (listFilter, error) {
	f := listFilter{size: size, name: strings.ToLower(query.Get("name"))}
	if given := query.Get("size"); given != "" {
		n, err := strconv.Atoi(given)
		if err != nil || n < 1 || n > largestSize {
			return f, sentence("The size is a number from 1 to " + strconv.Itoa(largestSize) + ".")
		}
		f.size = n
	}
	for name, day := range map[string]*time.Time{"startDate": &f.from, "endDate": &f.until} {
		given := query.Get(name)
		if given == "" {
			continue
		}
		parsed, err := time.Parse(time.DateOnly, given)
		if err != nil {
			return f, sentence("The " + name + " is a day of the form yyyy-mm-dd.")
		}
		*day = parsed
	}
	if !f.until.IsZero() {
		f.until = f.until.AddDate(0, 0, 1) // the last day is included
	}
	return f, nil
}

// takes reports whether a record belongs to the list. What was never uploaded does not, nor the sound that was extracted from a video: an entry is
// what was submitted.
func (f listFilter) takes(r *record) bool {
	named := f.name == "" || strings.Contains(strings.ToLower(r.FileName), f.name) || strings.Contains(strings.ToLower(r.OriginalFileName), f.name)
	return r.submitted() && r.ExtractedFrom == "" && named && !r.date().Before(f.from) && (f.until.IsZero() || r.date().Before(f.until))
}
