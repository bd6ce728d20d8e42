package inbox_test

import (
	"slices"
	"testing"

	"assay/client/submission"
	"assay/gui/inbox"
)

func TestHeldSaysWhatIsToBeDecided(t *testing.T) {
	for _, c := range []struct {
		held                      inbox.Held
		words, detail, send, keep string
	}{
		{inbox.Held{Files: 1, Bytes: 4 << 20}, "1 file waits for your decision", "4 MB · not sent yet", "Look and send…", "Keep it here"},
		{inbox.Held{Files: 1200, Bytes: 18 << 20}, "1,200 files wait for your decision", "18 MB · not sent yet", "Send all…", "Keep all here"},
		{inbox.Held{Files: 2}, "2 files wait for your decision", "not sent yet", "Send all…", "Keep all here"},
		{inbox.Held{Files: 1, Links: 1}, "1 link waits for your decision", "not sent yet", "Look and send…", "Keep it here"},
		{inbox.Held{Files: 3, Links: 3}, "3 links wait for your decision", "not sent yet", "Send all…", "Keep all here"},
		{inbox.Held{Files: 3, Links: 1, Bytes: 1 << 20}, "3 files and links wait for your decision", "1 MB · not sent yet", "Send all…", "Keep all here"},
	} {
		send, keep := c.held.Buttons()
		if c.held.Words() != c.words || c.held.Detail() != c.detail || send != c.send || keep != c.keep {
			t.Errorf("%+v: %q, %q, %q, %q", c.held, c.held.Words(), c.held.Detail(), send, keep)
		}
	}
	if got := (inbox.Held{}).Words(); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}

func TestInboxListKnowsWhatIsHeld(t *testing.T) {
	row := func(id string, state submission.State, bytes int64) inbox.Row {
		return inbox.RowOf(submission.Submission{ID: id, Name: id, State: state, Gate: submission.GateAsk, Size: bytes})
	}
	l := inbox.NewList()
	order := []string{"c", "a", "b", "d"}
	l.Update(order, []inbox.Row{row("a", submission.Held, 1), row("b", submission.Checking, 10), row("c", submission.Held, 100), row("d", submission.Stays, 1000)})
	expect := func(t *testing.T, want inbox.Held, ids ...string) {
		t.Helper()
		if got := l.Held(); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		if got := l.HeldIDs(); !slices.Equal(got, ids) {
			t.Errorf("held are %v, want %v", got, ids)
		}
	}
	expect(t, inbox.Held{Files: 2, Bytes: 101}, "c", "a")
	t.Run("also what a search hides", func(t *testing.T) {
		l.Show(inbox.FilterAll, "nothing has this", inbox.SortNewest)
		expect(t, inbox.Held{Files: 2, Bytes: 101}, "c", "a")
		l.Show(inbox.FilterAll, "", inbox.SortNewest)
	})
	t.Run("as it comes and goes", func(t *testing.T) {
		l.Update(nil, []inbox.Row{row("b", submission.Held, 20), row("c", submission.Sending, 100)})
		expect(t, inbox.Held{Files: 2, Bytes: 21}, "a", "b")
		l.Update([]string{"c", "b", "d"}, nil)
		expect(t, inbox.Held{Files: 1, Bytes: 20}, "b")
	})
}
