package store_test

import (
	"runtime"
	"testing"

	"assay/client"
	"assay/client/store"
	"assay/client/submission"
)

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
	must(t, s.Answer(t.Context(), contradictory(t, "later"), "answered"))
	filed := func(t *testing.T, s *store.Store) {
		t.Helper()
		listed := func(q store.Query) (ids []string) {
			rows, _, err := s.Page(t.Context(), q, store.Cursor{}, 10)
			must(t, err)
			for _, row := range rows {
				ids = append(ids, row.ID)
			}
			return ids
		}
		same(t, []string{"authentic"}, listed(store.Query{Statuses: []client.Status{client.Authentic}}))
		same(t, []string{"later", "at once"}, listed(store.Query{Statuses: []client.Status{client.Contradictory}}))
		same(t, []string{"later", "suspicious", "at once", "fake", "authentic"}, listed(store.Query{Order: store.HumanFirst}))
		counts, err := s.CountByStatus(t.Context(), store.Query{})
		must(t, err)
		same(t, map[client.Status]int{client.Contradictory: 2, client.Authentic: 1, client.Suspicious: 1, client.Fake: 1}, counts)
	}
	t.Run("in every list", func(t *testing.T) { filed(t, s) })
	t.Run("its history and the custody log have the status as sent", func(t *testing.T) {
		history, err := s.History(t.Context(), "later")
		must(t, err)
		if len(history) != 1 || history[0].Status != client.Authentic {
			t.Errorf("%+v", history)
		}
	})
	t.Run("also one that an earlier version kept", func(t *testing.T) {
		must(t, s.Close())
		tamper(t, folder, "UPDATE submissions SET status = 'AUTHENTIC' WHERE status = 'contradictory'", "DELETE FROM facts")
		again := open(t, folder, store.Options{})
		for done := ""; done == ""; runtime.Gosched() { // it is done beside everything else
			var err error
			done, err = again.Fact(t.Context(), "contradictions filed")
			must(t, err)
		}
		filed(t, again)
		if again.SetAside() != "" {
			t.Error("it was set aside")
		}
	})
}
