package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/events"
	"assay/client/store"
	"assay/client/submission"
)

// linesOf are the events of a case in one line each, the newest first, read so many at a time.
func linesOf(t *testing.T, s *store.Store, caseID string, atOnce int) (lines []string) {
	t.Helper()
	var before store.CaseCursor
	for {
		page, next, err := s.CaseEvents(t.Context(), caseID, before, atOnce)
		assert.NoError(t, err)
		for _, e := range page {
			lines = append(lines, strings.TrimSpace(fmt.Sprint(e.By, " ", e.Kind, " ", e.Check, " ", e.Text)))
		}
		if len(page) < atOnce {
			return lines
		}
		before = next
	}
}

func caseOf(t *testing.T, s *store.Store, id string) store.Case {
	t.Helper()
	c, err := s.CaseByID(t.Context(), id)
	assert.NoError(t, err)
	return c
}

func TestCaseEvents(t *testing.T) {
	change := func(t *testing.T, s *store.Store, caseID string, all ...store.CaseEvent) {
		t.Helper()
		for _, e := range all {
			assert.NoError(t, s.ChangeCase(t.Context(), caseID, e))
		}
	}
	t.Run("tell what happened, in pages, the newest first", func(t *testing.T) {
		now := noon
		s := open(t, t.TempDir(), store.Options{Now: func() time.Time { now = now.Add(time.Second); return now }})
		add(t, s, waiting("a"), waiting("b"))
		c, err := s.AddCase(t.Context(), store.Case{Title: "The flood", By: "Ines"})
		assert.NoError(t, err)
		_, err = s.AddToCase(t.Context(), c.ID, []string{"a", "b"}, "Rui")
		assert.NoError(t, err)
		change(t, s, c.ID,
			store.CaseEvent{Kind: store.CaseNoted, Text: "Called the mill", By: "Rui"},
			store.CaseEvent{Kind: store.CaseChecked, Check: store.CheckPlace, Text: "The mill", By: "Ines"},
			store.CaseEvent{ID: "q", Kind: store.CaseAsked, Text: "When?", By: "Ines"},
			store.CaseEvent{Kind: store.CaseAnswered, About: "q", Text: "At noon", By: "Rui"},
			store.CaseEvent{Kind: store.CaseClosed, Text: "We run it.", By: "Ines"},
		)
		removed, err := s.RemoveFromCase(t.Context(), c.ID, []string{"b"}, "Rui")
		assert.NoError(t, err)
		assert.Equal(t, 1, removed)
		want := []string{
			"Rui removed  b.jpg", "Ines concluded  We run it.", "Rui answer  At noon", "Ines question  When?", "Ines check place The mill", "Rui note  Called the mill",
			"Rui added  b.jpg", "Rui added  a.jpg", "Ines created  The flood",
		}
		for _, atOnce := range []int{1, 2, 100} {
			assert.Equal(t, want, linesOf(t, s, c.ID, atOnce))
		}
		assert.Equal(t, []string{"Ines", "Rui"}, caseOf(t, s, c.ID).People)
		assert.Equal(t, "Ines", caseOf(t, s, c.ID).By)
	})
	t.Run("conclude a case and open it again; the conclusion can be written before, and stays", func(t *testing.T) {
		s := setup(t)
		id := newCase(t, s, "one")
		conclusion := func(text, by string) store.Conclusion { return store.Conclusion{Text: text, By: by, At: noon.Local()} }
		for _, step := range []struct {
			e     store.CaseEvent
			state store.CaseState
			want  store.Conclusion
		}{
			{store.CaseEvent{Kind: store.CaseDrawn, Text: "Perhaps", By: "Ines"}, store.CaseOpen, conclusion("Perhaps", "Ines")},
			{store.CaseEvent{Kind: store.CaseClosed, By: "Rui"}, store.CaseConcluded, conclusion("Perhaps", "Ines")},
			{store.CaseEvent{Kind: store.CaseReopened, By: "Rui"}, store.CaseOpen, conclusion("Perhaps", "Ines")},
			{store.CaseEvent{Kind: store.CaseClosed, Text: "No", By: "Rui"}, store.CaseConcluded, conclusion("No", "Rui")},
		} {
			change(t, s, id, step.e)
			c := caseOf(t, s, id)
			assert.Equal(t, step.state, c.State)
			assert.Equal(t, step.want, c.Conclusion)
		}
	})
	t.Run("rename a case and give it tags, each once", func(t *testing.T) {
		s := setup(t)
		id := newCase(t, s, "one")
		change(t, s, id, store.CaseEvent{Kind: store.CaseRenamed, Text: "two"}, store.CaseEvent{Kind: store.CaseTagged, Text: " water,  river  bank,Water,, 🌊"})
		c := caseOf(t, s, id)
		assert.Equal(t, "two", c.Title)
		assert.Equal(t, []string{"water", "river bank", "🌊"}, c.Tags)
		change(t, s, id, store.CaseEvent{Kind: store.CaseTagged})
		assert.Equal(t, []string{}, caseOf(t, s, id).Tags)
		assert.Equal(t, []string{"tags", "tags  water, river bank, 🌊", "renamed  two", "created  one"}, linesOf(t, s, id, 10))
	})
	t.Run("ask, and answer with evidence, more than once", func(t *testing.T) {
		folder := t.TempDir()
		s := open(t, folder, store.Options{})
		id, other := newCase(t, s, "one"), newCase(t, s, "two")
		evidence := []store.Evidence{{Kind: store.EvidenceLink, Value: "https://example.org/a?b=c"}, {Kind: store.EvidenceFile, Value: strings.Repeat("ab", 32)}, {Kind: store.EvidenceNote, Value: "the cranes\n🏗"}}
		change(t, s, id, store.CaseEvent{ID: "q", Kind: store.CaseAsked, Text: "Where?", By: "Ines", At: noon}, store.CaseEvent{ID: "r", Kind: store.CaseAsked, Text: "Who?"})
		assert.Equal(t, 2, caseOf(t, s, id).OpenQuestions)
		first := store.CaseEvent{ID: "first", Kind: store.CaseAnswered, About: "q", Text: "Pier 4", By: "Rui", At: noon, Evidence: evidence}
		change(t, s, id, first, first, store.CaseEvent{Kind: store.CaseAnswered, About: "q", Text: "Pier 5"})
		assert.Equal(t, 1, caseOf(t, s, id).OpenQuestions)
		for of, about := range map[string]string{id: "nothing", other: "q"} {
			if err := s.ChangeCase(t.Context(), of, store.CaseEvent{Kind: store.CaseAnswered, About: about, Text: "Pier 6"}); !errors.Is(err, store.ErrNoQuestion) {
				t.Error(err)
			}
		}
		assert.NoError(t, s.Close())
		s = open(t, folder, store.Options{})
		questions, err := s.CaseQuestions(t.Context(), id)
		assert.NoError(t, err)
		at := noon.Local()
		same(t, []store.CaseQuestion{
			{ID: "q", Text: "Where?", By: "Ines", At: at, Answers: []store.CaseAnswer{
				{Text: "Pier 4", Evidence: evidence, By: "Rui", At: at}, {Text: "Pier 5", Evidence: []store.Evidence{}, At: at}}},
			{ID: "r", Text: "Who?", At: at},
		}, questions)
		notes, err := s.CaseNotes(t.Context(), id)
		assert.NoError(t, err)
		if len(notes) > 0 {
			t.Error("questions are no notes:", notes)
		}
	})
	t.Run("of a time that can't be counted get the time at which they were kept", func(t *testing.T) {
		s := setup(t)
		id := newCase(t, s, "one")
		change(t, s, id, store.CaseEvent{Kind: store.CaseNoted, Text: "later", At: noon.AddDate(9000, 0, 0)})
		notes, err := s.CaseNotes(t.Context(), id)
		assert.NoError(t, err)
		same(t, noon.Local(), notes[0].At)
	})
	t.Run("are published once they are kept", func(t *testing.T) {
		hub := new(events.Hub)
		s := open(t, t.TempDir(), store.Options{Events: hub})
		add(t, s, waiting("a"))
		changes := hub.Subscribe(events.Case)
		took := func() []string { return changes.Take().IDs(events.Case) }
		id := newCase(t, s, "one")
		assert.Equal(t, []string{id}, took())
		_, err := s.AddToCase(t.Context(), id, []string{"a"}, "")
		assert.NoError(t, err)
		assert.Equal(t, []string{id}, took())
		if err := s.ChangeCase(t.Context(), id, store.CaseEvent{Kind: store.CaseAnswered, About: "nothing"}); err == nil || len(took()) > 0 {
			t.Error("what was not kept was published", err)
		}
	})
}

func TestItemsOfCases(t *testing.T) {
	t.Run("are taken out with those that are shown as them, and nothing of their log", func(t *testing.T) {
		s := setup(t)
		copied := waiting("copy")
		copied.Earlier = "a"
		add(t, s, answered(t, "a", client.Fake), waiting("b"), copied)
		before, err := s.Custody(t.Context(), "a")
		assert.NoError(t, err)
		id := newCase(t, s, "one")
		_, err = s.AddToCase(t.Context(), id, []string{"a", "b", "copy"}, "")
		assert.NoError(t, err)
		for _, c := range []struct {
			ids  []string
			want int
		}{{[]string{"copy"}, 1}, {[]string{"a"}, 0}} {
			n, err := s.RemoveFromCase(t.Context(), id, c.ids, "Ines")
			assert.NoError(t, err)
			assert.Equal(t, c.want, n)
		}
		assert.Equal(t, "[b]", items(t, s, id))
		after, err := s.Custody(t.Context(), "a")
		assert.NoError(t, err)
		assert.Equal(t, len(before), len(after))
		if _, err := s.RemoveFromCase(t.Context(), id, []string{"b", "nobody"}, ""); !errors.Is(err, store.ErrUnknown) {
			t.Error(err)
		}
		assert.Equal(t, "[b]", items(t, s, id))
	})
	t.Run("know their cases, by each submission of their content", func(t *testing.T) {
		s := setup(t)
		copied := waiting("copy")
		copied.Earlier = "a"
		add(t, s, answered(t, "a", client.Fake), copied, waiting("b"))
		one, two := newCase(t, s, "one"), newCase(t, s, "two")
		for id, item := range map[string]string{one: "copy", two: "a"} {
			_, err := s.AddToCase(t.Context(), id, []string{item}, "")
			assert.NoError(t, err)
		}
		for item, want := range map[string]int{"a": 2, "copy": 2, "b": 0, "nobody": 0} {
			all, err := s.CasesOf(t.Context(), item)
			assert.NoError(t, err)
			if len(all) != want {
				t.Errorf("%s is in %d cases, want %d", item, len(all), want)
			}
		}
	})
}

func TestGraphic(t *testing.T) {
	of := func(t *testing.T, s *store.Store, id string) bool {
		t.Helper()
		sub, known, err := s.Get(t.Context(), id)
		assert.NoError(t, err)
		assert.True(t, known, "it is known")
		return sub.Graphic
	}
	s := setup(t)
	sum := strings.Repeat("ab", 32)
	first, again, copied := answered(t, "first", client.Fake), answered(t, "again", client.Fake), waiting("copy")
	first.SHA256, again.SHA256, copied.SHA256, copied.Earlier = sum, sum, sum, "first"
	add(t, s, first, again, copied, answered(t, "other", client.Fake))
	if err := s.SetGraphic(t.Context(), []string{"other", "nobody"}, true); !errors.Is(err, store.ErrUnknown) || of(t, s, "other") {
		t.Error("one of several is not known:", err)
	}
	assert.NoError(t, s.SetGraphic(t.Context(), []string{"copy"}, true))
	for id, want := range map[string]bool{"first": true, "again": true, "copy": true, "other": false} {
		if got := of(t, s, id); got != want {
			t.Errorf("%s: %v", id, got)
		}
	}
	later := waiting("later")
	add(t, s, later)
	later.SHA256, later.State = sum, submission.Checking
	assert.NoError(t, s.Save(t.Context(), later, ""))
	assert.NoError(t, s.Save(t.Context(), again, "")) // as the queue has it, which does not know of the mark
	if !of(t, s, "later") || !of(t, s, "again") {
		t.Error("the content isn't marked any more")
	}
	rows, _, err := s.Page(t.Context(), store.Query{}, store.Cursor{}, 10)
	assert.NoError(t, err)
	var marked []string
	for _, r := range rows {
		if r.Graphic {
			marked = append(marked, r.ID)
		}
	}
	slices.Sort(marked)
	assert.Equal(t, []string{"again", "first"}, marked)
	assert.NoError(t, s.SetGraphic(t.Context(), []string{"first", "later"}, false))
	if of(t, s, "first") || of(t, s, "again") || of(t, s, "later") {
		t.Error("the mark stays")
	}
}
