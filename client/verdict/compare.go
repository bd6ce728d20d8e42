package verdict

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
)

// Answered is an answer, and when it was received.
type Answered struct {
	At     time.Time
	Result *client.Result
}

// Comparison is what differs between two answers on one content, in the numbers that the service sent. It judges nothing: why an answer changed is
// not known.
type Comparison struct {
	Earlier, Later Side
	Changed        bool // the verdict: its words differ, or what contradicts itself in it
	Score          ScoreChange
	// Models are those of both answers, paired by their names: the ensembles first, then the others in the order of the later answer, then those that
	// only the earlier one has.
	Models                   []ModelChange
	New, Gone, Higher, Lower int // of Models, without the ensembles
}

// Side is one of two answers.
type Side struct {
	At time.Time
	Verdict
}

// ScoreChange is a score before and after; nil where none was reported.
type ScoreChange struct {
	Before, After *Number
	// Change is After minus Before with all digits and its sign, as in "+36.25", "-7" or "0"; "" where one of them is missing or they are of
	// different fields, so that there is no change to speak of.
	Change string
}

// Direction is 1 where the score rose, -1 where it fell, and 0 where it stayed or no change is known.
func (c ScoreChange) Direction() int {
	switch {
	case c.Change == "" || c.Change == "0":
		return 0
	case strings.HasPrefix(c.Change, "-"):
		return -1
	}
	return 1
}

// Text is the change as it is shown beside the two numbers: rounded as they are, with its sign; "" where no change is known.
func (c ScoreChange) Text() string {
	size, ok := new(big.Rat).SetString(c.Change)
	if !ok {
		return ""
	}
	value, _ := size.Abs(size).Float64()
	text := i18n.Number(value, 0)
	switch {
	case value > 0 && value < 0.1:
		text = "<" + i18n.Number(0.1, 1)
	case value > 0 && value < 0.95:
		text = i18n.Number(value, 1)
	}
	switch c.Direction() {
	case 1:
		return "+" + text
	case -1:
		return "−" + text
	}
	return text
}

// ModelChange is one model in two answers.
type ModelChange struct {
	Name     string
	Ensemble bool
	Before   *ModelState // nil: the earlier answer does not have the model
	After    *ModelState // nil: the later answer does not have it
	Score    ScoreChange
}

// ModelState is how a model stands in one answer.
type ModelState struct {
	Status client.Status // as sent
	Mark   Mark
	Words  string // its status in short, or that it does not apply
	Gap    string // why it has no score; "" where it has one
	Failed bool
}

// Note says in a word or two why no change of the score can be stated: that the model is new, is gone, failed, or has no score; "" where one can.
func (m ModelChange) Note() string {
	switch {
	case m.Before == nil:
		return i18n.T("new")
	case m.After == nil:
		return i18n.T("gone")
	case m.Score.Change != "":
		return ""
	case m.After.Failed:
		return i18n.T("failed")
	case m.Before.Failed:
		return i18n.T("failed before")
	case m.Score.Before == nil || m.Score.After == nil:
		return i18n.T(NoScore)
	}
	return i18n.T("not comparable")
}

// Compare compares two answers on one content, of which neither may be nil.
func Compare(earlier, later Answered) Comparison {
	c := Comparison{Earlier: Side{earlier.At, Of(earlier.Result)}, Later: Side{later.At, Of(later.Result)}}
	c.Changed = c.Earlier.Headline != c.Later.Headline || c.Earlier.Contradiction != c.Later.Contradiction
	c.Score = changeOf(c.Earlier.Score, c.Later.Score)
	c.Models = pair(earlier.Result.Models, later.Result.Models)
	for _, m := range c.Models {
		switch {
		case m.Ensemble:
		case m.Before == nil:
			c.New++
		case m.After == nil:
			c.Gone++
		case m.Score.Direction() > 0:
			c.Higher++
		case m.Score.Direction() < 0:
			c.Lower++
		}
	}
	return c
}

// Sentence says what changed, in two or three sentences. same says that the bytes are known to be the same, which nobody knows of a link.
func (c Comparison) Sentence(same bool) string {
	from, to := c.Earlier.Short, c.Later.Short
	var said string
	switch {
	case c.Changed && from != to && same:
		said = i18n.F("The answer went from %s to %s; the file did not change.", from, to)
	case c.Changed && from != to:
		said = i18n.F("The answer went from %s to %s. It is not known whether the link still leads to the same content.", from, to)
	case same:
		said = i18n.F("The answer is %s both times; the file did not change.", to)
	default:
		said = i18n.F("The answer is %s both times. It is not known whether the link still leads to the same content.", to)
	}
	return said + " " + c.counts()
}

// counts says how many models are new, gone, score higher and lower.
func (c Comparison) counts() string {
	line := ""
	for _, part := range []struct {
		n           int
		first, next i18n.Plural
	}{
		{c.New, i18n.Plural{One: "%s model is new", Other: "%s models are new"}, i18n.Plural{}},
		{c.Gone, i18n.Plural{One: "%s model is gone", Other: "%s models are gone"}, i18n.Plural{One: "%s is gone", Other: "%s are gone"}},
		{c.Higher, i18n.Plural{One: "%s model scores higher", Other: "%s models score higher"}, i18n.Plural{One: "%s scores higher", Other: "%s score higher"}},
		{c.Lower, i18n.Plural{One: "%s model scores lower", Other: "%s models score lower"}, i18n.Plural{One: "%s scores lower", Other: "%s score lower"}},
	} {
		switch {
		case part.n == 0:
		case line == "":
			line = part.first.For(part.n)
		default:
			line = i18n.F("%s, %s", line, part.next.For(part.n))
		}
	}
	if line == "" {
		return i18n.T("No model is new or scores differently.")
	}
	return line + "."
}

// pair pairs the models of two answers by their names. Where an answer has several of one name, the first is paired with the first, and so on.
func pair(earlier, later []client.Model) []ModelChange {
	before := map[plain.Text][]int{}
	for i, m := range earlier {
		before[m.Name] = append(before[m.Name], i)
	}
	all := make([]ModelChange, 0, len(later))
	used := make([]bool, len(earlier))
	for _, m := range later {
		one := ModelChange{Name: ModelName(m), Ensemble: m.IsEnsemble(), After: stateOf(m), Score: ScoreChange{After: ModelScore(m)}}
		if same := before[m.Name]; len(same) > 0 {
			was := earlier[same[0]]
			used[same[0]], before[m.Name] = true, same[1:]
			one.Before, one.Score = stateOf(was), changeOf(ModelScore(was), ModelScore(m))
		}
		all = append(all, one)
	}
	for i, m := range earlier {
		if !used[i] {
			all = append(all, ModelChange{Name: ModelName(m), Ensemble: m.IsEnsemble(), Before: stateOf(m), Score: ScoreChange{Before: ModelScore(m)}})
		}
	}
	slices.SortStableFunc(all, func(a, b ModelChange) int { return cmp.Compare(rankOfChange(a), rankOfChange(b)) })
	return all
}

func rankOfChange(m ModelChange) int {
	if m.Ensemble {
		return 0
	}
	return 1
}

func stateOf(m client.Model) *ModelState {
	words := Say(m.Status)
	state := &ModelState{Status: m.Status, Mark: words.Mark, Words: words.Short, Failed: m.Status == client.UnableToEvaluate}
	if !m.Applies() {
		state.Mark, state.Words = MarkNotAssessable, i18n.T("not applicable")
	}
	if ModelScore(m) == nil {
		state.Gap = Gap(m)
	}
	return state
}

// longestExact is how many characters of a number are computed with: no model needs more digits, and an answer may hold any.
const longestExact = 64

// changeOf is a score before and after, with the exact difference of the two numbers as they were sent. Numbers of different fields, such as a
// normalised and a final score, are not compared.
func changeOf(before, after *Number) ScoreChange {
	c := ScoreChange{Before: before, After: after}
	if before == nil || after == nil || fieldName(before.Field) != fieldName(after.Field) || len(before.Sent) > longestExact || len(after.Sent) > longestExact {
		return c
	}
	from, ok := new(big.Rat).SetString(before.Sent)
	to, also := new(big.Rat).SetString(after.Sent)
	if !ok || !also {
		return c
	}
	difference := to.Sub(to, from)
	digits, exact := difference.FloatPrec()
	if !exact || digits > 2*longestExact {
		return c
	}
	c.Change = difference.FloatString(digits)
	if difference.Sign() > 0 {
		c.Change = "+" + c.Change
	}
	return c
}

// fieldName is the last name of a field's path.
func fieldName(path string) string { return path[strings.LastIndex(path, ".")+1:] }
