package client_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
)

func TestList(t *testing.T) {
	day := time.Date(2026, 3, 1, 23, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		query client.ListQuery
		want  url.Values
	}{
		{"P3 size is always sent", client.ListQuery{}, url.Values{"size": {"100"}}},
		{"P2 each part is optional: size", client.ListQuery{Size: 7}, url.Values{"size": {"7"}}},
		{"P2 each part is optional: name, escaped", client.ListQuery{Name: "a&b=ü #1.jpg"}, url.Values{"size": {"100"}, "name": {"a&b=ü #1.jpg"}}},
		{"P2 each part is optional: first day", client.ListQuery{Since: day}, url.Values{"size": {"100"}, "startDate": {"2026-03-01"}}},
		{"P2 each part is optional: last day", client.ListQuery{Until: day}, url.Values{"size": {"100"}, "endDate": {"2026-03-01"}}},
		{"P2 all parts together", client.ListQuery{Size: 7, Name: "a", Since: day.AddDate(0, 0, -1), Until: day},
			url.Values{"size": {"7"}, "name": {"a"}, "startDate": {"2026-02-28"}, "endDate": {"2026-03-01"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, `[]`))
			if _, err := connect(t, s.URL).List(t.Context(), c.query); err != nil {
				t.Fatal(err)
			}
			target, err := url.ParseRequestURI(s.only(t).Target)
			assert.NoError(t, err)
			if diff := cmp.Diff(c.want, target.Query()); diff != "" || target.Path != "/odd/base/api/v2/media/users" {
				t.Errorf("asked %s: query (-want +got):\n%s", target.Path, diff)
			}
		})
	}

	const two = `[{"requestId":"a","new":1},{"requestId":"b","resultsSummary":null}]`
	for _, c := range []struct {
		name, answer string
		want         []string
	}{
		{"a bare array", two, []string{"a", "b"}},
		{"the newer envelope", `{"totalItems":2,"totalPages":1,"currentPage":0,"currentPageItemsCount":2,"mediaList":` + two + `}`, []string{"a", "b"}},
		{"the older envelope", `{"data":` + two + `,"totalPages":1}`, []string{"a", "b"}},
		{"a name nobody knows", `{"zzz":` + two + `}`, []string{"a", "b"}},
		{"beside a longer list of something else", `{"columns":["a","b","c"],"users":[{"id":1},{"id":2},{"id":3}],"items":` + two + `}`, []string{"a", "b"}},
		{"beside an empty list", `{"errors":[],"items":` + two + `,"warnings":[]}`, []string{"a", "b"}},
		{"inside the answer's response", `{"code":"ok","response":{"totalItems":2,"mediaList":` + two + `}}`, []string{"a", "b"}},
		{"empty", `[]`, []string{}},
		{"empty in an envelope", `{"mediaList":[],"totalItems":0}`, []string{}},
		{"with entries that are none", `[null,{"requestId":"a"},3,"x",[]]`, []string{"a"}},
	} {
		t.Run("P4 the list is found in its envelope: "+c.name, func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, c.answer))
			results, err := connect(t, s.URL).List(t.Context(), client.ListQuery{})
			assert.NoError(t, err)
			ids := []string{}
			for _, r := range results {
				ids = append(ids, r.RequestID)
			}
			assert.Equal(t, c.want, ids)
		})
	}
	for _, body := range []string{`null`, `{}`, `12`, `"x"`, `{"mediaList":null}`, `{"code":"x","response":null}`, `{"mediaList":{"requestId":"a"}}`, `["a"]`, `{"items":["a"]}`} {
		t.Run("P4 what is no list is said so: "+body, func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, body))
			results, err := connect(t, s.URL).List(t.Context(), client.ListQuery{})
			wantKind(t, err, client.KindAnswer)
			if results != nil {
				t.Errorf("got %v", results)
			}
		})
	}
	t.Run("P6 an entry may miss any field, or have it odd, and spoils no other", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, `[{},{"requestId":{},"models":"x"},{"requestId":"c","resultsSummary":null}]`))
		results, err := connect(t, s.URL).List(t.Context(), client.ListQuery{})
		if err != nil || len(results) != 3 || results[2].RequestID != "c" {
			t.Errorf("got %+v, %v", results, err)
		}
	})
}

func TestFindUpload(t *testing.T) {
	since := time.Date(2026, 3, 1, 0, 30, 0, 0, time.FixedZone("east", 3600))
	entry := func(id, name, date string) string {
		return `{"requestId":"` + id + `","originalFileName":"` + name + `","uploadedDate":"` + date + `"}`
	}
	const after, skewed, before = "2026-02-28T23:31:00Z", "2026-02-28T23:28:30Z", "2026-02-28T23:20:00Z"
	for _, c := range []struct {
		name    string
		entries []string
		want    string // "" for an error
	}{
		{"the one of this name since the address was asked for", []string{entry("a", "photo.jpg", after), entry("b", "other.jpg", after)}, "a"},
		{"by its upload name", []string{`{"requestId":"a","filename":"photo.jpg","uploadedDate":"` + after + `"}`}, "a"},
		{"not an earlier one of the same name", []string{entry("a", "photo.jpg", after), entry("b", "photo.jpg", before)}, "a"},
		{"by a clock that is a little slow", []string{entry("a", "photo.jpg", skewed)}, "a"},
		{"listed twice", []string{entry("a", "photo.jpg", after), entry("a", "photo.jpg", after)}, "a"},
		{"never guessed between two", []string{entry("a", "photo.jpg", after), entry("b", "photo.jpg", after)}, ""},
		{"never guessed from an earlier one", []string{entry("a", "photo.jpg", before)}, ""},
		{"never guessed from part of a name", []string{entry("a", "my photo.jpg", after)}, ""},
		{"never guessed without a date", []string{entry("a", "photo.jpg", "")}, ""},
		{"never guessed without an identifier", []string{entry("", "photo.jpg", after)}, ""},
		{"not listed yet", nil, ""},
	} {
		t.Run("U10 an upload without identifier is found among the results: "+c.name, func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, `{"mediaList":[`+strings.Join(c.entries, ",")+`]}`))
			id, err := connect(t, s.URL).FindUpload(t.Context(), "photo.jpg", since)
			if id != c.want || (err == nil) != (c.want != "") {
				t.Errorf("got %q, %v", id, err)
			}
			if err != nil {
				wantKind(t, err, client.KindAnswer)
			}
		})
	}
	t.Run("U10 it is asked for by name, from the day before on, wherever midnight is", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, `{"mediaList":[],"totalItems":0}`))
		_, _ = connect(t, s.URL).FindUpload(t.Context(), "photo.jpg", since) // its answer is the tests' above
		if got := s.only(t).Target; got != "/odd/base/api/v2/media/users/pages/0?name=photo.jpg&size=100&startDate=2026-02-27" {
			t.Errorf("asked %s", got)
		}
	})
	t.Run("U10 a list that fails is that failure", func(t *testing.T) {
		s := serve(t, answer(http.StatusServiceUnavailable, ``))
		_, err := connect(t, s.URL).FindUpload(t.Context(), "photo.jpg", since)
		wantKind(t, err, client.KindBusy)
	})
}
