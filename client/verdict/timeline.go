package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
)

// Timeline is what was reported of the parts of a recording or clip, as lanes over one axis of seconds. What is not in it was not reported. No number
// in it is computed: each was sent, with its field.
type Timeline struct {
	Lanes    []Lane // only those in which something was reported
	End      float64
	Worst    *Worst // nil where nothing was flagged
	Unplaced string // in a sentence: what is in the data without a time; "" for nothing
}

// Lane is one list of the aggregation JSON.
type Lane struct {
	Name  string // "Audio", "Scenes"
	Part  string // the list's name as sent: "chunks"
	Title string // above the lane
	Spans []Span // by time
}

// Span is a part of which something was reported. An instant, such as a frame, has the same start and end.
type Span struct {
	Start, End float64 // seconds
	Mark       Mark
	Word       string      // the decision in words
	Decision   plain.Text  // as sent
	Score      *SpanScore  // the one to show; nil: none was reported, or several of equal standing
	Scores     []SpanScore // all that were reported
	Field      string      // its entry in the JSON: "chunks[3]"
	inText     string      // Word inside a sentence
}

// SpanScore is a number as sent. Its scale is not known: it may be 0..1 or 0..100, so that it is a text and never drawn as a length.
type SpanScore struct {
	Value float64
	Text  string // for little room: as sent if that is short
	Sent  string
	Scale string // what it is a number of: "score", or a model's name
	Field string
}

// Worst is the part to look at first: among those with the gravest decision, the one with the highest score of the same name; if no score tells them
// apart, the first.
type Worst struct {
	Lane, Span int
	At         float64
	Label      string // "Strongest part 00:06"
	Why        string // what was reported of it
}

// longestDecision is how many characters of a decision, or of a name beside a number, are shown.
const longestDecision = 200

// The words for a part without a decision.
const noDecision = "no decision reported"

// TimelineOf puts the parts of an aggregation JSON on a time axis; a nil one has none.
func TimelineOf(a *client.AggregationData) Timeline {
	var t Timeline
	if a == nil {
		return t
	}
	t.add(i18n.T("Audio"), "chunks", i18n.T("Audio, as reported per part"), spansOf("chunks", a.Chunks))
	t.add(i18n.T("Scenes"), "scenes", i18n.T("Scenes, as reported"), spansOf("scenes", a.Scenes))
	var frames, tubes []Span
	for _, f := range a.Frames {
		frames = append(frames, spanOf("frames", f.Index, f.Time, f.Time, f.Decision, f.Score, f.Scores))
	}
	t.add(i18n.T("Frames"), "frames", i18n.T("Frames, as reported"), frames)
	untimed := 0
	for _, tube := range a.Tubes {
		if s := tube.Segment; s != nil {
			tubes = append(tubes, spanOf("tubes", s.Index, s.Start, s.End, s.Decision, s.Score, s.Scores))
		} else {
			untimed++
		}
	}
	t.add(i18n.T("Tubes"), "tubes", i18n.T("Tubes (regions followed through time), as reported"), tubes)
	t.Unplaced = unplaced(a.Unread, untimed)
	t.Worst = worst(t.Lanes)
	return t
}

func (t *Timeline) add(name, part, title string, spans []Span) {
	spans = slices.DeleteFunc(spans, func(s Span) bool {
		return math.IsNaN(s.Start) || math.IsNaN(s.End) || math.IsInf(s.Start, 0) || math.IsInf(s.End, 0) || s.End < 0
	})
	if len(spans) == 0 {
		return
	}
	slices.SortStableFunc(spans, func(a, b Span) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	showScores(spans)
	for i := range spans {
		spans[i].Start = max(spans[i].Start, 0)
		spans[i].End = max(spans[i].End, spans[i].Start)
		t.End = max(t.End, spans[i].End)
	}
	t.Lanes = append(t.Lanes, Lane{Name: name, Part: part, Title: title, Spans: spans})
}

func spansOf(part string, segments []client.Segment) []Span {
	var spans []Span
	for _, s := range segments {
		spans = append(spans, spanOf(part, s.Index, s.Start, s.End, s.Decision, s.Score, s.Scores))
	}
	return spans
}

func spanOf(part string, index int, start, end float64, decision plain.Text, score client.Score, scores map[plain.Text]client.Score) Span {
	s := Span{Start: start, End: end, Decision: decision, Field: fmt.Sprintf("%s[%d]", part, index)}
	s.Mark, s.Word, s.inText = decisionWords(decision)
	if v, ok := score.Number(); ok {
		s.Scores = append(s.Scores, spanScore(v, score.Sent(), "score", s.Field+".score"))
	}
	for _, name := range slices.SortedFunc(maps.Keys(scores), plain.Text.Compare) {
		if v, ok := scores[name].Number(); ok {
			s.Scores = append(s.Scores, spanScore(v, scores[name].Sent(), name.Clip(longestDecision).String(), s.Field+".scores"+member(name)))
		}
	}
	return s
}

// decisionWords are the words of the status that a decision stands for; the list of decisions is open, and an unknown one is shown as sent.
func decisionWords(decision plain.Text) (mark Mark, word, inText string) {
	status := client.Status(strings.ToUpper(decision.String()))
	switch status {
	case "":
		return MarkNone, i18n.T(noDecision), i18n.T(noDecision)
	case "ARTIFICIAL":
		status = client.Fake
	}
	words := Say(status)
	if words.Mark == MarkNone {
		sent := decision.Clip(longestDecision).String()
		return MarkNone, sent, sent
	}
	return words.Mark, words.Short, words.InText
}

// member is the member of an object, as part of a path.
func member(key plain.Text) string {
	name := key.String()
	simple := name != "" && strings.IndexFunc(name, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-' && r != '_'
	}) < 0
	if simple {
		return "." + name
	}
	return "[" + key.Quoted() + "]"
}

func spanScore(v float64, sent, scale, field string) SpanScore {
	return SpanScore{Value: v, Text: shortNumber(v, sent), Sent: sent, Scale: scale, Field: field}
}

// shortNumber is a number rounded like the other numbers on screen; within 0..1, where it may be a raw score, to at most two places, and never to an
// end of the scale that was not sent.
func shortNumber(v float64, sent string) string {
	switch {
	case v <= 0 || v >= 1:
		return Number{Value: v, Sent: sent}.Text()
	case v < 0.005:
		return "<" + i18n.Number(0.01, 2)
	case v >= 0.995:
		return ">" + i18n.Number(0.99, 2)
	case math.Round(v*100) == 10*math.Round(v*10): // 0.6, not 0.60
		return i18n.Number(v, 1)
	}
	return i18n.Number(v, 2)
}

// showScores chooses the number that is shown for the spans of a lane, of one name for all: the part's own score, else the ensemble's, else the only
// one there is. One of several models can't stand for the others.
func showScores(spans []Span) {
	names := map[string]bool{}
	for _, s := range spans {
		for _, score := range s.Scores {
			names[score.Scale] = true
		}
	}
	chosen := ""
	var ensembles []string
	for name := range names {
		if (client.Model{Name: plain.From(name)}).IsEnsemble() {
			ensembles = append(ensembles, name)
		}
	}
	switch {
	case names["score"]:
		chosen = "score"
	case len(ensembles) == 1:
		chosen = ensembles[0]
	case len(names) == 1:
		for name := range names {
			chosen = name
		}
	}
	for i := range spans {
		for j := range spans[i].Scores {
			if spans[i].Scores[j].Scale == chosen {
				spans[i].Score = &spans[i].Scores[j]
			}
		}
	}
}

// gravity orders decisions; one that flags nothing has none.
func gravity(m Mark) int {
	switch m {
	case MarkFake:
		return 2
	case MarkSuspicious:
		return 1
	}
	return 0
}

// worst only compares numbers within a lane, since two lanes may have two scales.
func worst(lanes []Lane) *Worst {
	var found *Worst
	var best Span
	for l, lane := range lanes {
		for i, s := range lane.Spans {
			grave := gravity(s.Mark)
			switch {
			case grave == 0:
				continue
			case found == nil, grave > gravity(best.Mark):
			case grave < gravity(best.Mark), l != found.Lane, s.Score == nil:
				continue
			case best.Score != nil && s.Score.Value <= best.Score.Value:
				continue
			}
			found, best = &Worst{Lane: l, Span: i, At: s.Start}, s
		}
	}
	if found != nil {
		found.Label = worstLabel(lanes[found.Lane].Part, ClockShort(best.Start))
		found.Why = best.Label() + " (" + lanes[found.Lane].Name + ")"
	}
	return found
}

// Strongest are the indices of a lane's parts: the gravest decision first, of one decision the highest of the numbers that are shown, and by time.
func (l Lane) Strongest() []int {
	order := make([]int, len(l.Spans))
	for i := range order {
		order[i] = i
	}
	score := func(s Span) float64 {
		if s.Score == nil {
			return math.Inf(-1)
		}
		return s.Score.Value
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := l.Spans[a], l.Spans[b]
		return cmp.Or(cmp.Compare(gravity(y.Mark), gravity(x.Mark)), cmp.Compare(score(y), score(x)))
	})
	return order
}

// Label is a span in one line: when, the decision, and the number shown for it.
func (s Span) Label() string {
	label := s.Time() + " · " + s.Word
	if s.Score != nil {
		label += " · " + s.Score.Text
	}
	return label
}

// Time is when a span is.
func (s Span) Time() string {
	if s.End > s.Start {
		return Clock(s.Start) + "–" + Clock(s.End)
	}
	return Clock(s.Start)
}

// Source is the paths of all that was reported of a span, and the values as sent, a field a line.
func (s Span) Source() string {
	var lines []string
	if !s.Decision.IsZero() {
		lines = append(lines, s.Field+".decision = "+s.Decision.Clip(longestDecision).Quoted())
	}
	for _, score := range s.Scores {
		lines = append(lines, score.Field+" = "+score.Sent)
	}
	if len(s.Scores) == 0 {
		lines = append(lines, i18n.F("%s: %s", s.Field, i18n.T(NoScore)))
	}
	return strings.Join(lines, "\n")
}

// Counts says how many parts of a lane were reported with which decision: "10 parts: 2 likely manipulated, 8 no sign found".
func (l Lane) Counts() string {
	var words []string
	counts, inText, grave := map[string]int{}, map[string]string{}, map[string]int{}
	for _, s := range l.Spans {
		if counts[s.Word] == 0 {
			words = append(words, s.Word)
			inText[s.Word], grave[s.Word] = s.inText, gravity(s.Mark)
		}
		counts[s.Word]++
	}
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(grave[b], grave[a]) })
	const most = 4 // more of an open list of decisions would not fit in a line
	said := make([]string, 0, most)
	for i, w := range words {
		if i == most {
			said = append(said, i18n.T("others"))
			break
		}
		said = append(said, i18n.Count(counts[w])+" "+inText[w])
	}
	return i18n.F("%s: %s", partsOf[l.Part].For(len(l.Spans)), strings.Join(said, ", "))
}

// partsOf are the words for the entries of a list.
var partsOf = map[string]i18n.Plural{
	"chunks": {One: "%s part", Other: "%s parts"},
	"scenes": {One: "%s scene", Other: "%s scenes"},
	"frames": {One: "%s frame", Other: "%s frames"},
	"tubes":  {One: "%s tube", Other: "%s tubes"},
}

func worstLabel(part, at string) string {
	switch part {
	case "scenes":
		return i18n.F("Strongest scene %s", at)
	case "frames":
		return i18n.F("Strongest frame %s", at)
	case "tubes":
		return i18n.F("Strongest tube %s", at)
	}
	return i18n.F("Strongest part %s", at)
}

func unplaced(unread map[string]int, tubes int) string {
	var parts []string
	for _, p := range []struct {
		n     int
		words i18n.Plural
	}{
		{unread["chunks"], i18n.Plural{One: "%s part of the sound", Other: "%s parts of the sound"}},
		{unread["scenes"], partsOf["scenes"]}, {unread["frames"], partsOf["frames"]}, {tubes, partsOf["tubes"]},
	} {
		if p.n > 0 {
			parts = append(parts, p.words.For(p.n))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return i18n.F("In the data, but without a time to show them at: %s.", strings.Join(parts, ", "))
}

// Beyond says how many parts were reported after the file's end, where the axis does not show them; "" for none.
func (t Timeline) Beyond(length float64) string {
	n := 0
	for _, lane := range t.Lanes {
		for _, s := range lane.Spans {
			if length > 0 && s.Start > length {
				n++
			}
		}
	}
	if n == 0 {
		return ""
	}
	return i18n.N(n, "%s part was reported after the end of the file, which is at %s; the last ends at %s.",
		"%s parts were reported after the end of the file, which is at %s; the last ends at %s.", Clock(length), Clock(t.End))
}

// Clock is i18n.Elapsed.
func Clock(seconds float64) string { return i18n.Elapsed(seconds) }

// ClockOf is a time in a recording of some length, with hours if the length has them, so that its width stays the same.
func ClockOf(seconds, length float64) string {
	if length >= 3600 && seconds < 3600 {
		return "0:" + Clock(seconds)
	}
	return Clock(seconds)
}

// ClockShort is i18n.ElapsedShort.
func ClockShort(seconds float64) string { return i18n.ElapsedShort(seconds) }
