package store_test

import (
	"errors"
	"testing"

	"assay/client/assert"
	"assay/client/desk"
	"assay/client/store"
	"assay/client/submission"
)

// entryOf is the ID of the entry of a case that says something, as one of the colleagues has it.
func (c *colleagues) entryOf(i int, caseID, text string) string {
	c.t.Helper()
	events, _, err := c.stores[i].CaseEvents(c.t.Context(), caseID, store.CaseCursor{}, 100)
	assert.NoError(c.t, err)
	for _, e := range events {
		if e.Text == text {
			return e.ID
		}
	}
	c.t.Fatalf("nothing says %q", text)
	return ""
}

// redactAtDesk does what the desk itself does with a redaction.
func (c *colleagues) redactAtDesk() {
	for _, r := range c.desk {
		for i := range c.desk {
			if r.Kind == desk.Redact && c.desk[i].ID == r.About {
				c.desk[i].Body, c.desk[i].Subject = nil, nil
			}
		}
	}
}

func TestRedact(t *testing.T) {
	c := newColleagues(t, "anna", "rui", "zoe")
	anna, rui := c.stores[0], c.stores[1]
	mine, err := anna.AddCase(t.Context(), store.Case{Title: "A bridge", By: "Anna"})
	assert.NoError(t, err)
	id, there := mine.ID, desk.IDOf(mine.ID).String()
	_, err = anna.Add(t.Context(), []submission.Submission{ofGate(t, "bridge", submission.GateSend), ofGate(t, "source", submission.GateNever)})
	assert.NoError(t, err)
	_, err = anna.AddToCase(t.Context(), id, []string{"bridge", "source"}, "Anna")
	assert.NoError(t, err)
	assert.NoError(t, anna.AddCaseNote(t.Context(), id, store.CaseNote{Text: "of this computer alone", By: "Anna"}))
	assert.NoError(t, anna.ChangeCase(t.Context(), id, store.CaseEvent{Kind: store.CaseDrawn, Text: "it is Ben's", By: "Anna"}))
	if _, err := anna.MayRedact(t.Context(), id, c.entryOf(0, id, "of this computer alone")); !errors.Is(err, store.ErrNotShared) {
		t.Errorf("of a case that is not shared: %v", err)
	}
	assert.NoError(t, anna.ShareCase(t.Context(), id, desk.ShareAnswer))
	c.sync()
	assert.NoError(t, rui.AddCaseNote(t.Context(), there, store.CaseNote{Text: "the source is Max", By: "rui"}))
	assert.NoError(t, rui.ChangeCase(t.Context(), there, store.CaseEvent{Kind: store.CaseDrawn, Text: "it is Max's", By: "rui"}))
	c.sync()
	refused := func(i int, caseID, entry string, want error) {
		t.Helper()
		if err := c.stores[i].Redact(t.Context(), caseID, entry); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
		unsent, err := c.stores[i].Unsent(t.Context(), 10)
		assert.NoError(t, err)
		assert.Equal(t, 0, len(unsent))
	}
	t.Run("nobody else's, nothing twice, and nothing that the desk doesn't have", func(*testing.T) {
		refused(2, there, c.entryOf(2, there, "the source is Max"), store.ErrNotYours)
		refused(0, id, c.entryOf(0, id, "source.jpg"), store.ErrNothingSaid)
		refused(0, id, "no entry", store.ErrNoEntry)
		refused(0, id, c.entryOf(0, id, "A bridge"), store.ErrNothingSaid)
	})
	wantGone := func(i int, caseID, text string) {
		t.Helper()
		events, _, err := c.stores[i].CaseEvents(t.Context(), caseID, store.CaseCursor{}, 100)
		assert.NoError(t, err)
		for _, e := range events {
			if e.Text == text {
				t.Errorf("%d still has %q", i, text)
			}
		}
		counts, err := c.stores[i].DeskCounts(t.Context())
		assert.NoError(t, err)
		assert.Equal(t, 0, counts.Altered)
	}
	emptied := func(i int, caseID string) map[string]int {
		t.Helper()
		events, _, err := c.stores[i].CaseEvents(t.Context(), caseID, store.CaseCursor{}, 100)
		assert.NoError(t, err)
		by := map[string]int{}
		for _, e := range events {
			if e.Kind == store.CaseEmptied {
				by[e.Text]++
				if e.Removed.IsZero() {
					t.Errorf("%d does not know when", i)
				}
			}
		}
		return by
	}
	t.Run("its author", func(t *testing.T) {
		assert.NoError(t, rui.Redact(t.Context(), there, c.entryOf(1, there, "the source is Max")))
		wantGone(1, there, "the source is Max")
		c.sync()
		for i, caseID := range []string{id, there, there} {
			wantGone(i, caseID, "the source is Max")
			assert.Equal(t, map[string]int{"RUI": 1}, emptied(i, caseID))
			notes, err := c.stores[i].CaseNotes(t.Context(), caseID)
			assert.NoError(t, err)
			assert.Equal(t, 1, len(notes))
		}
	})
	t.Run("the case's owner, also at the author's", func(t *testing.T) {
		assert.NoError(t, anna.Redact(t.Context(), id, c.entryOf(0, id, "it is Max's")))
		assert.Equal(t, "it is Ben's", caseOf(t, anna, id).Conclusion.Text) // what was concluded before
		c.sync()
		for i, caseID := range []string{id, there, there} {
			wantGone(i, caseID, "it is Max's")
			assert.Equal(t, "it is Ben's", caseOf(t, c.stores[i], caseID).Conclusion.Text)
		}
		assert.Equal(t, map[string]int{"RUI": 1, "ANNA": 1}, emptied(1, there))
	})
	t.Run("what was concluded before the case was shared", func(t *testing.T) {
		assert.NoError(t, anna.Redact(t.Context(), id, c.entryOf(0, id, "it is Ben's")))
		c.sync()
		for i, caseID := range []string{id, there, there} {
			wantGone(i, caseID, "it is Ben's")
			assert.Equal(t, "", caseOf(t, c.stores[i], caseID).Conclusion.Text)
		}
	})
	t.Run("a result leaves the case, and stays with whose it is", func(t *testing.T) {
		assert.Equal(t, 1, caseOf(t, rui, there).Items)
		assert.NoError(t, anna.Redact(t.Context(), id, c.entryOf(0, id, "bridge.jpg")))
		c.sync()
		assert.Equal(t, 1, caseOf(t, anna, id).Items) // what never leaves
		assert.Equal(t, 0, caseOf(t, rui, there).Items)
		_, known, err := anna.Get(t.Context(), "bridge")
		assert.NoError(t, err)
		assert.Equal(t, true, known)
		if by, err := rui.CheckedByColleagues(t.Context(), contentOf("bridge")); err != nil || len(by) != 0 {
			t.Errorf("%v, %v", by, err)
		}
	})
	t.Run("what is not sent yet goes without what it said", func(t *testing.T) {
		assert.NoError(t, anna.AddCaseNote(t.Context(), id, store.CaseNote{Text: "offline", By: "Anna"}))
		assert.NoError(t, anna.Redact(t.Context(), id, c.entryOf(0, id, "offline")))
		unsent, err := anna.Unsent(t.Context(), 10)
		assert.NoError(t, err)
		assert.Equal(t, 2, len(unsent))
		assert.Equal(t, "{}", string(unsent[0].Body))
		assert.Equal(t, desk.Redact, unsent[1].Kind)
		c.sync()
		for i, caseID := range []string{id, there, there} {
			wantGone(i, caseID, "offline")
		}
	})
	t.Run("who comes later learns that something was there", func(t *testing.T) {
		c.redactAtDesk()
		c.pulled[2] = 0
		zoe := c.stores[2]
		assert.NoError(t, zoe.LeaveCase(t.Context(), there))
		c.pull(2)
		assert.Equal(t, map[string]int{"RUI": 1, "ANNA": 4}, emptied(2, there))
	})
}
