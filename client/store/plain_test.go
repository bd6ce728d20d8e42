package store_test

import (
	"testing"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain/plaintest"
	"assay/client/store"
	"assay/client/submission"
)

// TestTextsOfAnEarlierAssayAreReadPlain is about records in which a service's words were kept as it sent them.
func TestTextsOfAnEarlierAssayAreReadPlain(t *testing.T) {
	for _, text := range plaintest.Hostile() {
		s := setup(t)
		sub := waiting("raw")
		sub.State, sub.Name, sub.Problem, sub.Warning, sub.Folder, sub.Source = submission.Failed, text, i18n.Verbatim(text), i18n.Verbatim(text), "/f", submission.Watched
		add(t, s, sub)
		done := answered(t, "done", client.Fake)
		done.Name = text
		add(t, s, done)
		all, err := s.Inbox(t.Context())
		noError(t, err)
		for _, read := range append(all, get(t, s, "raw"), get(t, s, "done")) {
			for _, shown := range []string{read.Name, read.Problem.String(), read.Warning.String()} {
				plaintest.OneLine(t, shown)
			}
		}
		rows, _, err := s.Page(t.Context(), store.Query{}, store.Cursor{}, 10)
		noError(t, err)
		if len(rows) == 0 {
			t.Fatal("no rows")
		}
		for _, row := range rows {
			plaintest.OneLine(t, row.Name)
		}
		_, last, _, err := s.FolderCounts(t.Context(), "/f", time.Time{})
		noError(t, err)
		plaintest.OneLine(t, last)

		given, err := s.AddFeedback(t.Context(), store.Feedback{ID: "f", Feedback: client.Feedback{RequestID: "r", Label: client.LabelReal, Category: client.OtherFeedback},
			State: store.FeedbackRefused, Problem: i18n.Verbatim(text), Given: time.Now()})
		noError(t, err)
		read, ok, err := s.FeedbackByID(t.Context(), given.ID)
		noError(t, err)
		if !ok {
			t.Fatal("it is not there")
		}
		plaintest.OneLine(t, read.Problem.String())
	}
}
