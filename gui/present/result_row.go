package present

import (
	"slices"
	"time"

	"assay/client/submission"
	"assay/client/verdict"
)

// ResultRow is an answered submission in the list of results.
type ResultRow struct {
	ID     string
	Name   string
	Medium Medium
	Mark   verdict.Mark
	Words  string
	Score  string // "" where none was reported
	Detail string // when it was answered and where it came from
}

// Results lists what was answered, the newest first. now is for the words of the times.
func Results(all []submission.Submission, now time.Time) []ResultRow {
	var answered []submission.Submission
	for _, s := range all {
		if s.State == submission.Done && s.Earlier == "" {
			answered = append(answered, s)
		}
	}
	slices.SortStableFunc(answered, func(a, b submission.Submission) int { return b.Answered.Compare(a.Answered) })
	rows := make([]ResultRow, len(answered))
	for i, s := range answered {
		v := verdict.Of(s.Result)
		rows[i] = ResultRow{ID: s.ID, Name: s.Name, Medium: mediumOfSubmission(s), Mark: v.Mark, Words: v.Short,
			Detail: ago(now.Sub(s.Answered)) + " · " + sourceText(s.Source)}
		if v.Score != nil {
			rows[i].Score = v.Score.Text()
		}
	}
	return rows
}

func ago(d time.Duration) string {
	if d < time.Minute {
		return "now"
	}
	return durationText(d) + " ago"
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
	}
	return string(s)
}
