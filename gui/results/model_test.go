package results_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/present"
	"assay/gui/present/presenttest"
	"assay/gui/results"
)

// resultsNow is a Thursday.
var resultsNow = time.Date(2026, time.November, 12, 14, 2, 0, 0, time.FixedZone("", 3600))

func TestResultRow(t *testing.T) {
	fake := presenttest.Result(t, `{"overallStatus":"FAKE","mediaType":"VIDEO","resultsSummary":{"metadata":{"finalScore":88.4}}}`)
	at := resultsNow.Add(-2 * time.Hour)
	t.Run("says what the verdict says, and no number of its own", func(t *testing.T) {
		got := results.RowOf(submission.Submission{ID: "a", Name: "a.mp4", Type: client.Video, RequestID: "r", Source: submission.Dropped,
			Result: fake, Answered: at})
		v := verdict.Of(fake)
		want := results.Row{ID: "a", Name: "a.mp4", Medium: present.Clip, Mark: v.Mark, Words: v.Short, Score: v.Score.Text(), Line: v.Line(),
			RequestID: "r", Source: submission.Dropped, At: at}
		assert.Equal(t, want, got)
	})
	t.Run("leaves a score out that was not reported", func(t *testing.T) {
		if got := results.RowOf(submission.Submission{Result: presenttest.Result(t, `{"overallStatus":"FAKE"}`)}); got.Score != "" {
			t.Errorf("it says %q", got.Score)
		}
	})
	t.Run("shows what a link led to", func(t *testing.T) {
		got := results.RowOf(submission.Submission{Link: "https://x.example/1", Result: fake, Source: submission.Pasted, Answered: at})
		if got.Medium != present.Clip || got.Detail(resultsNow) != "2 h ago · link" {
			t.Errorf("%q, %q", got.Medium, got.Detail(resultsNow))
		}
	})
	t.Run("says that another device's is one, with the service's own date", func(t *testing.T) {
		got := results.RowOf(submission.Submission{Result: fake, Source: submission.Service, Accepted: at, Answered: resultsNow})
		if !got.Elsewhere() || got.Detail(resultsNow) != "2 h ago · another device" {
			t.Errorf("%v, %q", got.Elsewhere(), got.Detail(resultsNow))
		}
	})
	t.Run("says which watched folder it came from, where that is known", func(t *testing.T) {
		watched := submission.Submission{Result: fake, Source: submission.Watched, Folder: "/home/desk/Agency", Answered: at}
		row := results.RowOf(watched)
		if row.Detail(resultsNow) != "2 h ago · from Agency" || !row.Care().Watched {
			t.Errorf("%q", row.Detail(resultsNow))
		}
		watched.Folder = ""
		if got := results.RowOf(watched).Detail(resultsNow); got != "2 h ago · from a watched folder" {
			t.Errorf("%q", got)
		}
	})
	t.Run("says that an answer can't be read", func(t *testing.T) {
		if got := results.RowOf(submission.Submission{ID: "a"}); got.Words != "Its answer can't be read" || got.Mark != verdict.MarkNone {
			t.Errorf("%q, %q", got.Words, got.Mark)
		}
	})
}

func TestResultTimes(t *testing.T) {
	for _, c := range []struct {
		name string
		at   time.Time
		want string
	}{
		{"a moment ago", resultsNow.Add(-30 * time.Second), "now"},
		{"by a clock that is ahead", resultsNow.Add(20 * time.Second), "now"},
		{"a minute ago", resultsNow.Add(-time.Minute), "1 min ago"},
		{"minutes ago", resultsNow.Add(-12 * time.Minute), "12 min ago"},
		{"this morning", resultsNow.Add(-9 * time.Hour), "9 h ago"},
		{"yesterday", resultsNow.Add(-15 * time.Hour), "Yesterday, 23:02"},
		{"two days ago", resultsNow.Add(-48 * time.Hour), "10 Nov, 14:02"},
		{"last year", resultsNow.AddDate(-1, 0, 0), "12 Nov 2025, 14:02"},
		{"in another time zone", time.Date(2026, 11, 10, 23, 30, 0, 0, time.UTC), "Yesterday, 00:30"},
		{"in the far future", resultsNow.AddDate(0, 0, 3), "15 Nov, 14:02"},
		{"at no time", time.Time{}, "at an unknown time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (results.Row{At: c.at, Source: submission.Chosen}).Detail(resultsNow); got != c.want+" · chosen" {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestResultsQuery(t *testing.T) {
	t.Run("toggles a status without touching the query it came from", func(t *testing.T) {
		var q results.Query
		one := q.Toggled(client.Fake)
		two := one.Toggled(client.Suspicious)
		back := two.Toggled(client.Fake)
		if q.Has(client.Fake) || !one.Has(client.Fake) || one.Has(client.Suspicious) || !two.Has(client.Fake) || back.Has(client.Fake) || !back.Has(client.Suspicious) {
			t.Errorf("%v, %v, %v, %v", q.Statuses, one.Statuses, two.Statuses, back.Statuses)
		}
	})
	t.Run("knows whether it leaves anything out, for which the order counts nothing", func(t *testing.T) {
		for _, q := range []results.Query{{Text: "x"}, {Statuses: []client.Status{client.Fake}}, {Medium: present.Clip}, {Dates: results.Today},
			{Source: results.OwnLinks}} {
			q.Order = results.ByName
			if !q.Filtered() || q.Unfiltered().Filtered() || q.Unfiltered().Order != results.ByName {
				t.Errorf("%+v", q)
			}
		}
	})
	t.Run("spans begin at a midnight of the person's time zone", func(t *testing.T) {
		for span, want := range map[results.Dates]string{
			results.Today: "2026-11-12T00:00:00+01:00", results.LastWeek: "2026-11-06T00:00:00+01:00",
			results.LastMonth: "2026-10-14T00:00:00+01:00", results.ThisYear: "2026-01-01T00:00:00+01:00",
		} {
			if got := span.From(resultsNow).Format(time.RFC3339); got != want {
				t.Errorf("%s begins at %s, want %s", results.DatesWords()[span], got, want)
			}
		}
		if !results.AnyDate.From(resultsNow).IsZero() {
			t.Error("any date has a beginning")
		}
	})
	t.Run("counts are short in a small place and never too large", func(t *testing.T) {
		for n, want := range map[int]string{0: "0", 214: "214", 9_999: "9999", 10_000: "10k", 99_999: "99k", 100_000: "100k"} {
			if got := results.CountText(n); got != want {
				t.Errorf("%d is %q", n, got)
			}
		}
		for n, want := range map[int]string{0: "0", 999: "999", 1_000: "1,000", 100_000: "100,000", 1_234_567: "1,234,567"} {
			if got := i18n.Count(n); got != want {
				t.Errorf("%d is %q", n, got)
			}
		}
	})
	t.Run("every choice has its words", func(t *testing.T) {
		media, words := results.Media()
		if len(media) != len(words) || len(results.OrderWords()) != 4 || len(results.DatesWords()) != 5 || len(results.SourceWords()) != 5 {
			t.Error("a choice has no words")
		}
		for _, s := range results.StatusFilters() {
			w := verdict.Say(s.Status)
			if s.Status == client.Suspicious {
				w.Short = "Suspicious, or contradicts itself" // one chip for what has one mark
			}
			if s.Words != w.Short || s.Mark != w.Mark {
				t.Errorf("%s is called %q", s.Status, s.Words)
			}
		}
	})
}

func TestResultsText(t *testing.T) {
	rows := []results.Row{
		results.RowOf(submission.Submission{Name: "a\nb.jpg", RequestID: "r-1", Answered: resultsNow,
			Result: presenttest.Result(t, `{"overallStatus":"FAKE","thumbnail":"https://s.example/t?X-Signature=secret","resultsSummary":{"metadata":{"finalScore":88.4}}}`)}),
		results.RowOf(submission.Submission{Name: "c.wav", Answered: resultsNow, Result: presenttest.Result(t, `{"overallStatus":"NOT_APPLICABLE"}`)}),
	}
	want := "a b.jpg – Likely manipulated or AI-generated (ensemble 88 of 100) – " + present.ScoreMeaning + " – request r-1 – 12 Nov 2026, 14:02\n" +
		"c.wav – Not assessable – 12 Nov 2026, 14:02\n"
	assert.Equal(t, want, results.CopiedText(rows, resultsNow, false))
	if diff := cmp.Diff(want+present.SandboxNote+"\n", results.CopiedText(rows, resultsNow, true)); diff != "" {
		t.Errorf("of the sandbox: -want +got:\n%s", diff)
	}
}

func TestPullLine(t *testing.T) {
	for _, c := range []struct {
		pull results.Pull
		want string
	}{
		{results.Pull{}, "Not fetched yet"},
		{results.Pull{Running: true, Found: 1300, New: 12, Problem: "of before"}, "Fetching: 1,300 found, 12 new"},
		{results.Pull{Problem: "The service can't be reached.", Fetched: resultsNow}, "The service can't be reached."},
		{results.Pull{Fetched: resultsNow}, "Last fetched 12 Nov, 14:02"},
	} {
		if got := c.pull.Line(resultsNow); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
