package present

import (
	"strings"

	"assay/client"
	"assay/client/i18n"
	"assay/client/verdict"
)

// Bar is one model in the chart.
type Bar struct {
	Name     string
	Ensemble bool
	Mark     verdict.Mark
	Score    *verdict.Number // nil: a gap
	Gap      string          // the word in the gap

	// Others are the further numbers on 0..100 that the model reported, such as its rolling average.
	Others []NamedNumber
	// Raw is the score before it was normalised, as sent, with its field; "" where none was sent. It shares no axis with the others.
	Raw Sent
	// Decision is the model's own word, as sent; "" for none.
	Decision string
	Failure  verdict.Reason // why the model failed; zero where it did not, or did not say
	// Contradiction says that its decision is the opposite of its status; "" where it is not.
	Contradiction string
}

// NamedNumber is a number with the words for it.
type NamedNumber struct {
	Words string // "rolling average"
	verdict.Number
}

// Sent is a value as the service sent it, and its path in the answer.
type Sent struct{ Field, Value string }

// String is "models[0].predictionNumber = 0.87", "" for none.
func (s Sent) String() string {
	if s.Field == "" {
		return ""
	}
	return s.Field + " = " + s.Value
}

// Source is the paths of a bar's numbers in the answer, and their values as sent: a line each.
func (b Bar) Source() string {
	lines := []string{i18n.F("%s: %s", b.Name, b.Gap)}
	if b.Score != nil {
		lines = []string{Sent{b.Score.Field, b.Score.Sent}.String()}
	}
	for _, other := range b.Others {
		lines = append(lines, Sent{other.Field, other.Sent}.String()+" ("+other.Words+")")
	}
	if b.Raw.Field != "" {
		lines = append(lines, i18n.F("%s (raw score, on its own scale)", b.Raw))
	}
	if b.Contradiction != "" {
		lines = append(lines, i18n.F("%s: %s", b.Name, b.Contradiction))
	}
	if b.Decision != "" {
		lines = append(lines, i18n.F("Its decision, as sent: %s", b.Decision))
	}
	if said := b.Failure.Said(); said != "" {
		lines = append(lines, said)
	}
	if b.Failure.Code != "" && b.Failure.Message != "" {
		lines = append(lines, i18n.F("Its reason code: %s", b.Failure.Code))
	}
	return strings.Join(lines, "\n")
}

// Field is the path of the bar's number in the answer, "" where it has none.
func (b Bar) Field() string {
	switch {
	case b.Score != nil:
		return b.Score.Field
	case b.Raw.Field != "":
		return b.Raw.Field
	}
	return ""
}

// barsOf are the bars of the models that apply, the ensemble first, and the names of those that do not. Of very many models they are the foremost;
// more is how many that apply are left out.
func barsOf(models []client.Model) (bars []Bar, apart []string, more int) {
	var applicable, others []client.Model
	for _, m := range models {
		if m.Applies() {
			applicable = append(applicable, m)
		} else {
			others = append(others, m)
		}
	}
	applicable, more = verdict.Foremost(applicable)
	var ensembles []Bar
	for _, m := range applicable {
		bar := barOf(m)
		if bar.Ensemble {
			ensembles = append(ensembles, bar)
		} else {
			bars = append(bars, bar)
		}
	}
	return append(ensembles, bars...), verdict.Names(others), more
}

// mostContrary is how many models are named whose decision contradicts their status.
const mostContrary = 5

// belowBars is the text below the bars; more is how many models have no bar.
func belowBars(bars []Bar, more int) string {
	var lines []string
	contrary := 0
	for _, b := range bars {
		if b.Contradiction == "" {
			continue
		}
		if contrary++; contrary <= mostContrary {
			lines = append(lines, i18n.F("%s: %s", b.Name, b.Contradiction))
		}
	}
	if contrary > mostContrary {
		lines = append(lines, verdict.AndMore(contrary-mostContrary))
	}
	if more > 0 {
		lines = append(lines, i18n.N(more, "and %s more model: all are in the data", "and %s more models: all are in the data"))
	}
	return strings.Join(lines, "\n")
}

func barOf(m client.Model) Bar {
	b := Bar{Name: verdict.ModelName(m), Ensemble: m.IsEnsemble(), Mark: verdict.Say(m.Status).Mark, Score: verdict.ModelScore(m),
		Decision: m.Decision().Clip(longestDecision).String(), Contradiction: verdict.ModelContradiction(m)}
	if b.Contradiction != "" {
		b.Mark = verdict.MarkSuspicious
	}
	if b.Score == nil {
		b.Gap = verdict.Gap(m)
	}
	for _, n := range verdict.ModelNumbers(m) {
		if b.Score == nil || n.Field != b.Score.Field {
			b.Others = append(b.Others, NamedNumber{numberWords(n.Field), n})
		}
	}
	b.Raw.Field, b.Raw.Value = verdict.RawScore(m)
	b.Failure = verdict.ModelFailure(m)
	return b
}

// numberWords are the words on screen for a field of a model.
func numberWords(field string) string {
	switch field[strings.LastIndexByte(field, '.')+1:] {
	case "rollingAvgNumber":
		return i18n.T("rolling average")
	case "finalScore":
		return i18n.T("final score")
	}
	return i18n.T("normalised score")
}

// longestDecision is how many characters of a decision are shown.
const longestDecision = 200
