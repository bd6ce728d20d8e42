package inbox_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"assay/client/assert"
	"assay/gui/inbox"
	"assay/gui/present"
)

// handedOver makes rows of one batch by their names, which are their IDs too.
func handedOver(at int64, group inbox.Filter, names ...string) []inbox.Row {
	var rows []inbox.Row
	for _, name := range names {
		rows = append(rows, inbox.Row{ID: name, Name: name, Accepted: time.Unix(at, 0), Group: group})
	}
	return rows
}

func idsOf(rows []inbox.Row) []string {
	var ids []string
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return ids
}

func visible(l *inbox.List) []string { return l.IDs(0, l.Len()-1) }

func expect(t *testing.T, l *inbox.List, want ...string) {
	t.Helper()
	got := visible(l)
	assert.Equal(t, append([]string{}, want...), got)
	for i, id := range got {
		if l.Place(id) != i || l.At(i).ID != id {
			t.Errorf("%s stands at %d, and says %d", id, i, l.Place(id))
		}
	}
}

func TestInboxListPutsTheLastBatchFirst(t *testing.T) {
	l := inbox.NewList()
	rows := append(handedOver(1, inbox.FilterUnderWay, "a", "b"), handedOver(2, inbox.FilterUnderWay, "c", "d")...)
	if moved := l.Update(idsOf(rows), rows); !moved {
		t.Error("new rows move nothing")
	}
	expect(t, l, "c", "d", "a", "b")
	t.Run("and takes an order that is the screen's already", func(t *testing.T) {
		l := inbox.NewList()
		l.Update([]string{"c", "d", "a", "b"}, rows)
		expect(t, l, "c", "d", "a", "b")
	})
}

func TestInboxListUpdates(t *testing.T) {
	setup := func() (*inbox.List, []inbox.Row) {
		l := inbox.NewList()
		rows := handedOver(1, inbox.FilterUnderWay, "a", "b", "c", "d")
		l.Update(idsOf(rows), rows)
		return l, rows
	}
	t.Run("a change of a row moves nothing", func(t *testing.T) {
		l, rows := setup()
		rows[2].State = "Uploading"
		if moved := l.Update(nil, rows[2:3]); moved || l.At(2).State != "Uploading" {
			t.Errorf("moved %v, %q", moved, l.At(2).State)
		}
	})
	t.Run("the same order again moves nothing", func(t *testing.T) {
		l, rows := setup()
		if l.Update(idsOf(rows), rows[:1]) {
			t.Error("something moved")
		}
	})
	t.Run("what is gone is forgotten, and news of it ignored", func(t *testing.T) {
		l, rows := setup()
		l.Update([]string{"a", "c"}, nil)
		l.Update(nil, rows)
		expect(t, l, "a", "c")
		if _, ok := l.Row("b"); ok || l.Count(inbox.FilterAll) != 2 || l.Count(inbox.FilterUnderWay) != 2 {
			t.Errorf("%d rows, %d under way", l.Count(inbox.FilterAll), l.Count(inbox.FilterUnderWay))
		}
	})
	t.Run("an ID whose row is not there yet is not shown", func(t *testing.T) {
		l, rows := setup()
		l.Update([]string{"a", "b", "c", "d", "e"}, nil)
		expect(t, l, "a", "b", "c", "d")
		rows[0].ID, rows[0].Name = "e", "e"
		if moved := l.Update(nil, rows[:1]); !moved {
			t.Error("its row moves nothing")
		}
		expect(t, l, "a", "b", "c", "d", "e")
	})
	t.Run("emptied", func(t *testing.T) {
		l, _ := setup()
		l.Update([]string{}, nil)
		expect(t, l)
		if n := l.Count(inbox.FilterAll); n != 0 {
			t.Errorf("%d rows left", n)
		}
	})
}

func TestInboxListFilters(t *testing.T) {
	l := inbox.NewList()
	rows := slices.Concat(handedOver(1, inbox.FilterUnderWay, "a", "b"), handedOver(1, inbox.FilterNeedsYou, "c"),
		handedOver(1, inbox.FilterAnswered, "d"), handedOver(1, inbox.FilterPaused, "e"), handedOver(1, inbox.FilterAll, "cancelled"))
	l.Update(idsOf(rows), rows)
	counts := map[inbox.Filter]int{}
	for _, f := range inbox.Filters() {
		if f.Words() == "" {
			t.Errorf("filter %q has no name", f)
		}
		counts[f] = l.Count(f)
	}
	want := map[inbox.Filter]int{inbox.FilterAll: 6, inbox.FilterUnderWay: 2, inbox.FilterNeedsYou: 1, inbox.FilterAnswered: 1, inbox.FilterPaused: 1}
	assert.Equal(t, want, counts)
	l.Show(inbox.FilterUnderWay, "", inbox.SortNewest)
	expect(t, l, "a", "b")

	rows[0].Group = inbox.FilterAnswered
	if moved := l.Update(nil, rows[:1]); !moved {
		t.Error("a row that left the filter moved nothing")
	}
	expect(t, l, "b")
	if l.Place("a") >= 0 || l.Count(inbox.FilterAnswered) != 2 || l.Count(inbox.FilterUnderWay) != 1 {
		t.Error("the row is still counted where it was")
	}
	rows[2].Group = inbox.FilterUnderWay
	l.Update(nil, rows[2:3])
	expect(t, l, "b", "c")
	l.Show(inbox.FilterAll, "", inbox.SortNewest)
	expect(t, l, "a", "b", "c", "d", "e", "cancelled")
}

func TestInboxListSearches(t *testing.T) {
	l := inbox.NewList()
	rows := handedOver(1, inbox.FilterAnswered, "Harbour statement.JPG", "harbour.mp4", "x.com/desk/1", "ÜBERSICHT.png")
	rows[2].Link = "https://x.com/desk/1"
	l.Update(idsOf(rows), rows)
	for _, c := range []struct {
		search string
		want   []string
	}{
		{"", idsOf(rows)},
		{"HARBOUR", []string{"Harbour statement.JPG", "harbour.mp4"}},
		{"jpg harb", []string{"Harbour statement.JPG"}},
		{"  desk ", []string{"x.com/desk/1"}},
		{"https", []string{"x.com/desk/1"}},
		{"über", []string{"ÜBERSICHT.png"}},
		{"harbour nothing", nil},
	} {
		t.Run(c.search, func(t *testing.T) {
			l.Show(inbox.FilterAll, c.search, inbox.SortNewest)
			expect(t, l, c.want...)
		})
	}
	t.Run("together with a filter", func(t *testing.T) {
		l.Show(inbox.FilterPaused, "harbour", inbox.SortNewest)
		expect(t, l)
	})
}

func TestInboxListSorts(t *testing.T) {
	l := inbox.NewList()
	rows := append(handedOver(1, inbox.FilterAnswered, "b.png", "A.png"), handedOver(2, inbox.FilterAnswered, "c.png", "d.png")...)
	for i, set := range []struct {
		bytes   int64
		urgency inbox.Urgency
	}{{30, inbox.UrgencyAuthentic}, {10, inbox.UrgencySuspicious}, {20, inbox.UrgencyFailed}, {20, inbox.UrgencyAuthentic}} {
		rows[i].Bytes, rows[i].Urgency = set.bytes, set.urgency
	}
	l.Update(idsOf(rows), rows)
	for sort, want := range map[inbox.Sort][]string{
		inbox.SortNewest:     {"c.png", "d.png", "b.png", "A.png"},
		inbox.SortName:       {"A.png", "b.png", "c.png", "d.png"},
		inbox.SortSize:       {"b.png", "c.png", "d.png", "A.png"},
		inbox.SortHumanFirst: {"A.png", "c.png", "d.png", "b.png"},
	} {
		t.Run(sort.Words(), func(t *testing.T) {
			l.Show(inbox.FilterAll, "", sort)
			expect(t, l, want...)
		})
	}
	t.Run("a row that is answered moves to its place", func(t *testing.T) {
		l.Show(inbox.FilterAll, "", inbox.SortHumanFirst)
		rows[0].Urgency = inbox.UrgencySuspicious
		l.Update(nil, rows[:1])
		expect(t, l, "b.png", "A.png", "c.png", "d.png")
	})
}

// TestInboxListAgreesWithSortingAnew holds the moving of single rows against a list that was made of the same rows at once.
func TestInboxListAgreesWithSortingAnew(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test that runs the same each time
	groups := inbox.Filters()
	rows := manyRows(200)
	order := idsOf(rows)
	for _, sort := range inbox.Sorts() {
		l := inbox.NewList()
		l.Update(order, rows)
		l.Show(inbox.FilterAnswered, "", sort)
		for range 200 {
			var changed []inbox.Row
			for range 1 + random.IntN(20) {
				row := &rows[random.IntN(len(rows))]
				row.Group = groups[random.IntN(len(groups))]
				row.Urgency = inbox.Urgency(random.IntN(int(inbox.UrgencyCancelled)))
				row.Bytes = random.Int64N(5)
				changed = append(changed, *row)
			}
			l.Update(nil, changed)
		}
		fresh := inbox.NewList()
		fresh.Update(order, rows)
		fresh.Show(inbox.FilterAnswered, "", sort)
		expect(t, l, visible(fresh)...)
		for _, f := range groups {
			if l.Count(f) != fresh.Count(f) {
				t.Errorf("%s: %d, want %d", f.Words(), l.Count(f), fresh.Count(f))
			}
		}
	}
}

func TestInboxSelection(t *testing.T) {
	setup := func() (*inbox.List, *inbox.Selection) {
		l := inbox.NewList()
		rows := handedOver(1, inbox.FilterUnderWay, "a", "b", "c", "d", "e")
		rows[1].Actions = []present.Action{present.Pause}
		rows[3].Actions = []present.Action{present.Pause}
		l.Update(idsOf(rows), rows)
		return l, inbox.NewSelection(l)
	}
	selected := func(l *inbox.List, s *inbox.Selection) string {
		text := ""
		for _, id := range visible(l) {
			if s.Has(id) {
				text += id
			}
		}
		return text
	}
	t.Run("one, and no longer", func(t *testing.T) {
		l, s := setup()
		s.Toggle("b")
		s.Toggle("d")
		s.Toggle("b")
		s.Toggle("none such")
		if got := selected(l, s); got != "d" || s.Len() != 1 {
			t.Errorf("selected %q, %d", got, s.Len())
		}
	})
	t.Run("a range, down and up, beside what was selected", func(t *testing.T) {
		l, s := setup()
		s.Toggle("a")
		s.Anchor("d")
		s.Extend("c")
		if got := selected(l, s); got != "acd" {
			t.Errorf("selected %q", got)
		}
		s.Extend("e")
		if got := selected(l, s); got != "acde" {
			t.Errorf("selected %q", got)
		}
	})
	t.Run("a range without a beginning is one row", func(t *testing.T) {
		l, s := setup()
		s.Extend("c")
		if got := selected(l, s); got != "c" {
			t.Errorf("selected %q", got)
		}
	})
	t.Run("all that can be seen, and nothing that can't be", func(t *testing.T) {
		l, s := setup()
		l.Show(inbox.FilterAll, "a", inbox.SortNewest)
		s.All()
		l.Show(inbox.FilterAll, "", inbox.SortNewest)
		if got := selected(l, s); got != "a" {
			t.Errorf("selected %q", got)
		}
		s.All()
		l.Show(inbox.FilterAll, "b", inbox.SortNewest)
		s.Drop()
		if s.Len() != 1 || !s.Has("b") {
			t.Errorf("%d selected", s.Len())
		}
	})
	t.Run("is listed from top to bottom, and knows what can be done with one of it", func(t *testing.T) {
		_, s := setup()
		if got := s.IDs(); len(got) != 0 || s.Offers(present.Pause) {
			t.Errorf("of nothing: %v", got)
		}
		s.Toggle("e")
		s.Toggle("a")
		if got := s.IDs(); !slices.Equal(got, []string{"a", "e"}) || s.Offers(present.Pause) {
			t.Errorf("got %v", got)
		}
		s.Toggle("d")
		if !s.Offers(present.Pause) || s.Offers(present.Retry) {
			t.Error("it does not offer what d does, and no more")
		}
		s.Clear()
		if s.Len() != 0 || s.Offers(present.Pause) {
			t.Error("not cleared")
		}
	})
}

func manyRows(n int) []inbox.Row {
	rows := make([]inbox.Row, n)
	for i := range rows {
		name := fmt.Sprintf("desk/clip %d of the harbour, take %d.mp4", i*7919%n, i%13)
		rows[i] = inbox.Row{ID: fmt.Sprint(i), Name: name, Accepted: time.Unix(int64(i/100), 0), Bytes: int64(i * 31 % n),
			Group: inbox.FilterAnswered, Urgency: inbox.Urgency(i % 12)}
	}
	return rows
}

// The two things that happen while a person looks at an inbox of 10,000.

func BenchmarkInboxListUpdateOneOf10000(b *testing.B) {
	for _, moves := range []bool{false, true} {
		b.Run(map[bool]string{false: "in its place", true: "to another place"}[moves], func(b *testing.B) {
			rows := manyRows(10_000)
			l := inbox.NewList()
			l.Update(idsOf(rows), rows)
			l.Show(inbox.FilterAll, "", inbox.SortHumanFirst)
			i := 0
			for b.Loop() {
				row := &rows[i*4999%len(rows)]
				row.State = fmt.Sprint(i)
				if moves {
					row.Urgency = (row.Urgency + 5) % 12
				}
				l.Update(nil, []inbox.Row{*row})
				i++
			}
		})
	}
}

func BenchmarkInboxListKeystrokeOver10000(b *testing.B) {
	for _, sort := range inbox.Sorts() {
		b.Run(sort.Words(), func(b *testing.B) {
			rows := manyRows(10_000)
			l := inbox.NewList()
			l.Update(idsOf(rows), rows)
			for b.Loop() {
				l.Show(inbox.FilterAll, "take h", sort)
			}
		})
	}
}
