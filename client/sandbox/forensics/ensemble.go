package forensics

import (
	"slices"
	"strings"
)

// noiseWeight is what the noise analyser counts in the ensemble: it reacts to
// honest scenes more easily than the error levels do.
const noiseWeight = 0.6

// ensemble sums up the analysers. The probabilities of the pixel analysers are
// joined as independent causes (noisy or):
//
//	pixels = 1 − (1 − ela) · (1 − 0.6 · noise) · (1 − copymove)
//
// and the result is the larger of that and the provenance score, which exists only
// where the file tells of a generator. An analyser without a score is left out.
// The bands are those of every model: FAKE from 70, SUSPICIOUS from 40, AUTHENTIC
// below. If no analyser has a score, the ensemble has none and is NOT_APPLICABLE,
// or UNABLE_TO_EVALUATE if that is because one failed.
func ensemble(models []Model) (Model, []Reason) {
	innocent, declared := 1.0, 0.0
	counted, failed := 0, 0
	parts := map[string]any{}
	for _, m := range models {
		if m.Status == Unable {
			failed++
		}
		if m.Raw == nil {
			continue
		}
		counted++
		parts[m.Name] = *m.Raw
		switch m.Name {
		case provenanceName:
			declared = *m.Raw
		case noiseName:
			innocent *= 1 - noiseWeight**m.Raw
		default:
			innocent *= 1 - *m.Raw
		}
	}
	switch {
	case counted > 0:
		m := scored(ensembleName, max(1-innocent, declared), map[string]any{"models": parts, "counted": counted})
		m.Ensemble = true
		return m, nil
	case failed > 0:
		m := Model{Name: ensembleName, Ensemble: true, Status: Unable, Code: codeModelError, Message: "An analyser failed and no other applies."}
		return m, []Reason{{Code: codeModelError, Message: m.Message}}
	default:
		m := notApplicable(ensembleName, whyNoneApplies(models), nil)
		m.Ensemble = true
		return m, []Reason{{Code: "quality", Message: m.Message}}
	}
}

// noTrace is what a file says that names no generator. It is no reason why the others do not apply.
const noTrace = "The file carries no generator's trace; that says nothing either way."

// whyNoneApplies is what the analysers say of why they do not apply, each sentence once.
func whyNoneApplies(models []Model) string {
	var reasons []string
	for _, m := range models {
		if m.Message != noTrace && !slices.Contains(reasons, m.Message) {
			reasons = append(reasons, m.Message)
		}
	}
	if len(reasons) == 0 {
		return noTrace
	}
	return strings.Join(reasons, " ")
}

// conclusion puts a model's row into a sentence.
func conclusion(m Model) string {
	return found(m, "no sign", map[string]string{
		elaName:        "of a part with another compression history",
		noiseName:      "of a part with another grain",
		copyMoveName:   "of a part that occurs twice",
		provenanceName: "in the file that a machine made the picture or part of it",
		ensembleName:   "of manipulation or generation, taken together",
	})
}
