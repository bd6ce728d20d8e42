package viewer

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/guitest"
)

// headlines are those of design.md §5.1, to the letter.
var headlines = map[client.Status]string{
	client.Fake:             "Likely manipulated or AI-generated",
	client.Suspicious:       "Suspicious: needs a human look",
	client.Authentic:        "No sign of manipulation found by these models",
	client.NotApplicable:    "Not assessable",
	client.UnableToEvaluate: "Not evaluated: processing failed",
	"INCONCLUSIVE":          "Unrecognised status: INCONCLUSIVE",
}

// TestTheSameWordsEverywhere shows answers of every kind on the card, in the list, in the chart, by scan, show and list, and as JSON, and finds
// the same words and numbers, each of which was sent (design.md §5).
func TestTheSameWordsEverywhere(t *testing.T) {
	answers := theAnswers(t)
	subs := make([]submission.Submission, len(answers))
	c := &source{notes: map[string]string{}, subs: map[string]submission.Submission{}, sound: map[string]submission.Submission{}}
	for i, a := range answers {
		subs[i] = sub(t, a.id, string(a.raw))
		subs[i].Name, subs[i].Type, subs[i].Source = a.said.Name, subs[i].Result.MediaType, submission.Dropped
		c.subs[a.id] = subs[i]
		if a.sound != nil {
			c.sound[a.id] = sub(t, a.sound.id, string(a.sound.raw))
		}
	}
	lines := subcommands(t, answers)
	d := setup(t, c, wideSize)
	rows := theRows(t, subs)
	for i, a := range answers {
		t.Run(a.clause, func(t *testing.T) {
			w := wording{t: t, said: a.said, sent: a, verdict: verdict.Of(subs[i].Result)}
			w.theVerdict()
			d.see(a.id)
			for _, size := range []fyne.Size{narrowSize, wideSize} {
				d.Resize(size)
				d.pages.open(modelsPage)
				w.theCard(d)
				w.theChart(d)
			}
			w.theRow(rows[i])
			w.theLines(lines[i])
			w.theJSON(lines[i])
			if a.sound != nil {
				w.theSound(d)
			}
		})
	}
}

// wording compares what the surfaces say of one answer.
type wording struct {
	t       *testing.T
	said    said
	sent    *sentAnswer
	verdict verdict.Verdict
}

// theVerdict is where all words come from.
func (w wording) theVerdict() {
	w.t.Helper()
	v := w.verdict
	got := said{Headline: v.Headline, Contradiction: v.Contradiction, Short: v.Short, Progress: v.Progress, Models: v.Agreement}
	if v.Score != nil {
		got.Score, got.Field = v.Score.Text(), v.Score.Field
	}
	for _, r := range v.Reasons {
		got.Reasons = append(got.Reasons, reasonSaid{r.Code, r.Message, r.Said(), r.NextStep})
	}
	want := w.said
	want.Name, want.Rows, want.Apart, want.Lines, want.Also = "", nil, nil, nil, ""
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("client/verdict (-want +got):\n%s", diff)
	}
	if headline, named := headlines[v.Status]; named && v.Contradiction == "" && strings.TrimPrefix(v.Headline, "Provisional: ") != headline {
		w.t.Errorf("of %s it says %q", v.Status, v.Headline)
	}
	if unfinished := w.said.Progress != ""; unfinished != v.Provisional || unfinished != (v.Mark == verdict.MarkAnalysing) {
		w.t.Errorf("provisional: %v, its mark: %q", v.Provisional, v.Mark)
	}
	if want.Score != "" && want.Score != rounding(w.sent.at(want.Field)) {
		w.t.Errorf("%s is no rounding of %s", want.Score, w.sent.at(want.Field))
	}
	counts := w.sent.modelCounts()
	for _, n := range numeral.FindAllString(want.Models+" "+want.Progress, -1) {
		if !counts[n] {
			w.t.Errorf("%q, %q: no kind of model is there %s times", want.Models, want.Progress, n)
		}
	}
}

func (w wording) theCard(d *fixture) {
	w.t.Helper()
	d.said.SetText("") // as long as nobody has asked
	card := visible(d.cards.main.card)
	want := []string{w.verdict.Sentence, w.said.Models, w.said.Progress, w.said.Contradiction}
	if !d.shown.HasSound { // else the headline begins with whose it is
		want = append(want, w.said.Headline)
	}
	for _, r := range w.said.Reasons {
		want = append(want, strings.TrimSpace(r.Said+" "+r.Next))
	}
	if w.said.Score == "" {
		want = append(want, "no score reported")
	} else {
		want = append(want, w.said.Score+" of 100", map[bool]string{false: "no indication strong indication", true: "none strong"}[d.cards.main.card.Size().Width < slimBelow || d.cards.main.tightness != roomy])
	}
	w.says("the card", card, want...)
	w.numbers("the card", card, append(w.contradicting(), w.said.Score)...)
	head := append(visible(d.head.root), d.head.facts.Text()) // where they are shortened, a tooltip has all of them
	w.says("the head", head, w.said.Name, w.said.Also)
	w.numbers("the head", head, "")
	d.cards.main.scale.OnTapped()
	source, value := strings.Join(visible(d.said), " "), " = "+w.sent.at(w.said.Field)
	switch whole := d.said.Text(); {
	case w.said.Score == "" && source != "":
		w.t.Errorf("no score comes from %q", source)
	case w.said.Score != "" && (whole != w.said.Field+value || !strings.HasSuffix(source, value)): // of a long field, the middle is left out
		w.t.Errorf("the score comes from %q, %q", source, whole)
	}
}

// theSound is the extracted sound's own card and chart, beside the clip's.
func (w wording) theSound(d *fixture) {
	w.t.Helper()
	d.Until("the sound's card is there", func() bool { return d.cards.side.card.Visible() })
	card := visible(d.cards.side.card)
	sound := wording{t: w.t, sent: w.sent.sound}
	sound.said.Models = "1 of 1 applicable model flagged it"
	sound.says("the sound's card", card, "Voice: likely manipulated or AI-generated", sound.said.Models, "91 of 100")
	sound.numbers("the sound's card", card, "91")
	if got, want := strings.Join(visible(d.pages.models.sound.bars)[2:], " "), "svc-aud-ensemble 91 svc-everest-aud 95"; got != want {
		w.t.Errorf("the sound's chart: %q, want %q", got, want)
	}
	w.says("the clip's card", visible(d.cards.main.card), "Picture: no sign of manipulation found by these models")
}

func (w wording) theChart(d *fixture) {
	w.t.Helper()
	models := d.pages.models
	inSight := false
	guitest.Walk(d.Object(), func(o fyne.CanvasObject) bool { inSight = inSight || o == models.main.bars; return true })
	if !inSight {
		w.t.Error("the chart is not in sight")
	}
	texts := w.sent.whole(visible(models.main.bars))
	var want, numbers []string
	for _, row := range w.said.Rows {
		want = append(want, row.Name+row.Further, row.Says)
		if number := numeral.FindString(row.Says); number != "" {
			numbers = append(numbers, number)
		}
	}
	if len(w.said.Apart) > 0 {
		want = append(want, "Not applicable: "+strings.Join(w.said.Apart, ", "))
	}
	if got, want := squeezed(texts[slices.Index(texts, "0 no indication – 100 strong")+1:]...), squeezed(want...); got != want { // below title and scale
		w.t.Errorf("the chart:\n%s, want\n%s", got, want)
	}
	w.numbers("the chart", texts, numbers...)
	told := map[string]bool{}
	for i, row := range w.said.Rows {
		models.main.bars.OnTapped(i)
		lines := strings.Split(models.main.source.Text(), "\n")
		w.source(row, lines)
		for _, line := range lines {
			told[line] = true
		}
	}
	for _, line := range w.said.Lines {
		if !told[line] {
			w.t.Errorf("no row tells %q, but %v", line, told)
		}
	}
}

var sourceLine = regexp.MustCompile(`^([\w\[\].]+) = (.*?)(?: \(([a-z ,]+)\))?$`)

// source compares what a row tells of its number with the answer, byte for byte.
func (w wording) source(row modelRow, lines []string) {
	w.t.Helper()
	traced := !numeral.MatchString(row.Says)
	for _, line := range lines {
		m := sourceLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if m[2] != w.sent.at(m[1]) {
			w.t.Errorf("%s tells %q, where %s was sent", row.Name, line, w.sent.at(m[1]))
		}
		traced = traced || m[3] == row.Further && rounding(m[2]) == row.Says
	}
	if !traced {
		w.t.Errorf("%+v does not tell where its number comes from, but %q", row, lines)
	}
}

func (w wording) theRow(texts []string) {
	w.t.Helper()
	w.says("the row", texts, w.said.Name, w.said.Short, w.said.Score)
	w.numbers("the row", texts, w.said.Score)
}

// line is the verdict in one line.
func (w wording) line() string {
	if w.said.Progress != "" {
		return w.said.Headline + " (" + w.said.Progress + ")"
	}
	line := w.said.Headline
	if w.said.Contradiction != "" {
		line += " (" + w.said.Contradiction + ")"
	} else if w.said.Score != "" {
		line += " (ensemble " + w.said.Score + " of 100)"
	}
	for _, r := range w.said.Reasons {
		line += " – " + r.Said
	}
	return line
}

func (w wording) theLines(p printed) {
	w.t.Helper()
	if want := w.said.Name + ": " + w.line() + "\n"; p.scan != want && w.said.Progress == "" {
		w.t.Errorf("scan prints\n%q, want\n%q", p.scan, want)
	}
	if !strings.HasSuffix(p.list, "  "+w.sent.id+"  "+w.said.Name+": "+w.line()+"\n") || strings.Count(p.list, "\n") != 1 {
		w.t.Errorf("list prints %q", p.list)
	}
	shown := strings.Split(strings.TrimSuffix(p.show, "\n"), "\n")
	if want := []string{w.said.Name, w.line(), w.verdict.Sentence, w.said.Models}; len(shown) < 4 || !slices.Equal(want, shown[:4]) {
		w.t.Errorf("show begins\n%q, want\n%q", shown, want)
	}
	release, _, _ := strings.Cut(w.said.Also, " · ")
	for _, r := range append(slices.Clone(w.said.Reasons), reasonSaid{Next: release}) {
		if r.Next != "" && !slices.Contains(shown, r.Next) {
			w.t.Errorf("show prints %q, without %q", shown, r.Next)
		}
	}
	numbers := []string{w.said.Score}
	switch {
	case w.said.Progress != "":
		numbers = nil
	case w.said.Contradiction != "":
		numbers = w.contradicting()
	}
	w.numbers("scan", []string{p.scan}, numbers...)
	w.theModelLines(shown, numbers)
}

// contradicting are the numbers in what the fields say against each other.
func (w wording) contradicting() []string {
	return numeral.FindAllString(strings.ReplaceAll(w.said.Contradiction, "of 100", ""), -1)
}

// theModelLines are a line for each model, in the order sent.
func (w wording) theModelLines(shown, numbers []string) {
	w.t.Helper()
	var got, want []string
	for _, line := range shown {
		if strings.HasPrefix(line, "  ") {
			got = append(got, line)
		}
	}
	for _, name := range w.said.Apart {
		want = append(want, "  "+name+": , not applicable")
	}
	for _, row := range w.said.Rows {
		says := strings.TrimSuffix(row.Says, " –")
		if numeral.MatchString(says) {
			says += " of 100"
		}
		if row.Further == "" { // the others are for who looks closely
			want = append(want, "  "+row.Name+": , "+says)
		}
	}
	for i, line := range got { // the words for a model's status stand between name and number
		name, rest := line[:strings.LastIndex(line, ": ")], line[strings.LastIndex(line, ", "):]
		got[i] = name + ": " + rest
		numbers = append(numbers, numeral.FindAllString(strings.TrimSuffix(got[i], " of 100")[len(name):], -1)...)
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("show's models (-want +got):\n%s", diff)
	}
	w.numbers("show", shown, numbers...)
}

func (w wording) theJSON(p printed) {
	w.t.Helper()
	if got := strings.TrimSuffix(p.showJSON, "\n"); got != string(w.sent.raw) {
		w.t.Errorf("show --json prints\n%s, where was sent\n%s", got, w.sent.raw)
	}
	w.oneLine("list --json", p.listJSON)
	if w.said.Progress == "" {
		w.oneLine("scan --json", p.scanJSON)
	}
}

// oneLine is what scan --json and list --json print of an answer.
func (w wording) oneLine(surface, text string) {
	w.t.Helper()
	var line, sent struct {
		RequestID, Status, OverallStatus, Verdict, Contradiction, ReleaseVersion, Error string

		Score  json.RawMessage
		Models []struct {
			Name, Status string
			Score        json.RawMessage
		}
	}
	if err := errors.Join(json.Unmarshal([]byte(text), &line), json.Unmarshal(w.sent.raw, &sent)); err != nil || strings.Count(text, "\n") != 1 {
		w.t.Errorf("%s prints %q: %v", surface, text, err)
		return
	}
	if line.RequestID != w.sent.id || line.Status != sent.OverallStatus || line.ReleaseVersion != sent.ReleaseVersion || line.Verdict != w.said.Headline || line.Contradiction != w.said.Contradiction {
		w.t.Errorf("%s prints %+v", surface, line)
	}
	if first := append(slices.Clone(w.said.Reasons), reasonSaid{})[0].Said; line.Error != first {
		w.t.Errorf("%s gives the reason %q, want %q", surface, line.Error, first)
	}
	if want := exact(w.sent.at(w.said.Field)); exact(string(line.Score)) != want || (want == "") != (w.said.Score == "") {
		w.t.Errorf("%s gives the score %s, want %q", surface, line.Score, want)
	}
	if len(line.Models) != len(sent.Models) {
		w.t.Fatalf("%s gives %d models of %d", surface, len(line.Models), len(sent.Models))
	}
	for i, m := range line.Models {
		at := fmt.Sprintf("models[%d].", i)
		want := exact(w.sent.at(at + "normalizedPredictionNumber"))
		if want == "" {
			want = exact(w.sent.at(at + "finalScore"))
		}
		if m.Name != sent.Models[i].Name || m.Status != sent.Models[i].Status || exact(string(m.Score)) != want {
			w.t.Errorf("%s gives %s %s with %s, want %s with %s", surface, m.Name, m.Status, m.Score, sent.Models[i].Name, want)
		}
	}
	var all sentAnswer
	all.collect(tree(w.t, []byte(text)))
	for n := range all.as(exact) {
		if !w.sent.as(exact)[n] {
			w.t.Errorf("%s gives %s, which was not sent", surface, n)
		}
	}
}

// says makes sure that a surface says something, wherever its lines break.
func (w wording) says(surface string, texts []string, want ...string) {
	w.t.Helper()
	all := squeezed(w.sent.whole(texts)...)
	for _, words := range want {
		if !strings.Contains(all, squeezed(words)) {
			w.t.Errorf("%s says %q, and not %q", surface, texts, words)
		}
	}
}

func squeezed(texts ...string) string { return strings.ReplaceAll(oneLine(texts...), " ", "") }

var numeral = regexp.MustCompile(`[<>]?-?\d+(\.\d+)?`)

// fixed are the words of a surface that hold numbers which are no result's.
var fixed = []string{
	"0 no indication, 100 strong indication; a likelihood, not a share of the file", "0 no indication – 100 strong",
	"of 100", "Use at least 1.5 seconds.",
}

// numbers makes sure that a surface shows these numbers and no other, and that each is one that was sent. What is left out are texts
// that were sent, such as names and messages, counts of the models, and fixed words.
func (w wording) numbers(surface string, texts []string, want ...string) {
	w.t.Helper()
	text := " " + oneLine(w.sent.whole(texts)...) + " "
	for _, s := range slices.Concat(w.sent.strings, []string{w.said.Models, w.said.Progress}, fixed) {
		if s != "" {
			text = strings.ReplaceAll(text, " "+s, "   ")
			text = strings.ReplaceAll(text, "("+s, "   ")
			text = strings.ReplaceAll(text, "“"+s, "   ")
		}
	}
	got := numeral.FindAllString(text, -1)
	want = slices.DeleteFunc(slices.Clone(want), func(s string) bool { return s == "" })
	if !slices.Equal(got, want) {
		w.t.Errorf("%s shows the numbers %q, want %q: %q", surface, got, want, texts)
	}
	for _, n := range got {
		if !w.sent.as(rounding)[n] {
			w.t.Errorf("%s shows %s, which is no rounding of what was sent: %q", surface, n, texts)
		}
	}
}
