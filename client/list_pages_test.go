package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
)

// pages is a service with a list of results, of one of the kinds that the interface leaves open.
type pages struct {
	items  int
	first  int    // the number of the first page
	most   int    // entries a page at most; 0: as many as asked for
	before string // what a page before the first is: "refused", "first", "empty"
	after  string // what a page after the last is: "refused", "last", "empty"
	wrap   func(entries string, page, count, items, pages int) string
}

// bare, envelopes and the like are what stands around the entries.
func bare(entries string, _, _, _, _ int) string { return entries }

func anyName(entries string, _, _, _, _ int) string { return `{"code":"ok","things":` + entries + `}` }

func newer(entries string, page, count, items, pages int) string {
	return fmt.Sprintf(`{"totalItems":%d,"totalPages":%d,"currentPage":%d,"currentPageItemsCount":%d,"mediaList":%s}`, items, pages, page, count, entries)
}

func older(entries string, _, _, _, pages int) string {
	return fmt.Sprintf(`{"data":%s,"totalPages":"%d"}`, entries, pages)
}

func counted(entries string, _, _, items, _ int) string {
	return fmt.Sprintf(`{"response":{"list":%s,"totalItems":%d}}`, entries, items)
}

func (p pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	size, err := strconv.Atoi(r.URL.Query().Get("size"))
	if err != nil {
		answer(400, `{"message":"No size."}`)(w, r)
		return
	}
	if p.most > 0 {
		size = min(size, p.most)
	}
	number, err := strconv.Atoi(r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:])
	if err != nil {
		answer(404, `{"message":"No pages."}`)(w, r)
		return
	}
	count := (p.items + size - 1) / size
	at, how := number-p.first, ""
	switch {
	case at < 0:
		how = p.before
		at = 0
	case at >= max(count, 1):
		how = p.after
		at = max(count-1, 0)
	}
	from, to := at*size, min(at*size+size, p.items)
	if how == "refused" {
		answer(404, `{"message":"No such page."}`)(w, r)
		return
	}
	if how == "empty" {
		from, to = 0, 0
	}
	entries := []map[string]string{}
	for i := from; i < to; i++ {
		entries = append(entries, map[string]string{"requestId": fmt.Sprintf("r%d", i), "thumbnail": fmt.Sprintf("https://s.example/%d?asked=%d", i, number)})
	}
	text, err := json.Marshal(entries)
	if err != nil {
		panic(err)
	}
	answer(200, p.wrap(string(text), at+p.first, len(entries), p.items, count))(w, r)
}

// collect ranges over all results and returns their identifiers.
func collect(t *testing.T, c *client.Client, q client.ListQuery) (ids []string, err error) {
	t.Helper()
	ids = []string{}
	for r, failed := range c.Results(t.Context(), q) {
		if failed != nil {
			if err != nil || r != nil {
				t.Errorf("after %v another, with %v", err, r)
			}
			err = failed
			continue
		}
		ids = append(ids, r.RequestID)
	}
	return ids, err
}

func numbered(n int) []string {
	ids := []string{}
	for i := range n {
		ids = append(ids, fmt.Sprintf("r%d", i))
	}
	return ids
}

func TestResults(t *testing.T) {
	wraps := []struct {
		name string
		wrap func(string, int, int, int, int) string
	}{{"a bare list", bare}, {"an envelope of any name", anyName}, {"the newer envelope", newer}, {"the older envelope", older}, {"one inside response", counted}}
	for _, w := range wraps {
		for _, base := range []struct {
			first  int
			before string
		}{{0, "refused"}, {1, "refused"}, {1, "first"}, {1, "empty"}} {
			for _, after := range []string{"refused", "last", "empty"} {
				for _, most := range []int{0, 2} {
					name := fmt.Sprintf("P5 none is shown twice or skipped: %s, the first page is %d (before it: %s), after the last: %s, at most %d a page", w.name, base.first, base.before, after, most)
					t.Run(name, func(t *testing.T) {
						for _, items := range []int{0, 1, 2, 3, 4, 5, 6, 7, 9, 12} {
							s := serve(t, pages{items: items, first: base.first, most: most, before: base.before, after: after, wrap: w.wrap}.ServeHTTP)
							got, err := collect(t, connect(t, s.URL), client.ListQuery{Size: 3})
							if diff := cmp.Diff(numbered(items), got); err != nil || diff != "" {
								t.Errorf("%d results: %v (-want +got):\n%s", items, err, diff)
							}
							needed := items/2 + 5
							if got := len(s.seen()); got > needed {
								t.Errorf("%d results: %d requests", items, got)
							}
						}
					})
				}
			}
		}
	}

	t.Run("P1 pages are asked for by number", func(t *testing.T) {
		s := serve(t, pages{items: 5, wrap: newer}.ServeHTTP)
		if _, err := collect(t, connect(t, s.URL), client.ListQuery{Size: 3, Name: "a b"}); err != nil {
			t.Fatal(err)
		}
		var asked []string
		for _, r := range s.seen() {
			asked = append(asked, r.Method+" "+r.Target)
		}
		const base = "GET /odd/base/api/v2/media/users/pages/"
		assert.Equal(t, []string{base + "0?name=a+b&size=3", base + "1?name=a+b&size=3"}, asked)
	})
	t.Run("P1 a service without pages answers the form without one", func(t *testing.T) {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "/pages/") {
				answer(404, `{"message":"Not found."}`)(w, r)
				return
			}
			answer(200, `[{"requestId":"r0"},{"requestId":"r1"}]`)(w, r)
		})
		got, err := collect(t, connect(t, s.URL), client.ListQuery{})
		if diff := cmp.Diff(numbered(2), got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
	t.Run("P1 what such a service holds back is said", func(t *testing.T) {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "/pages/") {
				answer(404, ``)(w, r)
				return
			}
			answer(200, `{"mediaList":[{"requestId":"r0"}],"totalItems":200}`)(w, r)
		})
		got, err := collect(t, connect(t, s.URL), client.ListQuery{})
		wantKind(t, err, client.KindAnswer)
		if e := failure(t, err); len(got) != 1 || e.Message.String() != "The service shows only the first 1 of 200 results." {
			t.Errorf("got %v, %v", got, e)
		}
	})
	t.Run("P3 size is sent with every page", func(t *testing.T) {
		s := serve(t, pages{items: 250, wrap: bare, after: "empty"}.ServeHTTP)
		if _, err := collect(t, connect(t, s.URL), client.ListQuery{}); err != nil {
			t.Fatal(err)
		}
		for _, r := range s.seen() {
			if !strings.HasSuffix(r.Target, "?size=100") {
				t.Errorf("asked %s", r.Target)
			}
		}
	})

	t.Run("P4 a list known to be whole is not asked on for", func(t *testing.T) {
		for _, items := range []int{0, 1, 3} {
			s := serve(t, pages{items: items, wrap: newer, after: "refused"}.ServeHTTP)
			if _, err := collect(t, connect(t, s.URL), client.ListQuery{Size: 3}); err != nil || len(s.seen()) != 1 {
				t.Errorf("%d results: %d requests, %v", items, len(s.seen()), err)
			}
		}
	})
	t.Run("P4 a list that never ends is given up, in words", func(t *testing.T) {
		next := 0
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			next++
			answer(200, fmt.Sprintf(`[{"requestId":"r%d"}]`, next))(w, r)
		})
		got, err := collect(t, connect(t, s.URL), client.ListQuery{})
		wantKind(t, err, client.KindAnswer)
		if len(got) != 1000 || len(s.seen()) != 1000 {
			t.Errorf("%d results by %d requests", len(got), len(s.seen()))
		}
	})
	t.Run("P4 totals that promise too much end with the pages", func(t *testing.T) {
		for _, after := range []string{"empty", "last"} {
			s := serve(t, pages{items: 5, after: after, wrap: func(entries string, _, _, _, _ int) string {
				return `{"mediaList":` + entries + `,"totalItems":1000000,"totalPages":"99999"}`
			}}.ServeHTTP)
			got, err := collect(t, connect(t, s.URL), client.ListQuery{Size: 3})
			if diff := cmp.Diff(numbered(5), got); err != nil || diff != "" || len(s.seen()) > 5 {
				t.Errorf("%d requests, %v (-want +got):\n%s", len(s.seen()), err, diff)
			}
		}
	})
	t.Run("P4 totals that make no sense are none", func(t *testing.T) {
		for _, odd := range []string{`-1`, `null`, `"many"`, `{}`, `1e400`, `99999999999999999999999`} {
			s := serve(t, pages{items: 5, after: "empty", wrap: func(entries string, _, _, _, _ int) string {
				return `{"mediaList":` + entries + `,"totalItems":` + odd + `,"totalPages":` + odd + `,"currentPage":` + odd + `}`
			}}.ServeHTTP)
			got, err := collect(t, connect(t, s.URL), client.ListQuery{Size: 3})
			if diff := cmp.Diff(numbered(5), got); err != nil || diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", odd, err, diff)
			}
		}
	})
	t.Run("P5 an upload of the meantime shows no result twice and loses none that was there", func(t *testing.T) {
		lists := []string{`[{"requestId":"r0"},{"requestId":"r1"}]`, `[{"requestId":"r1"},{"requestId":"r2"}]`, `[{"requestId":"r3"}]`}
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			number, err := strconv.Atoi(r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:])
			if err != nil || number >= len(lists) {
				answer(404, ``)(w, r)
				return
			}
			answer(200, lists[number])(w, r)
		})
		got, err := collect(t, connect(t, s.URL), client.ListQuery{Size: 2})
		if diff := cmp.Diff(numbered(4), got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
	t.Run("P5 uploads of the meantime may repeat a whole page before the totals end", func(t *testing.T) {
		s := serve(t, answers(
			answer(200, `{"totalPages":3,"currentPage":0,"data":[{"requestId":"r0"},{"requestId":"r1"}]}`),
			answer(200, `{"totalPages":4,"currentPage":1,"data":[{"requestId":"r2"},{"requestId":"r3"}]}`),
			answer(200, `{"totalPages":4,"currentPage":2,"data":[{"requestId":"r2"},{"requestId":"r3"}]}`),
			answer(200, `{"totalPages":4,"currentPage":3,"data":[{"requestId":"r4"}]}`)))
		got, err := collect(t, connect(t, s.URL), client.ListQuery{Size: 2})
		if diff := cmp.Diff(numbered(5), got); err != nil || diff != "" || len(s.seen()) != 4 {
			t.Errorf("%d requests, %v (-want +got):\n%s", len(s.seen()), err, diff)
		}
	})
	t.Run("P5 an envelope that calls page 0 so has the first page told", func(t *testing.T) {
		s := serve(t, pages{items: 2, after: "last", wrap: func(entries string, page, _, _, _ int) string {
			return fmt.Sprintf(`{"currentPage":%d,"data":%s}`, page, entries)
		}}.ServeHTTP)
		got, err := collect(t, connect(t, s.URL), client.ListQuery{Size: 3})
		if diff := cmp.Diff(numbered(2), got); err != nil || diff != "" || len(s.seen()) != 2 {
			t.Errorf("%d requests, %v (-want +got):\n%s", len(s.seen()), err, diff)
		}
	})
	t.Run("P5 a page that must exist and is refused is an error", func(t *testing.T) {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/0") {
				pages{items: 9, wrap: newer}.ServeHTTP(w, r)
				return
			}
			answer(400, `{"message":"Too far."}`)(w, r)
		})
		got, err := collect(t, connect(t, s.URL), client.ListQuery{Size: 3})
		wantKind(t, err, client.KindRefused)
		if e := failure(t, err); len(got) != 3 || e.Message.String() != "The service says: “Too far.”" {
			t.Errorf("got %v, %v", got, e)
		}
	})
	t.Run("P6 entries that are none, or miss every field, spoil no other and end no page", func(t *testing.T) {
		s := serve(t, answers(
			answer(200, `[null,{"requestId":"r0"},7]`), answer(200, `[{},{},{"requestId":{}}]`), answer(200, `["x",[],{"requestId":"r1","models":5}]`), answer(200, `[]`)))
		got, err := collect(t, connect(t, s.URL), client.ListQuery{Size: 3})
		if diff := cmp.Diff([]string{"r0", "", "", "", "r1"}, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})

	for _, c := range []struct {
		status int
		kind   client.Kind
		most   int
	}{{401, client.KindKey, 1}, {400, client.KindRefused, 3}, {503, client.KindBusy, 3}, {200, client.KindAnswer, 1}} {
		t.Run(fmt.Sprintf("what the service answers first is the error: %d", c.status), func(t *testing.T) {
			s := serve(t, answer(c.status, `{"message":"No."}`))
			got, err := collect(t, connect(t, s.URL), client.ListQuery{})
			wantKind(t, err, c.kind)
			if len(got) != 0 || len(s.seen()) > c.most {
				t.Errorf("%v by %d requests", got, len(s.seen()))
			}
		})
	}
	t.Run("an error in the middle ends it, after what was shown", func(t *testing.T) {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/1") {
				answer(500, ``)(w, r)
				return
			}
			pages{items: 9, wrap: bare}.ServeHTTP(w, r)
		})
		got, err := collect(t, connect(t, s.URL), client.ListQuery{Size: 3})
		wantKind(t, err, client.KindService)
		if len(got) != 3 {
			t.Errorf("got %v", got)
		}
	})
	t.Run("who stops early asks no more, and may begin again", func(t *testing.T) {
		s := serve(t, pages{items: 9, wrap: bare}.ServeHTTP)
		sequence := connect(t, s.URL).Results(t.Context(), client.ListQuery{Size: 3})
		for range 2 {
			for r, err := range sequence {
				if err != nil || r.RequestID != "r0" {
					t.Fatalf("got %v, %v", r, err)
				}
				break
			}
		}
		assert.Equal(t, 2, len(s.seen()))
	})
	t.Run("U10 an upload is looked for on all pages", func(t *testing.T) {
		at := newClock().Now()
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			entry := `{"requestId":"a","originalFileName":"other.jpg"}`
			if strings.HasSuffix(r.URL.Path, "/1") {
				entry = `{"requestId":"b","originalFileName":"photo.jpg","uploadedDate":"2026-03-01T12:00:00Z"}`
			}
			answer(200, `{"totalPages":2,"currentPage":0,"data":[`+entry+`]}`)(w, r)
		})
		if id, err := connect(t, s.URL).FindUpload(t.Context(), "photo.jpg", at); err != nil || id != "b" {
			t.Errorf("got %q, %v", id, err)
		}
	})
	t.Run("the context ends it", func(t *testing.T) {
		s := serve(t, pages{items: 9, wrap: bare}.ServeHTTP)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var last error
		for _, err := range connect(t, s.URL).Results(ctx, client.ListQuery{Size: 3}) {
			stop()
			last = err
		}
		if !errors.Is(last, ctx.Err()) || len(s.seen()) != 1 {
			t.Errorf("%d requests, %v", len(s.seen()), last)
		}
	})
}

func TestPages(t *testing.T) {
	// collectPages ranges over all pages and returns the identifiers of each.
	collectPages := func(t *testing.T, c *client.Client) (all [][]string, err error) {
		t.Helper()
		for page, failed := range c.Pages(t.Context(), client.ListQuery{Size: 2}) {
			if failed != nil {
				if page != nil || err != nil {
					t.Errorf("%v came with %v, after %v", page, failed, err)
				}
				err = failed
				continue
			}
			var ids []string
			for _, r := range page {
				ids = append(ids, r.RequestID)
			}
			all = append(all, ids)
		}
		return all, err
	}
	t.Run("P1 each answer is one page, as sent", func(t *testing.T) {
		s := serve(t, pages{items: 5, wrap: newer}.ServeHTTP)
		got, err := collectPages(t, connect(t, s.URL))
		if diff := cmp.Diff([][]string{{"r0", "r1"}, {"r2", "r3"}, {"r4"}}, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
	t.Run("P5 what was on an earlier page is left out, and a page of nothing else is none", func(t *testing.T) {
		s := serve(t, answers(
			answer(200, `{"totalPages":4,"currentPage":0,"data":[{"requestId":"r0"},{"requestId":"r1"}]}`),
			answer(200, `{"totalPages":4,"currentPage":1,"data":[{"requestId":"r1"},{"requestId":"r2"}]}`),
			answer(200, `{"totalPages":4,"currentPage":2,"data":[{"requestId":"r1"},{"requestId":"r2"}]}`),
			answer(200, `{"totalPages":4,"currentPage":3,"data":[{"requestId":"r3"}]}`)))
		got, err := collectPages(t, connect(t, s.URL))
		if diff := cmp.Diff([][]string{{"r0", "r1"}, {"r2"}, {"r3"}}, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
	t.Run("the next page is asked for when the one before has been taken", func(t *testing.T) {
		s := serve(t, pages{items: 5, wrap: newer}.ServeHTTP)
		taken := 0
		for _, err := range connect(t, s.URL).Pages(t.Context(), client.ListQuery{Size: 2}) {
			if taken++; err != nil || len(s.seen()) != taken {
				t.Errorf("%d requests before page %d was taken, %v", len(s.seen()), taken, err)
			}
		}
	})
	t.Run("what came before an error is given first", func(t *testing.T) {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "/pages/") {
				answer(404, ``)(w, r)
				return
			}
			answer(200, `{"mediaList":[{"requestId":"r0"}],"totalItems":200}`)(w, r)
		})
		got, err := collectPages(t, connect(t, s.URL))
		wantKind(t, err, client.KindAnswer)
		assert.Equal(t, [][]string{{"r0"}}, got)
	})
}
