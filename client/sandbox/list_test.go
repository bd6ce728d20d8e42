package sandbox

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"assay/client/assert"
)

func TestList(t *testing.T) {
	s := setup(t)
	for i := range 12 { // one a day from 14 March, the newest last
		s.upload(t, fmt.Sprintf("Note %02d.txt", i), []byte("hello"))
		s.clock.Advance(24 * time.Hour)
	}
	s.ask(t, "never uploaded.txt")
	assert.NoError(t, s.Idle(t.Context()))

	const paged = "/api/v2/media/users/pages/"
	for _, c := range []struct {
		what, path   string
		first, last  string // of the names on the page; "" for an empty page
		items, pages int
		onPage       int
	}{
		{"the first page is 0 and has ten, the newest first", paged + "0", "Note_11.txt", "Note_02.txt", 12, 2, 10},
		{"the second page has the rest", paged + "1", "Note_01.txt", "Note_00.txt", 12, 2, 2},
		{"a page past the end is empty", paged + "2", "", "", 12, 2, 0},
		{"a page far past the end is empty", paged + "9223372036854775807", "", "", 12, 2, 0},
		{"without a page there are up to 100", "/api/v2/media/users", "Note_11.txt", "Note_00.txt", 12, 1, 12},
		{"a size holds with a page", paged + "1?size=5", "Note_06.txt", "Note_02.txt", 12, 3, 5},
		{"a size holds without a page", "/api/v2/media/users?size=3", "Note_11.txt", "Note_09.txt", 12, 4, 3},
		{"a name narrows, in any case and by part", paged + "0?name=note%200", "Note_09.txt", "Note_00.txt", 10, 1, 10},
		{"the name with underscores will do too", paged + "0?name=NOTE_11", "Note_11.txt", "Note_11.txt", 1, 1, 1},
		{"no such name is an empty list", paged + "0?name=other", "", "", 0, 0, 0},
		{"startDate is the first day", paged + "0?startDate=2026-03-20", "Note_11.txt", "Note_06.txt", 6, 1, 6},
		{"endDate is the last day, whole", paged + "0?endDate=2026-03-15", "Note_01.txt", "Note_00.txt", 2, 1, 2},
		{"both dates make a span", paged + "0?startDate=2026-03-16&endDate=2026-03-16", "Note_02.txt", "Note_02.txt", 1, 1, 1},
	} {
		t.Run(c.what, func(t *testing.T) {
			answer := s.call(t, http.MethodGet, c.path, "")
			got := decode[resultList](t, answer.body)
			if answer.status != http.StatusOK || got.TotalItems != c.items || got.TotalPages != c.pages || got.CurrentPageItems != c.onPage || len(got.MediaList) != c.onPage {
				t.Fatalf("got %d with %d items, %d pages, %d on this one", answer.status, got.TotalItems, got.TotalPages, len(got.MediaList))
			}
			var first, last string
			if c.onPage > 0 {
				first, last = got.MediaList[0].FileName.String(), got.MediaList[c.onPage-1].FileName.String()
			}
			assert.Equal(t, []string{c.first, c.last}, []string{first, last})
		})
	}
	for _, query := range []string{"0?size=0", "0?size=many", "0?startDate=14.3.2026", "0?endDate=2026-13-01", "-1", "first"} {
		t.Run("a query that makes no sense is refused in words: "+query, func(t *testing.T) {
			if got := s.call(t, http.MethodGet, paged+query, ""); got.status != http.StatusBadRequest || decode[apiError](t, got.body).Response == "" {
				t.Errorf("got %d %s", got.status, got.body)
			}
		})
	}
	t.Run("an entry is the result itself", func(t *testing.T) {
		got := decode[struct {
			MediaList []map[string]any `json:"mediaList"`
		}](t, s.call(t, http.MethodGet, paged+"0?size=1", "").body)
		id, _ := got.MediaList[0]["requestId"].(string)
		assert.Equal(t, decode[map[string]any](t, s.call(t, http.MethodGet, "/api/media/users/"+id, "").body), got.MediaList[0])
	})
}
