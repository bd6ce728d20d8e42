package report

import (
	"path/filepath"
	"strings"
	"time"

	"assay/client/verdict"
)

// column is a column of a table of results. Its header is fixed English, because scripts depend on it.
type column struct {
	header string
	width  float64 // in characters
	// value is a string, an int64, a bool, a *Number or a time.Time; the zero time and a nil *Number are empty cells.
	value func(*Result) any
}

// columns are those of a table with a row for each result, in CSV and XLSX alike.
var columns = []column{
	{"request_id", 28, func(r *Result) any { return r.RequestID }},
	{"name", 32, func(r *Result) any { return r.Name }},
	{"link", 24, func(r *Result) any { return r.Link }},
	{"type", 8, func(r *Result) any { return string(r.Type) }},
	{"status", 20, func(r *Result) any { return string(r.Status) }},
	{"provisional", 11, func(r *Result) any { return r.Provisional }},
	{"verdict", 44, func(r *Result) any { return r.Verdict }},
	{"score", 8, func(r *Result) any { return r.Score }},
	{"agreement", 44, func(r *Result) any { return r.Agreement }},
	{"contradiction", 24, func(r *Result) any { return r.Contradiction }},
	{"reasons", 32, func(r *Result) any { return r.reasons() }},
	{"models", 48, func(r *Result) any { return r.models() }},
	{"release_version", 16, func(r *Result) any { return r.Release }},
	{"accepted_utc", 20, func(r *Result) any { return r.Accepted }},
	{"uploaded_utc", 20, func(r *Result) any { return r.Uploaded }},
	{"answered_utc", 20, func(r *Result) any { return r.Answered }},
	{"later_differs", 11, func(r *Result) any { return r.differing() != nil }},
	{"later_status", 20, func(r *Result) any { return string(r.later().Status) }},
	{"later_release_version", 16, func(r *Result) any { return r.later().Release }},
	{"later_answered_utc", 20, func(r *Result) any { return r.later().At }},
	{"feedback", 16, func(r *Result) any { return r.feedback() }},
	{"note", 32, func(r *Result) any { return r.Note }},
	{"tags", 24, func(r *Result) any { return strings.Join(r.Tags, ", ") }},
	{"bytes", 12, func(r *Result) any { return r.size() }},
	{"sha256", 66, func(r *Result) any { return r.SHA256 }},
	{"sent_as", 24, func(r *Result) any { return r.SentAs }},
	{"sent_sha256", 66, func(r *Result) any { return r.SentSHA256 }},
	{"answer_sha256", 66, func(r *Result) any { return r.answerSHA256() }},
	{"source", 10, func(r *Result) any { return string(r.Source) }},
	{"service", 28, func(r *Result) any { return r.Service }},
	{"remark", 44, func(r *Result) any { return r.Remark }},
	{"id", 38, func(r *Result) any { return r.ID }},
}

// IsTable reports whether a file of this name has a row for each result, and none of its answer as JSON.
func IsTable(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv", ".xlsx":
		return true
	}
	return false
}

// reasons are why a result could not be assessed, in one cell.
func (r *Result) reasons() string {
	var all []string
	for _, reason := range r.Reasons {
		all = append(all, verdict.Reason(reason).Text())
	}
	return strings.Join(all, " | ")
}

// models are the models' results, in one cell: name, status, score.
func (r *Result) models() string {
	var all []string
	for _, m := range r.Models {
		text := m.Name + " " + m.Status
		if m.Score != nil {
			text += " " + m.Score.Value.String()
		}
		all = append(all, text)
	}
	return strings.Join(all, " | ")
}

// feedback is the label of the desk's last feedback that was not refused.
func (r *Result) feedback() string {
	if len(r.Feedback) == 0 {
		return ""
	}
	return string(r.Feedback[len(r.Feedback)-1].Label)
}

// size is the file's size in bytes; nil for a link, whose size is unknown.
func (r *Result) size() any {
	if r.SHA256 == "" {
		return nil
	}
	return r.Bytes
}

func (r *Result) answerSHA256() string {
	if len(r.Answers) == 0 {
		return ""
	}
	return r.Answers[len(r.Answers)-1].SHA256
}

// timeText formats a time according to ISO 8601, in UTC and whole seconds; "" for none.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
