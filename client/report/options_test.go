package report_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/report"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/verdict"
)

// written is the text of a report in a format; of a PDF it is what pdftotext reads.
func (f *fixture) written(t *testing.T, ending string, o report.Options, ids ...string) string {
	t.Helper()
	path := filepath.Join(f.folder, "report"+ending)
	o.Replace = true
	assert.NoError(t, report.Write(t.Context(), path, o, f.results(ids...)))
	if ending == ".pdf" {
		return strings.Join(strings.Fields(tool(t, "pdftotext", "-raw", path, "-")), " ")
	}
	if ending == ".xlsx" {
		content, err := os.ReadFile(path)
		assert.NoError(t, err)
		var all []string
		for _, row := range sheetRows(t, content, "Results") {
			for _, cell := range row {
				all = append(all, cell)
			}
		}
		return strings.Join(all, "\n")
	}
	content, err := os.ReadFile(path)
	assert.NoError(t, err)
	return string(content)
}

var everyEnding = []string{".json", ".ndjson", ".csv", ".xlsx", ".html", ".pdf"}

func TestNamesAreLeftOut(t *testing.T) {
	f := setup(t)
	const raw = `{"requestId": "request-ID", "overallStatus": "FAKE", "originalFileName": "whistleblower.jpg", "filename": "whistleblower.jpg"}`
	add := func(id string, gate submission.Gate, change func(*submission.Submission)) {
		f.add(id, strings.ReplaceAll(raw, "ID", id), func(s *submission.Submission) {
			s.Name, s.SendName, s.Gate, s.SHA256 = "whistleblower.jpg", "whistleblower.jpg", gate, strings.Repeat("ab", 32)
			if change != nil {
				change(s)
			}
		})
	}
	add("open", submission.GateSend, nil)
	add("asked", submission.GateAsk, nil)
	add("never", submission.GateNever, nil)
	add("neutral", submission.GateAsk, func(s *submission.Submission) { s.Neutral, s.SendName = true, "picture-1234.jpg" })
	add("link", submission.GateAsk, func(s *submission.Submission) {
		s.Path, s.SHA256, s.Link, s.Name = "", "", "https://posts.example/whistleblower?token=1", "posts.example/whistleblower"
	})
	for _, c := range []struct {
		id    string
		names report.Names
		real  bool
		says  string
	}{
		{"open", "", true, "whistleblower.jpg"},
		{"open", report.NamesNeutral, false, "picture-abababab.jpg"},
		{"asked", "", false, "picture-abababab.jpg"},
		{"asked", report.NamesReal, true, "whistleblower.jpg"},
		{"never", "", false, "picture-abababab.jpg"},
		{"link", "", false, "https://posts.example/…"},
		{"link", report.NamesReal, true, "https://posts.example/whistleblower"},
	} {
		for _, ending := range everyEnding {
			said := f.written(t, ending, report.Options{Names: c.names}, c.id)
			if strings.Contains(said, "whistleblower") != c.real || !strings.Contains(said, c.says) {
				t.Errorf("%s, names %q, in %s: %s", c.id, c.names, ending, said)
			}
		}
	}
	if said := f.written(t, ".html", report.Options{Names: report.NamesNeutral}, "neutral"); !strings.Contains(said, "picture-1234.jpg") || strings.Contains(said, "picture-abababab.jpg") {
		t.Error("it is not called as it was sent")
	}
}

func TestNotesAndTagsAreLeftOut(t *testing.T) {
	f := setup(t)
	f.withEverything("one")
	c, err := f.AddCase(t.Context(), store.Case{Title: "The flood"})
	assert.NoError(t, err)
	assert.NoError(t, f.AddCaseNote(t.Context(), c.ID, store.CaseNote{Text: "from the second source, too"}))
	_, _, err = f.ChangeTags(t.Context(), map[string]store.TagChange{"one": {Add: []string{"second source: Ada"}}})
	assert.NoError(t, err)
	assert.NoError(t, f.ChangeCase(t.Context(), c.ID, store.CaseEvent{Kind: store.CaseTagged, Text: "second source: Rui"}))
	c, err = f.CaseByID(t.Context(), c.ID)
	assert.NoError(t, err)
	of, err := report.ReadCase(t.Context(), f.Store, c)
	assert.NoError(t, err)
	for _, ending := range everyEnding {
		for _, without := range [][]report.Part{nil, {report.PartNotes}} {
			if said := f.written(t, ending, report.Options{Case: of, Without: without}, "one"); strings.Contains(said, "second source") != (without == nil) {
				t.Errorf("without %q, %s says %s", without, ending, said)
			}
		}
	}
}

func TestAReportInAnotherLanguage(t *testing.T) {
	f := setup(t)
	f.add("one", kinds["fake"], nil)
	for _, ending := range []string{".json", ".ndjson", ".csv", ".xlsx", ".html", ".pdf"} {
		said := f.written(t, ending, report.Options{Language: "de"}, "one")
		if !strings.Contains(said, "Wahrscheinlich manipuliert oder KI-generiert") || strings.Contains(said, "Likely manipulated") {
			t.Errorf("%s: %s", ending, said)
		}
	}
	var document struct {
		Language string
		Results  []struct{ Verdict string }
	}
	assert.NoError(t, json.Unmarshal([]byte(f.written(t, ".json", report.Options{Language: "pt"}, "one")), &document))
	assert.Equal(t, "pt", document.Language)
	if page := f.written(t, ".html", report.Options{Language: "fr"}, "one"); !strings.Contains(page, `<html lang="fr">`) {
		t.Errorf("%.100s", page)
	}
	assert.Equal(t, "en", i18n.Language())
	assert.Equal(t, "Likely manipulated or AI-generated", verdict.Say("FAKE").Headline)
}

// TestEveryFormSaysTheSameInEveryLanguage holds all forms to the words of client/verdict in the language of the report, whatever the window's is.
func TestEveryFormSaysTheSameInEveryLanguage(t *testing.T) {
	if testing.Short() {
		t.Skip("the languages differ in their words alone")
	}
	f := setup(t)
	ids := []string{"contradiction", "provisional", "not applicable"}
	for _, id := range ids {
		f.add(id, kinds[id], nil)
	}
	for _, language := range i18n.All() {
		for _, id := range ids {
			var want, reasons, data []string
			assert.NoError(t, i18n.In(language.Code, func() error {
				sub, _, err := f.Get(t.Context(), id)
				v := verdict.Of(sub.Result)
				want = []string{v.Headline, v.Agreement}
				for _, reason := range v.Reasons {
					reasons, data = append(reasons, reason.Text()), append(data, reason.Code, reason.Message, reason.NextStep)
				}
				return err
			}))
			for _, ending := range everyEnding {
				said := f.written(t, ending, report.Options{Language: language.Code}, id)
				if ending == ".html" {
					said = strings.Join(strings.Fields(f.page(report.Options{Language: language.Code}, id).text.String()), " ")
				}
				every := slices.Concat(want, reasons)
				if ending == ".json" || ending == ".ndjson" { // the service's words are fields of their own there
					every = slices.Concat(want, data)
				}
				for _, text := range every {
					if quoted, _ := json.Marshal(text); !strings.Contains(said, text) && !strings.Contains(said, strings.Trim(string(quoted), `"`)) && !strings.Contains(words(said), words(text)) {
						t.Errorf("%s of %s in %s does not say %q: %s", ending, id, language.Text, text, said)
					}
				}
			}
		}
	}
}
