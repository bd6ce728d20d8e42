package report_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"image"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"assay/client"
	"assay/client/assert"
	"assay/client/media/mediatest"
	"assay/client/report"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/vault"
)

// withFile adds a result of a file that is there.
func (f *fixture) withFile(id string, content []byte, change func(*submission.Submission)) (path string) {
	f.t.Helper()
	path = filepath.Join(f.t.TempDir(), id+".jpg")
	assert.NoError(f.t, os.WriteFile(path, content, 0o600))
	sum := sha256.Sum256(content)
	f.add(id, `{"requestId": "request-`+id+`", "overallStatus": "FAKE"}`, func(s *submission.Submission) {
		s.Path, s.SHA256, s.Size = path, hex.EncodeToString(sum[:]), int64(len(content))
		if change != nil {
			change(s)
		}
	})
	return path
}

func TestWhatTheFileSaysOfItself(t *testing.T) {
	f := setup(t)
	named := mediatest.Insert(mediatest.JPEG(t, mediatest.Drawing(), 90), 2, mediatest.Segment(0xe1, "Exif\x00\x00"+mediatest.EXIF(nil, mediatest.ASCII(0x13b, "Ines of Odra"))))
	path := f.withFile("named", named, nil)
	f.withFile("asked", named, func(s *submission.Submission) { s.Gate = submission.GateAsk })
	const none = "No content credentials in this file. Most files have none: that says nothing about it."
	for name, c := range map[string]struct {
		id      string
		o       report.Options
		has     bool // the table
		leftOut bool // what identifies
	}{
		"all of it":                              {"named", report.Options{}, true, false},
		"not what identifies, of sensitive ones": {"asked", report.Options{}, true, true},
		"unless their real names are wanted":     {"asked", report.Options{Names: report.NamesReal}, true, false},
		"nor where neutral names are":            {"named", report.Options{Names: report.NamesNeutral}, true, true},
		"nothing where it is left out":           {"named", report.Options{Without: []report.Part{report.PartFile}}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			for _, ending := range []string{".html", ".pdf", ".json"} {
				said := f.written(t, ending, c.o, c.id)
				if strings.Contains(said, none) != c.has || strings.Contains(said, "Ines of Odra") != (c.has && !c.leftOut) {
					t.Errorf("%s says %s", ending, said)
				}
				if ending == ".html" && strings.Contains(said, "may identify a person") != (c.has && c.leftOut) {
					t.Errorf("what is left out is not named: %s", said)
				}
			}
		})
	}
	t.Run("in .json keeps to the schema", func(t *testing.T) {
		schema, err := jsonschema.NewCompiler().Compile("result.schema.json")
		assert.NoError(t, err)
		var document struct{ Results []json.RawMessage }
		assert.NoError(t, json.Unmarshal([]byte(f.written(t, ".json", report.Options{}, "named")), &document))
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(document.Results[0]))
		assert.NoError(t, err)
		assert.NoError(t, schema.Validate(value))
	})
	t.Run("and nothing of a file that has changed since", func(t *testing.T) {
		assert.NoError(t, os.WriteFile(path, bytes.Replace(named, []byte("Ines"), []byte("Rosa"), 1), 0o600))
		said := f.written(t, ".html", report.Options{}, "named")
		if !strings.Contains(said, "has changed since") || strings.Contains(said, "Rosa") {
			t.Error(said)
		}
	})
}

func TestTimelines(t *testing.T) {
	f := setup(t)
	f.add("sound", `{"requestId": "request-sound", "mediaType": "AUDIO", "overallStatus": "FAKE"}`, func(s *submission.Submission) {
		s.Type, s.Name = client.Audio, "sound.wav"
	})
	const data = `{"chunks": [{"start": 0, "end": 2, "decision": "ARTIFICIAL", "score": 0.91}, {"start": 6, "end": 8, "decision": "AUTHENTIC"}]}`
	_, err := f.Keep(t.Context(), "request-sound", vault.Aggregation, "", func(w io.Writer) error { _, err := io.WriteString(w, data); return err })
	assert.NoError(t, err)
	page := f.written(t, ".html", report.Options{}, "sound")
	for _, want := range []string{
		"Audio, as reported per part", `<i class="fake" style="left: 0%; width: 25%">`, `<i class="authentic" style="left: 75%; width: 25%">`, "00:00.0–00:02.0", "score 0.91", "chunks[1]",
		"no score reported", "Hatched: nothing was reported there.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("without %q: %s", want, page)
		}
	}
	if said := f.written(t, ".pdf", report.Options{}, "sound"); !strings.Contains(said, "00:06.0–00:08.0 No sign found no score reported chunks[1]") {
		t.Error(said)
	}
	var document struct{ Results []report.Result }
	assert.NoError(t, json.Unmarshal([]byte(f.written(t, ".json", report.Options{}, "sound")), &document))
	if lines := document.Results[0].Timelines; len(lines) != 1 || len(lines[0].Parts) != 2 || lines[0].Parts[0].Scores[0].Sent != "0.91" || len(lines[0].Parts[1].Scores) != 0 {
		t.Errorf("%+v", lines)
	}
	if page := f.written(t, ".html", report.Options{Without: []report.Part{report.PartTimelines}}, "sound"); strings.Contains(page, "as reported per part") {
		t.Error("it was to be left out")
	}
}

func TestGraphicPicturesAreCovered(t *testing.T) {
	f := setup(t)
	f.withPicture("hard", image.Pt(80, 60), submission.GateSend)
	plain := f.page(report.Options{}, "hard")
	assert.NoError(t, f.SetGraphic(t.Context(), []string{"hard"}, true))
	covered := f.page(report.Options{}, "hard")
	if plain.tags["details"] != 0 || covered.tags["details"] != 2 || covered.tags["summary"] != 2 || len(covered.pictures) != len(plain.pictures) {
		t.Errorf("%d covers before, then %d, of %d pictures", plain.tags["details"], covered.tags["details"], len(covered.pictures))
	}
	if !covered.says("Marked as graphic: the picture may disturb.") {
		t.Error(covered.text.String())
	}
	for at := strings.Index(covered.raw, "<img"); at >= 0; {
		if before := covered.raw[:at]; strings.Count(before, "<details") != strings.Count(before, "</details")+1 {
			t.Error("a picture stands outside of its cover")
		}
		next := strings.Index(covered.raw[at+1:], "<img")
		if next < 0 {
			break
		}
		at += 1 + next
	}
	path := f.pdf(report.Options{}, "hard")
	pages := strings.Split(strings.TrimSuffix(tool(t, "pdftotext", "-raw", path, "-"), "\f"), "\f")
	first, last := pages[0], pages[len(pages)-1]
	if !strings.Contains(words(first), words("It is at the end of this result.")) || !strings.Contains(last, "As received") || strings.Contains(first, "As received") {
		t.Errorf("%q", pages)
	}
	for _, line := range strings.Split(tool(t, "pdfimages", "-list", path), "\n")[2:] {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] != strings.TrimSpace(pageNumber(len(pages))) {
			t.Errorf("a picture is on page %s of %d", fields[0], len(pages))
		}
	}
}

func pageNumber(n int) string { return string(rune('0' + n)) }

func TestTimesOfTheReport(t *testing.T) {
	f := setup(t)
	f.add("one", kinds["fake"], nil)
	if said := f.written(t, ".pdf", report.Options{}, "one"); strings.Count(said, "not recorded") != 2 || !strings.Contains(said, "none: nothing was sent yet") {
		t.Error(said)
	}
	f.dated("two", noon.Add(-7*time.Second))
	for _, ending := range []string{".pdf", ".html"} {
		if said := f.written(t, ending, report.Options{Version: "1.2.3"}, "two"); strings.Count(said, "2026-11-21 10:59:53") != 1 || !strings.Contains(said, "Assay 1.2.3 on ") {
			t.Errorf("%s: %s", ending, said)
		}
	}
	if said := f.written(t, ".json", report.Options{}, "two"); !strings.Contains(said, `"serviceDate":"2026-11-21T10:59:53Z"`) {
		t.Error(said)
	}
}

// dated adds a result whose answer has the service's date.
func (f *fixture) dated(id string, date time.Time) {
	f.t.Helper()
	f.add(id, "", nil)
	sub, _, err := f.Get(f.t.Context(), id)
	assert.NoError(f.t, err)
	sub.Result = new(client.Result)
	assert.NoError(f.t, json.Unmarshal([]byte(kinds["fake"]), sub.Result))
	sub.Result.Date, sub.State, sub.Step, sub.Answered = date.Truncate(time.Second), submission.Done, submission.Answered, noon
	assert.NoError(f.t, f.Answer(f.t.Context(), sub, "answered"))
}

func TestAProvisionalReportSaysSo(t *testing.T) {
	f := setup(t)
	f.add("provisional", kinds["provisional"], nil)
	f.add("final", kinds["fake"], nil)
	const want = "This result is provisional: models are still running. It is not final, and neither is this report."
	for _, ending := range []string{".html", ".pdf"} {
		for id, provisional := range map[string]bool{"provisional": true, "final": false} {
			if said := f.written(t, ending, report.Options{}, id); strings.Contains(said, want) != provisional {
				t.Errorf("%s of the %s one: %s", ending, id, said)
			}
		}
	}
}

func TestTheCaseOfOneResult(t *testing.T) {
	f := setup(t)
	f.add("a", kinds["fake"], nil)
	f.add("b", kinds["authentic"], nil)
	f.add("waits", "", nil)
	c, err := f.AddCase(t.Context(), store.Case{Title: "The flood"})
	assert.NoError(t, err)
	read := func() *report.Case {
		c, err := f.CaseByID(t.Context(), c.ID)
		assert.NoError(t, err)
		of, err := report.ReadCase(t.Context(), f.Store, c)
		assert.NoError(t, err)
		return of
	}
	_, err = f.AddToCase(t.Context(), c.ID, []string{"a", "waits"}, "")
	assert.NoError(t, err)
	for _, e := range []store.CaseEvent{
		{Kind: store.CaseTagged, Text: "water"}, {Kind: store.CaseChecked, Check: store.CheckPlace, Text: "The mill"}, {ID: "q", Kind: store.CaseAsked, Text: "When?", By: "Ines"},
		{Kind: store.CaseAnswered, About: "q", Text: "At noon", By: "Rui", Evidence: []store.Evidence{{Kind: store.EvidenceLink, Value: "https://example.org/<b>"}}},
		{Kind: store.CaseAsked, Text: "By whom?", By: "Rui"}, {Kind: store.CaseClosed, Text: "We run it.", By: "Ines"},
	} {
		assert.NoError(t, f.ChangeCase(t.Context(), c.ID, e))
	}
	inOrder := func(t *testing.T, said string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			at := strings.Index(said, part)
			if at < 0 {
				t.Fatalf("%q is missing, or at another place: %s", part, said)
			}
			said = said[at:]
		}
	}
	for _, ending := range []string{".html", ".pdf"} {
		plainText := func(o report.Options, ids ...string) string {
			if ending == ".html" {
				return strings.Join(strings.Fields(f.page(o, ids...).text.String()), " ")
			}
			return f.written(t, ending, o, ids...)
		}
		t.Run("one result comes first, with the checks: "+ending, func(t *testing.T) {
			said := plainText(report.Options{Case: read()}, "a")
			inOrder(t, said, "Likely manipulated", "Sign-off by a second person", "1 of 9 noted", "The mill", "Every model", "Case: The flood The case", "concluded", "water",
				"We run it.", "When?", "At noon", "https://example.org/<b>", "By whom?", "not answered yet")
			if strings.Count(said, "of 9 noted") != 1 {
				t.Error(said)
			}
		})
		t.Run("several come after the case, which lists them: "+ending, func(t *testing.T) {
			_, err := f.AddToCase(t.Context(), c.ID, []string{"b"}, "")
			assert.NoError(t, err)
			inOrder(t, plainText(report.Options{Case: read()}, "a", "b"), "Case: The flood The case", "We run it.", "What is in the case", "a.jpg", "Likely manipulated", "waits.jpg", "not answered yet", "b.jpg", "No sign of manipulation",
				"1 of 9 noted", "By whom?", "The service's status: FAKE", "The service's status: AUTHENTIC")
			n, err := f.RemoveFromCase(t.Context(), c.ID, []string{"b"}, "")
			assert.NoError(t, err)
			assert.Equal(t, 1, n)
		})
	}
}
