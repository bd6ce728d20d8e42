package store_test

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/store"
	"assay/client/store/storetest"
	"assay/client/submission"
)

func everyOrder() []store.Order {
	return []store.Order{store.Newest, store.Oldest, store.ByName, store.HumanFirst}
}

// everyFilter is a query for each filter, and some of several.
func everyFilter() map[string]store.Query {
	links, files := true, false
	from, to := time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return map[string]store.Query{
		"all":             {},
		"a word":          {Text: "nairobi"},
		"two words":       {Text: "flood zür"},
		"a short word":    {Text: "q"},
		"short and long":  {Text: "ü statement"},
		"a status":        {Statuses: []client.Status{client.Suspicious}},
		"statuses":        {Statuses: []client.Status{client.Fake, client.Suspicious, "INCONCLUSIVE"}},
		"a type":          {Types: []client.MediaType{client.Audio}},
		"types":           {Types: []client.MediaType{client.Audio, client.Video}},
		"sources":         {Sources: []submission.Source{submission.Service, submission.Pasted}},
		"links":           {Links: &links},
		"files":           {Links: &files},
		"from":            {From: from},
		"to":              {To: to},
		"dates":           {From: from, To: to},
		"nothing":         {Text: "this occurs nowhere"},
		"status and type": {Statuses: []client.Status{client.Fake}, Types: []client.MediaType{client.Image}},
		"all of them": {Text: "conf", Statuses: []client.Status{client.Fake, client.Authentic}, Types: []client.MediaType{client.Image, client.Video},
			Sources: []submission.Source{submission.Dropped}, From: from, To: to.AddDate(0, 6, 0), Links: &files},
	}
}

func TestResultsInEveryOrderWithEveryFilter(t *testing.T) {
	s := setup(t)
	assert.NoError(t, storetest.Fill(t.Context(), s, 700))
	notListed := waiting("waiting")
	shows := answered(t, "shows", client.Fake)
	shows.Earlier = "other"
	add(t, s, notListed, shows)
	all, _, err := s.Page(t.Context(), store.Query{}, store.Cursor{}, 10_000)
	assert.NoError(t, err)
	if len(all) != 700 {
		t.Fatal(len(all), "results")
	}
	for name, q := range everyFilter() {
		var matching []store.Row
		for _, r := range all {
			if matches(q, r) {
				matching = append(matching, r)
			}
		}
		for _, order := range everyOrder() {
			q.Order = order
			t.Run(fmt.Sprintf("%s, %s", name, order), func(t *testing.T) {
				want := slices.SortedFunc(slices.Values(matching), byOrder(order))
				var paged []store.Row
				var cursor store.Cursor
				for {
					rows, next, err := s.Page(t.Context(), q, cursor, 37)
					assert.NoError(t, err)
					paged, cursor = append(paged, rows...), next
					if len(rows) < 37 {
						break
					}
				}
				same(t, want, paged)
				if rows, _, err := s.Page(t.Context(), q, cursor, 37); len(rows) != 0 || err != nil {
					t.Error("more after the end:", len(rows), err)
				}
				for _, index := range []int{0, 1, 150, 199, 200, 600, len(want) - 3, len(want), 5000} {
					got, err := s.PageAt(t.Context(), q, index, 20)
					assert.NoError(t, err)
					index = max(index, 0)
					if expected := want[min(index, len(want)):min(index+20, len(want))]; !slices.EqualFunc(expected, got, func(a, b store.Row) bool { return a.ID == b.ID }) {
						t.Errorf("at %d: %d rows, or others", index, len(got))
					}
				}
				for _, index := range []int{0, len(want) / 2, len(want) - 1} {
					if index < 0 || index >= len(want) {
						continue
					}
					if got, ok, err := s.Place(t.Context(), q, want[index].ID); got != index || !ok || err != nil {
						t.Errorf("the place of %d is %d (%v, %v)", index, got, ok, err)
					}
				}
				if _, ok, err := s.Place(t.Context(), q, "waiting"); ok || err != nil {
					t.Error("what is no result has a place", err)
				}
			})
		}
		t.Run(name+", by status", func(t *testing.T) {
			want := map[client.Status]int{}
			open := q
			open.Statuses = nil
			for _, r := range all {
				if matches(open, r) {
					want[r.Status]++
				}
			}
			got, err := s.CountByStatus(t.Context(), q)
			assert.NoError(t, err)
			if !maps.Equal(want, got) {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

// matches says in Go what a query means. Its texts have no accents but those of the places.
func matches(q store.Query, r store.Row) bool {
	plain := strings.NewReplacer("ü", "u", "ã", "a", "í", "i", "é", "e", "ó", "o", "ź", "z")
	text := strings.ToLower(r.Name + "\n" + r.Link + "\n" + r.Note)
	for word := range strings.FieldsSeq(strings.ToLower(q.Text)) {
		found := strings.Contains(text, word)
		if len([]rune(word)) >= 3 {
			found = strings.Contains(plain.Replace(text), plain.Replace(word))
		}
		if !found {
			return false
		}
	}
	return (q.Statuses == nil || slices.Contains(q.Statuses, r.Status)) && (q.Types == nil || slices.Contains(q.Types, r.Type)) &&
		(q.Sources == nil || slices.Contains(q.Sources, r.Source)) && (q.Links == nil || *q.Links == (r.Link != "")) &&
		(q.From.IsZero() || !r.Accepted.Before(q.From)) && (q.To.IsZero() || r.Accepted.Before(q.To))
}

func byOrder(o store.Order) func(a, b store.Row) int {
	rank := map[client.Status]int{client.Suspicious: 0, client.NotApplicable: 2, client.Fake: 3, client.Authentic: 4}
	rankOf := func(s client.Status) int {
		if r, known := rank[s]; known {
			return r
		}
		return 1
	}
	return func(a, b store.Row) int {
		newer := int(max(-1, min(1, b.Key-a.Key)))
		switch o {
		case store.Oldest:
			return -newer
		case store.ByName:
			if by := strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)); by != 0 {
				return by
			}
		case store.HumanFirst:
			if by := rankOf(a.Status) - rankOf(b.Status); by != 0 {
				return by
			}
		}
		return newer
	}
}

func TestResultsAreRememberedOnlyUntilTheyChange(t *testing.T) {
	s := setup(t)
	assert.NoError(t, storetest.Fill(t.Context(), s, 300))
	expect := func(results int, first string) {
		t.Helper()
		rows, err := s.PageAt(t.Context(), store.Query{Order: store.Oldest}, results-1, 5)
		assert.NoError(t, err)
		if n := count(t, s, store.Query{}); n != results || len(rows) != 1 || first != "" && rows[0].ID != first {
			t.Errorf("%d results, at the end %v; want %d and %s", n, rows, results, first)
		}
	}
	expect(300, "")
	sub := waiting("new")
	sub.Accepted = noon
	sub = add(t, s, sub)[0]
	expect(300, "")
	done := answered(t, "new", client.Fake)
	done.Key = sub.Key
	assert.NoError(t, s.Answer(t.Context(), done, "answered"))
	expect(301, "new")
	noted := store.Query{Text: "my note"}
	same(t, 0, count(t, s, noted))
	assert.NoError(t, s.SetNote(t.Context(), "new", "that is my note"))
	same(t, 1, count(t, s, noted))
	t.Run("and only where it is certain what was counted", func(t *testing.T) {
		s := setup(t)
		store.WaitForTidying(s) // it forgets what was counted
		add(t, s, answered(t, "a", client.Fake))
		same(t, 1, count(t, s, store.Query{}))
		if !store.RemembersCounts(s) {
			t.Error("they are counted anew each time")
		}
		store.BeforeSettled(s, client.Fake, func() { same(t, 1, count(t, s, store.Query{})) })
		same(t, 1, count(t, s, store.Query{}))
	})
}

func TestDatesOfOneInstant(t *testing.T) {
	s := setup(t)
	subs := make([]submission.Submission, 0, 500)
	for i := range 500 { // keys are microseconds: these reach half a millisecond beyond their date
		sub := answered(t, fmt.Sprintf("n%03d", i), client.Fake)
		subs = append(subs, sub)
	}
	add(t, s, subs...)
	for name, tc := range map[string]struct {
		from, to time.Time
		want     int
	}{
		"from the instant on": {noon, time.Time{}, 500}, "up to it": {time.Time{}, noon, 0}, "up to just after it": {time.Time{}, noon.Add(1), 500},
		"just after it": {noon.Add(1), noon.Add(time.Hour), 0},
	} {
		for _, order := range everyOrder() {
			rows, _, err := s.Page(t.Context(), store.Query{From: tc.from, To: tc.to, Order: order}, store.Cursor{}, 1000)
			if len(rows) != tc.want || err != nil {
				t.Errorf("%s: %d rows, want %d (%v)", name, len(rows), tc.want, err)
			}
		}
	}
}

func TestSearch(t *testing.T) {
	s := setup(t)
	add1 := func(id, name, link, note string) {
		sub := answered(t, id, client.Fake)
		sub.Name, sub.Link, sub.Note = name, link, note
		add(t, s, sub)
	}
	add1("a", `Ünïcode "quoted" 100%_done.jpg`, "", "ask Amélie")
	add1("b", "東京 flood.mp4", "https://posts.example/status/42", "")
	add1("c", "Zu\u0308rich.png", "", "it's here; DROP TABLE submissions --") // an u with a mark upon it
	add1("d", "ÉTÉ.txt", "", "a\x1fb")
	add1("e", "AND OR NOT near*.txt", "", "")
	for text, want := range map[string]string{
		"": "abcde", "  ": "abcde", "ünïcode": "a", "UNICODE": "a", `"quoted"`: "a", `"`: "a", `uoted" 1`: "a", "100%": "a", "%": "a", "_": "a", "%%": "", "0%_d": "a",
		"amelie": "a", "posts.example": "b", "42": "b", "東京": "b", "東": "b", "東京 fl": "b", "京東": "", "zürich": "c", "zurich": "c", "Züri": "c",
		"it's": "c", "; DROP": "c", "--": "c", "table submissions --": "c", "été": "d", "ét": "d", "ÉT": "d", "e\u0301te\u0301": "d", "near*": "e", "AND": "e", "NOT OR": "e",
		"near AND": "e", "name:near": "", "^unicode": "", "(": "", "jpg flood": "", "flood status": "b", "status/42 東": "b", "ask jpg am": "a",
		`\`: "", "a\x00b": "cd", "\xff": "abcde", "x\xff": "bde", "*": "e", "a\x1fb": "d",
		strings.Repeat("x", 200_000): "", strings.Repeat("%", 30_000): "", strings.Repeat("jpg ", 5000): "a", strings.Repeat("ab", 60): "",
	} {
		for _, order := range everyOrder() {
			rows, _, err := s.Page(t.Context(), store.Query{Text: text, Order: order}, store.Cursor{}, 10)
			if err != nil {
				t.Fatalf("%.40q: %v", text, err)
			}
			var ids []string
			for _, r := range rows {
				ids = append(ids, r.ID)
			}
			slices.Sort(ids)
			if got := strings.Join(ids, ""); got != want {
				t.Errorf("%.40q finds %q, want %q", text, got, want)
			}
			if n := count(t, s, store.Query{Text: text}); n != len(rows) {
				t.Errorf("%.40q: counted %d, found %d", text, n, len(rows))
			}
		}
	}
	rows, _, err := s.Page(t.Context(), store.Query{Text: "été"}, store.Cursor{}, 1)
	if err != nil || len(rows) != 1 || rows[0].Note != "a\x1fb" || rows[0].Name != "ÉTÉ.txt" {
		t.Errorf("%+v %v", rows, err)
	}
}

// contradictory is a submission with an answer that contradicts itself.
func contradictory(t *testing.T, id string) submission.Submission {
	t.Helper()
	sub := answered(t, id, client.Authentic)
	sub.Result = result(t, `{"requestId": "request-`+id+`", "overallStatus": "AUTHENTIC", "resultsSummary": {"status": "FAKE"}, "releaseVersion": "2.1"}`)
	return sub
}

func TestAnAnswerThatContradictsItselfIsFiledAsNoVerdict(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, store.Options{})
	later := waiting("later")
	add(t, s, contradictory(t, "at once"), answered(t, "authentic", client.Authentic), answered(t, "suspicious", client.Suspicious), answered(t, "fake", client.Fake), later)
	assert.NoError(t, s.Answer(t.Context(), contradictory(t, "later"), "answered"))
	filed := func(t *testing.T, s *store.Store) {
		t.Helper()
		listed := func(q store.Query) (ids []string) {
			rows, _, err := s.Page(t.Context(), q, store.Cursor{}, 10)
			assert.NoError(t, err)
			for _, row := range rows {
				ids = append(ids, row.ID)
			}
			return ids
		}
		same(t, []string{"authentic"}, listed(store.Query{Statuses: []client.Status{client.Authentic}}))
		same(t, []string{"later", "at once"}, listed(store.Query{Statuses: []client.Status{client.Contradictory}}))
		same(t, []string{"later", "suspicious", "at once", "fake", "authentic"}, listed(store.Query{Order: store.HumanFirst}))
		counts, err := s.CountByStatus(t.Context(), store.Query{})
		assert.NoError(t, err)
		same(t, map[client.Status]int{client.Contradictory: 2, client.Authentic: 1, client.Suspicious: 1, client.Fake: 1}, counts)
	}
	t.Run("in every list", func(t *testing.T) { filed(t, s) })
	t.Run("its history and the custody log have the status as sent", func(t *testing.T) {
		history, err := s.History(t.Context(), "later")
		assert.NoError(t, err)
		if len(history) != 1 || history[0].Status != client.Authentic {
			t.Errorf("%+v", history)
		}
	})
	t.Run("also one that an earlier version kept", func(t *testing.T) {
		assert.NoError(t, s.Close())
		tamper(t, folder, "UPDATE submissions SET status = 'AUTHENTIC' WHERE status = 'contradictory'", "DELETE FROM facts")
		again := open(t, folder, store.Options{})
		for done := ""; done == ""; runtime.Gosched() { // it is done beside everything else
			var err error
			done, err = again.Fact(t.Context(), "contradictions filed")
			assert.NoError(t, err)
		}
		filed(t, again)
		if again.SetAside() != "" {
			t.Error("it was set aside")
		}
	})
}

func TestTheServicesDate(t *testing.T) {
	s := setup(t)
	dated, undated := answered(t, "dated", client.Fake), answered(t, "undated", client.Fake)
	dated.Result.Date = noon.Add(-3 * time.Second)
	add(t, s, dated, undated)
	for id, want := range map[string]time.Time{"dated": dated.Result.Date.Local(), "undated": {}} {
		history, err := s.History(t.Context(), id)
		assert.NoError(t, err)
		same(t, want, history[0].Date)
	}
}
