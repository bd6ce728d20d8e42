package viewer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"assay/client"
	"assay/client/assert"
	"assay/client/command"
	"assay/client/plain"
	"assay/client/session"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/present"
	"assay/gui/results"
	"assay/gui/thumbs"
)

// sentAnswer is an answer as the service sends it, read by nothing of Assay's, and what is to be said of it.
type sentAnswer struct {
	clause  string // and what of it the answer shows
	said    said
	raw     []byte
	id      string
	name    string // as sent
	numbers []json.Number
	strings []string    // as sent and as shown, the longest first
	sound   *sentAnswer // of a clip whose sound has a result of its own
}

// said is what every surface says of an answer, in full words: it is written by hand, beside the answer.
type said struct {
	Name     string // where it is not the one that was sent
	Headline string
	Short    string
	Score    string // "" where none may be shown
	Field    string // of the score
	Progress string // of an unfinished answer
	Models   string // how they agree
	// Contradiction is what its fields say against each other.
	Contradiction string
	Reasons       []reasonSaid
	Rows          []modelRow // of the chart, in its order
	Apart         []string   // models that do not apply
	Lines         []string   // of models, when their rows are chosen
	Also          string     // what stands with it: release, languages
}

type reasonSaid struct{ Code, Message, Said, Next string }

type modelRow struct {
	Name, Says string
	Further    string // instead of Name: another number of the model above
}

// theAnswers are those in testdata/words, a file each.
func theAnswers(t *testing.T) []*sentAnswer {
	t.Helper()
	files, err := filepath.Glob("testdata/words/*.json")
	if err != nil || len(files) != 21 {
		t.Fatalf("there are %d answers, %v", len(files), err)
	}
	var answers []*sentAnswer
	for _, file := range files {
		text, err := os.ReadFile(file)
		assert.NoError(t, err)
		var all struct {
			Clause      string
			Said        said
			Sent, Sound json.RawMessage
		}
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		a := newSentAnswer(t, all.Sent)
		a.clause, a.said = all.Clause, all.Said
		if a.said.Name == "" {
			a.said.Name = a.name
		}
		if all.Sound != nil {
			a.sound = newSentAnswer(t, all.Sound)
		}
		answers = append(answers, a)
	}
	return answers
}

func newSentAnswer(t *testing.T, raw []byte) *sentAnswer {
	t.Helper()
	a := &sentAnswer{raw: raw}
	var head struct{ RequestID, OriginalFileName string }
	assert.NoError(t, json.Unmarshal(raw, &head))
	a.id, a.name = head.RequestID, head.OriginalFileName
	a.collect(tree(t, raw))
	sort.Slice(a.strings, func(i, j int) bool { return len(a.strings[i]) > len(a.strings[j]) })
	return a
}

// tree is a JSON text with its numbers as sent.
func tree(t *testing.T, raw []byte) (v any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return v
}

func (a *sentAnswer) collect(v any) {
	switch v := v.(type) {
	case json.Number:
		a.numbers = append(a.numbers, v)
	case string:
		if exact(v) == "" { // a text that looks like a number would hide one
			a.strings = append(a.strings, v, plain.From(v).String(), plain.From(oneLine(v)).String())
		}
	case []any:
		for _, each := range v {
			a.collect(each)
		}
	case map[string]any:
		for _, each := range v {
			a.collect(each)
		}
	}
}

// at is what stands at a path such as models[2].finalScore, byte for byte; "" where nothing does.
func (a *sentAnswer) at(path string) string {
	here := json.RawMessage(a.raw)
	for _, step := range regexp.MustCompile(`\w+`).FindAllString(path, -1) {
		var next json.RawMessage
		if i, err := strconv.Atoi(step); err == nil {
			var list []json.RawMessage
			if json.Unmarshal(here, &list) == nil && i < len(list) {
				next = list[i]
			}
		} else {
			var object map[string]json.RawMessage
			if json.Unmarshal(here, &object) == nil {
				next = object[step]
			}
		}
		here = next
	}
	return string(here)
}

// exact is a number however it was written, "" for what is none.
func exact(sent string) string {
	if n, ok := new(big.Rat).SetString(sent); ok {
		return n.RatString()
	}
	return ""
}

// as are the numbers sent, each in some form.
func (a *sentAnswer) as(form func(sent string) string) map[string]bool {
	all := map[string]bool{}
	for _, n := range a.numbers {
		all[form(string(n))] = true
	}
	return all
}

// rounding is the rule of the screen: whole from 1 to 99, a digit more nearer to the ends, as sent beyond them.
func rounding(sent string) string {
	n, ok := new(big.Rat).SetString(sent)
	if !ok {
		return "no number"
	}
	switch v, _ := n.Float64(); {
	case v < 0 || v > 100:
		return sent
	case v > 99.9 && v < 100:
		return ">99.9"
	case v > 0 && v < 0.1:
		return "<0.1"
	case v > 0 && v < 0.95 || v >= 99.05 && v < 100:
		return n.FloatString(1)
	}
	return n.FloatString(0)
}

// modelCounts are the numbers that may be said of the models: how many there are of each kind.
func (a *sentAnswer) modelCounts() map[string]bool {
	var answer struct {
		Models []struct{ Name, Status, Code string }
	}
	_ = json.Unmarshal(a.raw, &answer) // it was read before
	var single, apart, running int
	by := map[string]int{}
	for _, m := range answer.Models {
		if m.Status == "ANALYZING" {
			running++
		}
		switch {
		case strings.Contains(strings.ToLower(m.Name), "ensemble"):
		case m.Status == "NOT_APPLICABLE" || m.Code == "not_applicable":
			apart++
		default:
			single++
			by[m.Status]++
		}
	}
	counts := map[string]bool{}
	for _, n := range []int{single, apart, by["FAKE"], by["SUSPICIOUS"], by["UNABLE_TO_EVALUATE"], by["ANALYZING"], len(answer.Models), len(answer.Models) - running} {
		counts[strconv.Itoa(n)] = true
	}
	return counts
}

func oneLine(texts ...string) string {
	return strings.Join(strings.Fields(strings.Join(texts, " ")), " ")
}

// visible are the texts that a person sees of an object, in the order in which they are drawn.
func visible(o fyne.CanvasObject) (texts []string) {
	var last *canvas.Text // of a single character: a number in a column is drawn digit by digit
	guitest.Walk(o, func(o fyne.CanvasObject) bool {
		text, ok := o.(*canvas.Text)
		if !ok || text.Text == "" {
			return true
		}
		single := len([]rune(text.Text)) == 1
		if single && last != nil && last.Position().Y == text.Position().Y && math.Abs(float64(last.Position().X+last.Size().Width-text.Position().X)) < 0.5 {
			texts[len(texts)-1] += text.Text
		} else {
			texts = append(texts, text.Text)
		}
		if last = nil; single {
			last = text
		}
		return true
	})
	return texts
}

// whole puts back what was shortened of a text that was sent.
func (a *sentAnswer) whole(texts []string) []string {
	out := slices.Clone(texts)
	for i, text := range out {
		before, after, cut := strings.Cut(text, "…")
		fits := func(s string) bool { return cut && strings.HasPrefix(s, before) && strings.HasSuffix(s, after) }
		if n := slices.IndexFunc(a.strings, fits); n >= 0 {
			out[i] = a.strings[n]
		}
	}
	return out
}

// theRows are the rows that the list of results shows, from the top.
func theRows(t *testing.T, subs []submission.Submission) [][]string {
	t.Helper()
	ui := guitest.NewUI(t)
	workers := ui.Workers(1)
	var s rowSource
	for _, sub := range subs {
		s.rows = append(s.rows, results.RowOf(sub))
	}
	list := results.New(results.Params{Answers: s, Workers: workers, Thumbs: thumbs.New(workers, s, thumbs.Row), Tiles: thumbs.New(workers, s, thumbs.Tile), Viewer: s})
	list.SetShape(results.Wide)
	list.InSight()
	guitest.Window(t, list.Object(), fyne.NewSize(1208, float32(300+80*len(subs))))
	ui.Until("all rows are read", func() bool { return len(list.Rows()) == len(subs) })
	var rows [][]string
	guitest.Walk(list.Object(), func(o fyne.CanvasObject) bool {
		row := fmt.Sprintf("%T", o) == "*results.rowWidget"
		if row {
			rows = append(rows, visible(o))
		}
		return !row
	})
	if len(rows) != len(subs) {
		t.Fatalf("%d rows of %d are to be seen", len(rows), len(subs))
	}
	return rows
}

// rowSource holds the rows of a list, and no file; beside it, nothing is shown.
type rowSource struct{ rows []results.Row }

func (s rowSource) Rows(_ context.Context, _ results.Query, index, n int) ([]results.Row, error) {
	return s.rows[min(index, len(s.rows)):min(index+n, len(s.rows))], nil
}

func (s rowSource) Counts(context.Context, results.Query) (results.Counts, error) {
	return results.Counts{Shown: len(s.rows), All: len(s.rows), ByStatus: map[client.Status]int{}}, nil
}

func (s rowSource) Place(context.Context, results.Query, string) (i int, ok bool, err error) {
	return
}
func (s rowSource) OpenFile(context.Context, string) (*os.File, error) { return nil, os.ErrNotExist }
func (s rowSource) OpenThumbnail(context.Context, string) (*os.File, error) {
	return nil, os.ErrNotExist
}
func (s rowSource) Object() fyne.CanvasObject { return container.NewStack(kit.NewFill("")) }
func (s rowSource) Show(string)               {}

func (s rowSource) ReadAhead(string, present.Medium) {}

// printed is what the subcommands print of one result, "" for what was not asked.
type printed struct{ scan, scanJSON, show, showJSON, list, listJSON, problems string }

// subcommands has them all print each answer, over HTTP; unended ones are not scanned, which would wait for ever.
func subcommands(t *testing.T, answers []*sentAnswer) []printed {
	t.Helper()
	t.Setenv("ASSAY_API_KEY", "key")
	all := make([]printed, len(answers))
	var under sync.WaitGroup
	for i, a := range answers {
		server := httptest.NewServer(a)
		t.Cleanup(server.Close)
		home, path := t.TempDir(), filepath.Join(t.TempDir(), a.name)
		assert.NoError(t, os.WriteFile(path, []byte(a.id), 0o600))
		p := &all[i]
		run := func(args ...string) string {
			var out, problems bytes.Buffer
			if code := command.Main(t.Context(), session.Options{}, append(args, "--server", server.URL, "--home", home), nil, &out, &problems, nil); code != command.ExitAnswered {
				p.problems += fmt.Sprintf("%s: exit %d\n", args, code)
			}
			for line := range strings.Lines(problems.String()) {
				if !strings.HasPrefix(line, "assay: Waiting for ") { // the computer has much to do
					p.problems += fmt.Sprintf("%s: %s", args, line)
				}
			}
			return out.String()
		}
		under.Go(func() {
			if a.said.Progress == "" {
				p.scan = run("scan", path)
				p.scanJSON = run("scan", path, "--json")
			}
			p.show, p.showJSON = run("show", a.id), run("show", a.id, "--json")
			p.list, p.listJSON = run("list"), run("list", "--json")
		})
	}
	under.Wait()
	for i, p := range all {
		if p.problems != "" {
			t.Errorf("%s: %s", answers[i].clause, p.problems)
		}
	}
	return all
}

// ServeHTTP is the service, which answers every upload with this answer.
func (a *sentAnswer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	switch {
	case r.Method == http.MethodPut:
	case r.URL.Path == "/api/files/cloud-presigned":
		_ = json.NewEncoder(w).Encode(map[string]any{"requestId": a.id, "response": map[string]string{"signedUrl": "http://" + r.Host + "/storage"}})
	case r.URL.Path == "/api/media/users/"+a.id:
		_, _ = w.Write(a.raw)
	case a.sound != nil && r.URL.Path == "/api/media/users/"+a.sound.id:
		_, _ = w.Write(a.sound.raw)
	case strings.HasSuffix(r.URL.Path, "/pages/0"):
		_, _ = fmt.Fprintf(w, "[%s]", a.raw)
	case strings.Contains(r.URL.Path, "/pages/"):
		_, _ = io.WriteString(w, "[]")
	default:
		http.NotFound(w, r)
	}
}
