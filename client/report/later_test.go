package report_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/custody"
	"assay/client/report"
	"assay/client/submission"
)

// TestTheReportOfAnEarlierAnswer says in every form that a later one differs.
func TestTheReportOfAnEarlierAnswer(t *testing.T) {
	f := setup(t)
	content := strings.Repeat("cd", 32)
	later := func(id, raw string, minutes int, change func(*submission.Submission)) {
		f.add(id, "", func(s *submission.Submission) {
			s.SHA256, s.Accepted = content, noon.Add(time.Duration(minutes)*time.Minute)
			if change != nil {
				change(s)
			}
		})
		sub, _, err := f.Get(t.Context(), id)
		assert.NoError(t, err)
		sub.Result = new(client.Result)
		assert.NoError(t, json.Unmarshal([]byte(raw), sub.Result))
		sub.State, sub.Step, sub.Uploaded, sub.Answered = submission.Done, submission.Answered, sub.Accepted, sub.Accepted.Add(time.Minute)
		assert.NoError(t, f.Answer(t.Context(), sub, custody.Answered))
	}
	later("earlier", `{"overallStatus": "SUSPICIOUS", "releaseVersion": "2.14.0"}`, 0, nil)
	later("same", `{"overallStatus": "SUSPICIOUS", "releaseVersion": "2.15.0"}`, 10, nil)
	later("newest", `{"overallStatus": "FAKE", "releaseVersion": "=2.15.1"}`, 20, nil)
	later("other", `{"overallStatus": "AUTHENTIC"}`, 30, func(s *submission.Submission) { s.SHA256 = strings.Repeat("ef", 32) })
	const note = "A later answer on the same file differs: Likely manipulated or AI-generated. Release: =2.15.1. Answered: 21 Nov 2026, "

	t.Run("HTML", func(t *testing.T) {
		page := f.page(report.Options{}, "earlier")
		assert.True(t, strings.Contains(page.text.String(), note) && strings.Contains(page.text.String(), "Later answers on the same content"), "%s", page.text.String())
		for _, id := range []string{"newest", "other"} {
			text := f.page(report.Options{}, id).text.String()
			assert.True(t, !strings.Contains(text, "ater answer"), "%s speaks of later answers:\n%s", id, text)
		}
	})
	t.Run("PDF", func(t *testing.T) {
		text := words(tool(t, "pdftotext", "-raw", f.pdf(report.Options{}, "earlier"), "-"))
		assert.True(t, strings.Contains(text, words("A later answer on the same file differs: Likely manipulated or AI-generated")), "%s", text)
	})
	t.Run("JSON", func(t *testing.T) {
		var line struct{ Later []map[string]any }
		assert.NoError(t, json.Unmarshal(f.export("r.ndjson", "earlier"), &line))
		assert.True(t, len(line.Later) == 2 && line.Later[0]["id"] == "same" && line.Later[0]["differs"] == false && line.Later[1]["id"] == "newest" &&
			line.Later[1]["differs"] == true && line.Later[1]["status"] == "FAKE" && line.Later[1]["at"] == "2026-11-21T11:21:00.123456789Z", "%v", line.Later)
	})
	t.Run("CSV and XLSX", func(t *testing.T) {
		for _, rows := range [][]map[string]string{csvRows(t, f.export("r.csv", "earlier", "newest")), sheetRows(t, f.export("r.xlsx", "earlier", "newest"), "Results")} {
			row := rows[0]
			assert.True(t, strings.Contains("true 1", row["later_differs"]) && row["later_status"] == "FAKE" && row["later_release_version"] == "=2.15.1" && row["later_answered_utc"] != "", "%v", row)
			row = rows[1]
			assert.True(t, strings.Contains("false 0", row["later_differs"]) && row["later_status"] == "" && row["later_release_version"] == "" && row["later_answered_utc"] == "", "%v", row)
		}
	})
	t.Run("of a link, whose content may have changed", func(t *testing.T) {
		link := func(s *submission.Submission) { s.Link, s.Path, s.SHA256 = "https://posts.example/1", "", "" }
		later("link", `{"overallStatus": "AUTHENTIC"}`, 40, link)
		later("link again", `{"overallStatus": "FAKE"}`, 50, link)
		text := f.page(report.Options{}, "link").text.String()
		assert.True(t, strings.Contains(text, "A later answer on the same link differs") && strings.Contains(text, "Release: not named.") &&
			strings.Contains(text, "It is not known whether the link still led to the same content."), "%s", text)
	})
}
