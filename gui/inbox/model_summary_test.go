package inbox_test

import (
	"slices"
	"testing"

	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/submission"
	"assay/gui/inbox"
)

func TestOverallSumsUp(t *testing.T) {
	const mb = 1 << 20
	half, none := 0.5, 0.0
	paused := intake.QueueStatus{Cause: intake.PausedAll}
	for _, c := range []struct {
		name     string
		totals   intake.Totals
		standing intake.QueueStatus
		want     inbox.Summary
	}{
		{"nothing", intake.Totals{}, intake.QueueStatus{}, inbox.Summary{Counts: "Nothing is under way"}},
		{"uploads under way", intake.Totals{All: 6, Ended: 3, Done: 2, Failed: 1, Unanswered: 1, Paused: 1, Bytes: 40 * mb, Sent: 20 * mb, Rate: mb}, intake.QueueStatus{},
			inbox.Summary{Counts: "2 answered · 1 not answered · 1 paused · 2 under way", Detail: "20 of 40 MB · about 20 s of upload left", Progress: &half, Active: 2, Failed: 1, NeedsYou: 1, Answered: 2,
				Can: []inbox.QueueAction{inbox.PauseAll, inbox.RetryFailed, inbox.ClearDone}}},
		{"a speed that is unknown promises nothing", intake.Totals{All: 1, Bytes: 2 * mb, Sent: mb}, intake.QueueStatus{},
			inbox.Summary{Counts: "1 under way", Detail: "1 of 2 MB", Progress: &half, Active: 1, Can: []inbox.QueueAction{inbox.PauseAll}}},
		{"sizes of two units", intake.Totals{All: 1, Bytes: 2 << 30, Sent: 1 << 30, Rate: 1 << 30}, intake.QueueStatus{},
			inbox.Summary{Counts: "1 under way", Detail: "1 of 2 GB · about 1 s of upload left", Progress: &half, Active: 1, Can: []inbox.QueueAction{inbox.PauseAll}}},
		{"nothing up yet", intake.Totals{All: 1, Bytes: 2 * mb}, intake.QueueStatus{},
			inbox.Summary{Counts: "1 under way", Detail: "0 bytes of 2 MB", Progress: &none, Active: 1, Can: []inbox.QueueAction{inbox.PauseAll}}},
		{"only the answers are outstanding: no bar", intake.Totals{All: 2, Ended: 1, Done: 1, Bytes: mb, Sent: mb}, intake.QueueStatus{},
			inbox.Summary{Counts: "1 answered · 1 under way", Active: 1, Answered: 1, Can: []inbox.QueueAction{inbox.PauseAll, inbox.ClearDone}}},
		{"sizes that are not known yet: no bar", intake.Totals{All: 1}, intake.QueueStatus{},
			inbox.Summary{Counts: "1 under way", Active: 1, Can: []inbox.QueueAction{inbox.PauseAll}}},
		{"all ended", intake.Totals{All: 12345, Ended: 12345, Done: 12345, Bytes: mb, Sent: mb}, intake.QueueStatus{},
			inbox.Summary{Counts: "12,345 answered", Answered: 12345, Can: []inbox.QueueAction{inbox.ClearDone}}},
		{"all ended, but most were not sent: nobody reads that as done", intake.Totals{All: 12, Ended: 12, Done: 4, Refused: 6, Failed: 1, Unsent: 7, Unanswered: 1}, intake.QueueStatus{},
			inbox.Summary{Counts: "4 answered · 7 not sent · 1 not answered", Failed: 1, Answered: 4, NeedsYou: 7, Can: []inbox.QueueAction{inbox.RetryFailed, inbox.ClearDone}}},
		{"what waits for the person's decision goes on by itself no more than what is paused", intake.Totals{All: 3, Ended: 1, Done: 1, Held: 2, Unsent: 2, Bytes: mb, Sent: mb}, intake.QueueStatus{},
			inbox.Summary{Counts: "1 answered · 2 not sent", Answered: 1, Held: 2, NeedsYou: 2, Can: []inbox.QueueAction{inbox.ClearDone}}},
		{"paused by the person", intake.Totals{All: 2, Bytes: 4 * mb, Sent: 2 * mb, Rate: mb}, paused,
			inbox.Summary{Counts: "2 under way", Detail: "paused · 2 of 4 MB", Progress: &half, Active: 2, Can: []inbox.QueueAction{inbox.ResumeAll}}},
		{"paused with nothing to do can still be taken back", intake.Totals{All: 1, Ended: 1, Done: 1}, paused,
			inbox.Summary{Counts: "1 answered", Detail: "paused", Answered: 1, Can: []inbox.QueueAction{inbox.ResumeAll, inbox.ClearDone}}},
		{"the key is not accepted", intake.Totals{All: 1}, intake.QueueStatus{Cause: intake.NoKey, Reason: i18n.Verbatim("The key was refused.")},
			inbox.Summary{Counts: "1 under way", Active: 1, Can: []inbox.QueueAction{inbox.ResumeAll},
				Notice: "The key was refused.", Help: inbox.ToSettings, HelpWords: "Open Settings"}},
		{"the quota is used up", intake.Totals{All: 1}, intake.QueueStatus{Cause: intake.NoQuota, Reason: i18n.Verbatim("Used up.")},
			inbox.Summary{Counts: "1 under way", Active: 1, Can: []inbox.QueueAction{inbox.ResumeAll},
				Notice: "Used up.", Help: inbox.ResumeAll, HelpWords: "Try again"}},
		{"the disk is full", intake.Totals{All: 1}, intake.QueueStatus{Cause: intake.NoDisk, Reason: i18n.Verbatim("The disk is full.")},
			inbox.Summary{Counts: "1 under way", Active: 1, Can: []inbox.QueueAction{inbox.ResumeAll},
				Notice: "The disk is full.", Help: inbox.ResumeAll, HelpWords: "Try again"}},
		{"no network: it goes on by itself, and can be paused", intake.Totals{All: 1, Bytes: 4 * mb, Sent: 2 * mb, Rate: mb}, intake.QueueStatus{Cause: intake.NoNetwork, Reason: i18n.Verbatim("Not reached.")},
			inbox.Summary{Counts: "1 under way", Detail: "2 of 4 MB", Progress: &half, Active: 1, Can: []inbox.QueueAction{inbox.PauseAll}, Notice: "Not reached."}},
		{"a busy service: it says until when", intake.Totals{All: 1}, intake.QueueStatus{Cause: intake.Busy, Reason: i18n.Verbatim("The service is busy (503). Assay asks again at 14:32.")},
			inbox.Summary{Counts: "1 under way", Active: 1, Can: []inbox.QueueAction{inbox.PauseAll}, Notice: "The service is busy (503). Assay asks again at 14:32."}},
		{"a busy service that nobody waits for any more", intake.Totals{All: 1, Ended: 1, Refused: 1, Unsent: 1}, intake.QueueStatus{Cause: intake.Busy, Reason: i18n.Verbatim("The service is busy (503).")},
			inbox.Summary{Counts: "1 not sent", NeedsYou: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, inbox.SummaryOf(c.totals, c.standing))
		})
	}
	t.Run("every cause but a pause says something, with or without the queue's own words", func(t *testing.T) {
		for _, cause := range []intake.Cause{intake.NoKey, intake.NoQuota, intake.NoDisk, intake.NoNetwork, intake.Busy} {
			if inbox.SummaryOf(intake.Totals{All: 1}, intake.QueueStatus{Cause: cause}).Notice == "" {
				t.Errorf("%s says nothing", cause)
			}
		}
	})
	t.Run("a key that can't be had goes before all else", func(t *testing.T) {
		got := inbox.SummaryOf(intake.Totals{All: 1}, intake.QueueStatus{Cause: intake.NoNetwork, Reason: i18n.Verbatim("Not reached.")}).WithKey("The keychain is locked.")
		want := inbox.Summary{Counts: "1 under way", Active: 1, Can: []inbox.QueueAction{inbox.PauseAll},
			Notice: "The keychain is locked.", Help: inbox.ToSettings, HelpWords: "Open Settings"}
		assert.Equal(t, want, got)
	})
}

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
