package report_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/report"
	"assay/client/store"
)

func TestTheReportOfACase(t *testing.T) {
	f := setup(t)
	f.add("a", `{"requestId": "request-a", "overallStatus": "FAKE"}`, nil)
	f.add("b", `{"requestId": "request-b", "overallStatus": "AUTHENTIC"}`, nil)
	const title = "The flood\x1b[2J\n<img src=x onerror=alert(1)> 🌊"
	c, err := f.AddCase(t.Context(), store.Case{Title: title})
	assert.NoError(t, err)
	for _, n := range []store.CaseNote{
		{Text: "Came by\nmessenger.", By: "Ines"},
		{Kind: store.CheckPlace, Text: "<b>The mill</b> of Odra", By: "Rui\u202e"},
		{Kind: store.CheckPlace, Text: "The bridge behind it", By: "Ines"},
		{Kind: "of a later version", Text: "nothing"},
	} {
		assert.NoError(t, f.AddCaseNote(t.Context(), c.ID, n))
	}
	of, err := report.ReadCase(t.Context(), f.Store, c)
	assert.NoError(t, err)
	t.Run("as a page: title, notes and checks once, before the results", func(t *testing.T) {
		p := f.page(report.Options{Case: of}, "a", "b")
		read := strings.Join(strings.Fields(p.text.String()), " ")
		for _, want := range []string{
			"Case: The flood\ufffd[2J <img src=x onerror=alert(1)> 🌊 The case State open", "Notes Note Who, when Came by messenger. Ines, ",
			"Place <b>The mill</b> of Odra Rui\ufffd, ", "Place The bridge behind it Ines, ", "Source contacted empty", "Time empty",
		} {
			if strings.Count(read, want) != 1 {
				t.Errorf("it says %q %d times: %s", want, strings.Count(read, want), read)
			}
		}
		if strings.Contains(read, "Place empty") || strings.Count(read, "Other checks") != 1 || strings.Index(read, "Other checks") > strings.Index(read, string(client.Fake)) {
			t.Error(read)
		}
		if p.tags["img"] > 0 || p.tags["b"] > 0 {
			t.Error("what was noted became a part of the page")
		}
	})
	t.Run("as a PDF likewise", func(t *testing.T) {
		said := words(tool(t, "pdftotext", "-raw", f.pdf(report.Options{Case: of}, "a", "b"), "-"))
		for _, want := range []string{"Case: The flood\ufffd[2J <img src=x onerror=alert(1)> [U+1F30A] The case", "Came by messenger.", "<b>The mill</b> of Odra", "The bridge behind it", "Source contacted empty"} {
			if strings.Count(said, words(want)) != 1 {
				t.Errorf("it says %q %d times: %s", want, strings.Count(said, words(want)), said)
			}
		}
		if strings.Index(said, "Otherchecks") > strings.Index(said, string(client.Fake)) {
			t.Error(said)
		}
	})
	t.Run("without one, each result has the slots, and they are empty", func(t *testing.T) {
		read := strings.Join(strings.Fields(f.page(report.Options{}, "a", "b").text.String()), " ")
		if strings.Count(read, "Place empty") != 2 || strings.Contains(read, "Case:") {
			t.Error(read)
		}
	})
	t.Run("as JSON", func(t *testing.T) {
		path := filepath.Join(f.folder, "case.json")
		assert.NoError(t, report.Write(t.Context(), path, report.Options{Case: of}, f.results("a", "b")))
		content, err := os.ReadFile(path)
		assert.NoError(t, err)
		var document struct {
			Schema  string
			Case    report.Case
			Results []report.Result
		}
		assert.NoError(t, json.Unmarshal(content, &document))
		got := document.Case
		if document.Schema != report.SchemaReport || len(document.Results) != 2 || got.ID != c.ID || got.Title != of.Title || len(got.Notes) != 1 || len(got.Checks) != 3 ||
			got.Checks[0] != of.Checks[0] || got.Notes[0] != of.Notes[0] {
			t.Errorf("%+v", document)
		}
	})
}
