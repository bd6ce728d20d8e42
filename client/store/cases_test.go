package store_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/store"
	"assay/client/submission"
)

// items are the IDs of a case's items in one text, and how many the case itself says they are.
func items(t *testing.T, s *store.Store, caseID string) string {
	t.Helper()
	ids, err := s.CaseItems(t.Context(), caseID)
	assert.NoError(t, err)
	all, err := s.Cases(t.Context())
	assert.NoError(t, err)
	for _, c := range all {
		if c.ID == caseID {
			assert.Equal(t, len(ids), c.Items)
		}
	}
	return fmt.Sprint(ids)
}

func newCase(t *testing.T, s *store.Store, title string) string {
	t.Helper()
	c, err := s.AddCase(t.Context(), store.Case{Title: title})
	assert.NoError(t, err)
	return c.ID
}

func TestCases(t *testing.T) {
	put := func(t *testing.T, s *store.Store, caseID string, ids ...string) int {
		t.Helper()
		n, err := s.AddToCase(t.Context(), caseID, ids, "Ines")
		assert.NoError(t, err)
		return n
	}
	t.Run("outlive a restart with all that is in them", func(t *testing.T) {
		folder, now := t.TempDir(), noon
		o := store.Options{Now: func() time.Time { return now }}
		s := open(t, folder, o)
		add(t, s, waiting("a"), waiting("b"))
		older, newer := newCase(t, s, "The flood\x1b[2J\n\xff🌊"), newCase(t, s, "The flood")
		now = noon.Add(time.Hour)
		assert.Equal(t, 2, put(t, s, older, "b", "a"))
		note := store.CaseNote{ID: "n", Text: "Seen\nby two.", By: "Ines", At: noon}
		place := store.CaseNote{ID: "c", Kind: store.CheckPlace, Text: "The mill", By: "Rui", At: noon.Add(time.Minute)}
		for _, n := range []store.CaseNote{note, place, note} { // asked again after an answer that never came
			assert.NoError(t, s.AddCaseNote(t.Context(), older, n))
		}
		assert.NoError(t, s.Close())
		s = open(t, folder, o)
		all, err := s.Cases(t.Context())
		assert.NoError(t, err)
		same(t, []store.Case{
			{ID: older, Title: "The flood\x1b[2J\n\xff🌊", Created: noon.Local(), Changed: now.Local(), State: store.CaseOpen, Tags: []string{}, Items: 2, People: []string{"Ines", "Rui"},
				Desk: store.AtDesk{LastBy: "Rui"}},
			{ID: newer, Title: "The flood", Created: noon.Local(), Changed: noon.Local(), State: store.CaseOpen, Tags: []string{}, People: []string{}},
		}, all)
		assert.Equal(t, "[b a]", items(t, s, older))
		notes, err := s.CaseNotes(t.Context(), older)
		assert.NoError(t, err)
		note.At, place.At = note.At.Local(), place.At.Local()
		same(t, []store.CaseNote{note, place}, notes)
	})
	t.Run("have each content once, in the order in which it was added, and share it with others", func(t *testing.T) {
		s := setup(t)
		copied := waiting("copy")
		copied.Earlier = "a"
		add(t, s, answered(t, "a", client.Fake), waiting("b"), copied)
		first, second := newCase(t, s, "one"), newCase(t, s, "two")
		assert.Equal(t, 2, put(t, s, first, "copy", "b", "b"))
		assert.Equal(t, 0, put(t, s, first, "a", "b"))
		assert.Equal(t, 1, put(t, s, second, "a"))
		assert.Equal(t, "[a b][a]", items(t, s, first)+items(t, s, second))
	})
	t.Run("a submission that is removed leaves its cases", func(t *testing.T) {
		s := setup(t)
		failed := waiting("failed")
		failed.State = submission.Failed
		add(t, s, failed, waiting("stays"))
		of := newCase(t, s, "one")
		put(t, s, of, "failed", "stays")
		assert.NoError(t, s.Remove(t.Context(), "failed"))
		assert.Equal(t, "[stays]", items(t, s, of))
	})
	t.Run("one of several that is not known: none is added", func(t *testing.T) {
		s := setup(t)
		add(t, s, waiting("a"))
		of := newCase(t, s, "one")
		if n, err := s.AddToCase(t.Context(), of, []string{"a", "nobody"}, ""); n != 0 || !errors.Is(err, store.ErrUnknown) {
			t.Error(n, err)
		}
		assert.Equal(t, "[]", items(t, s, of))
	})
	t.Run("that are not there take nothing", func(t *testing.T) {
		s := setup(t)
		add(t, s, waiting("a"))
		if _, err := s.AddToCase(t.Context(), "none", []string{"a"}, ""); !errors.Is(err, store.ErrNoCase) {
			t.Error(err)
		}
		if err := s.AddCaseNote(t.Context(), "none", store.CaseNote{Text: "a"}); !errors.Is(err, store.ErrNoCase) {
			t.Error(err)
		}
	})
	t.Run("many at once lose nothing", func(t *testing.T) {
		s := setup(t)
		of := newCase(t, s, "one")
		const workers, each = 4, 10
		for w := range workers {
			for i := range each {
				add(t, s, waiting(fmt.Sprintf("w%d-%d", w, i)))
			}
		}
		var all sync.WaitGroup
		failed := make(chan error, 2*workers*each)
		for w := range workers {
			all.Go(func() {
				for i := range each {
					_, err := s.AddToCase(t.Context(), of, []string{fmt.Sprintf("w%d-%d", w, i), fmt.Sprintf("w0-%d", i)}, "")
					failed <- err
					failed <- s.AddCaseNote(t.Context(), of, store.CaseNote{Text: "seen"})
				}
			})
		}
		all.Wait()
		close(failed)
		for err := range failed {
			assert.NoError(t, err)
		}
		ids, err := s.CaseItems(t.Context(), of)
		assert.NoError(t, err)
		notes, err := s.CaseNotes(t.Context(), of)
		assert.NoError(t, err)
		if len(ids) != workers*each || len(notes) != workers*each {
			t.Error(len(ids), "items,", len(notes), "notes")
		}
	})
}
