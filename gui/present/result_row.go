package present

import (
	"time"

	"assay/client/submission"
	"assay/client/verdict"
)

// ResultRow is an answered submission in the list of results.
type ResultRow struct {
	ID        string
	Name      string
	Medium    Medium
	Mark      verdict.Mark
	Words     string
	Score     string // "" where none was reported
	Line      string // the verdict in one line, as the subcommands print it
	RequestID string
	Source    submission.Source
	Link      bool
	At        time.Time // when it was answered; of another device's, when it was handed to the service
}

// ResultRowOf puts an answered submission into a row. One whose answer can't be read any more says so.
func ResultRowOf(s submission.Submission) ResultRow {
	r := ResultRow{ID: s.ID, Name: s.Name, Medium: mediumOfSubmission(s), RequestID: s.RequestID, Source: s.Source, Link: s.Link != "", At: s.Answered}
	if s.Source == submission.Service {
		r.At = s.Accepted
	}
	if s.Result == nil {
		r.Words = "Its answer can't be read"
		r.Line = "The answer that was kept can't be read."
		return r
	}
	v := verdict.Of(s.Result)
	r.Mark, r.Words, r.Line = v.Mark, v.Short, v.Line()
	if v.Score != nil {
		r.Score = v.Score.Text()
	}
	return r
}

// Elsewhere reports whether another device or program submitted it.
func (r ResultRow) Elsewhere() bool { return r.Source == submission.Service }

// Detail says when it was answered and where it came from.
func (r ResultRow) Detail(now time.Time) string {
	switch {
	case r.Elsewhere():
		return resultTime(r.At, now) + " · another device"
	case r.Link:
		return resultTime(r.At, now) + " · link"
	}
	return resultTime(r.At, now) + " · " + sourceText(r.Source)
}

func sourceText(s submission.Source) string {
	switch s {
	case submission.Dropped:
		return "dropped"
	case submission.Chosen:
		return "chosen"
	case submission.Pasted:
		return "pasted"
	case submission.Started:
		return "opened"
	case submission.Scanned:
		return "from the command line"
	case submission.Service:
		return "another device"
	}
	return string(s)
}
