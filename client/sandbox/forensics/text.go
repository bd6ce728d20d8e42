package forensics

import (
	"context"
	"fmt"
)

// The names under which the analysers of texts report.
const (
	textRepetitionName = "sandbox-repetition-txt"
	textBurstinessName = "sandbox-burstiness-txt"
	textEnsembleName   = "sandbox-txt-ensemble"
)

// fewestTextWords is how many words a text must have: below, neither a share of
// repeated words nor a variation of sentence lengths means anything.
const fewestTextWords = 50

// textAnalyser is one way of looking at a text. Its marks may be nil.
type textAnalyser struct {
	name    string
	analyse func(ctx context.Context, p *prose) (Model, []TextMark, error)
}

// textAnalysers are in the order in which they report.
var textAnalysers = []textAnalyser{
	{textRepetitionName, textRepetition},
	{textBurstinessName, textBurstiness},
}

// TextModels lists the models' names in the order in which they report, the
// ensemble last.
func TextModels() []string {
	names := make([]string, 0, len(textAnalysers)+1)
	for _, a := range textAnalysers {
		names = append(names, a.name)
	}
	return append(names, textEnsembleName)
}

// Text analyses a text on the calling goroutine, in a fraction of a second: of a long
// one the first 200,000 words. Bytes are decoded as DecodeText does, and the report's
// marks count in its result.
//
// Both analysers are classic statistics of style, and weak signals: a refrain, a
// contract, a list or a careful stylist can stir them, and a machine's text that
// was asked for variety stirs neither. They tell nothing about who wrote a text.
// Burstiness alone can at most be SUSPICIOUS; FAKE takes a text of which more
// than half is said again, word for word.
//
// A text in another language than English, Spanish or Portuguese is NOT_APPLICABLE
// (reason "language"), as is one of fewer than 50 words (reason "quality"). Where
// the language can't be told, Languages is empty and the statistics, which need
// none, are made all the same.
//
// finished, which may be nil, is called on the calling goroutine as each model
// ends, the ensemble last. Bytes that are no text give an *Unreadable; if ctx ends,
// its error is given.
func Text(ctx context.Context, data []byte, finished func(Model)) (*TextReport, error) {
	text, err := DecodeText(data)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if finished == nil {
		finished = func(Model) {}
	}
	report := &TextReport{Conclusions: map[string]string{}}
	add := func(m Model) {
		report.Models = append(report.Models, m)
		report.Conclusions[m.Name] = textConclusion(m)
		finished(m)
	}

	p := readProse(text)
	language := textLanguage(p)
	if language != "" {
		report.Languages = []string{language}
	}
	if reason := textUnfit(p, language); reason != nil {
		for _, a := range textAnalysers {
			add(notApplicable(a.name, reason.Message, map[string]any{}))
		}
		summary := notApplicable(textEnsembleName, reason.Message, map[string]any{})
		summary.Ensemble = true
		report.Status, report.Reasons = summary.Status, []Reason{*reason}
		add(summary)
		return report, nil
	}

	for _, a := range textAnalysers {
		m, marks, err := runTextAnalyser(ctx, a, p)
		if err != nil {
			return nil, err
		}
		report.Marks = append(report.Marks, marks...)
		add(m)
	}
	summary, reasons := textEnsemble(report.Models)
	report.Status, report.Score, report.Reasons = summary.Status, summary.Score, reasons
	add(summary)
	return report, nil
}

// textUnfit says why a text can't be judged, or gives nil.
func textUnfit(p *prose, language string) *Reason {
	switch language {
	case "", "English", "Spanish", "Portuguese":
	default:
		return &Reason{"language", fmt.Sprintf("The text is more likely in %s; the sandbox reads English, Spanish and Portuguese.", language)}
	}
	if len(p.words) < fewestTextWords {
		return &Reason{"quality", fmt.Sprintf("The text is too short: it has %d words, and at least %d are needed.", len(p.words), fewestTextWords)}
	}
	return nil
}

// runTextAnalyser keeps one analyser's failure from taking the other with it. Its
// error is ctx's alone.
func runTextAnalyser(ctx context.Context, a textAnalyser, p *prose) (m Model, marks []TextMark, err error) {
	failed := func(cause error) Model {
		return Model{
			Name: a.name, Status: Unable, Code: codeModelError,
			Message: "This analyser failed on the text.", Data: map[string]any{"error": cause.Error()},
		}
	}
	defer func() {
		if cause := recover(); cause != nil {
			m, marks, err = failed(fmt.Errorf("panic: %v", cause)), nil, nil
		}
	}()
	m, marks, err = a.analyse(ctx, p)
	if ctx.Err() != nil {
		return Model{}, nil, ctx.Err()
	}
	if err != nil {
		return failed(err), nil, nil
	}
	return m, marks, nil
}

// textEnsemble takes the larger of the two scores: each is about one property of
// the text, and two weak signs don't make a strong one.
func textEnsemble(models []Model) (Model, []Reason) {
	strongest, counted, failed := 0.0, 0, 0
	for _, m := range models {
		if m.Status == Unable {
			failed++
		}
		if m.Raw != nil {
			counted++
			strongest = max(strongest, *m.Raw)
		}
	}
	var m Model
	var reasons []Reason
	switch {
	case counted > 0:
		m = scored(textEnsembleName, strongest, map[string]any{"counted": counted})
	case failed > 0:
		m = Model{Name: textEnsembleName, Status: Unable, Code: codeModelError, Message: "An analyser failed and no other applies."}
		reasons = []Reason{{codeModelError, m.Message}}
	default:
		m = notApplicable(textEnsembleName, whyNoneApplies(models), map[string]any{})
		reasons = []Reason{{"quality", m.Message}}
	}
	m.Ensemble = true
	return m, reasons
}

// textConclusion puts a model's row into a sentence.
func textConclusion(m Model) string {
	return found(m, "no marked sign", map[string]string{
		textRepetitionName: "of passages or sentence openings that are said again",
		textBurstinessName: "of sentences and words spread more evenly than usual",
		textEnsembleName:   "of mechanical writing, taken together",
	})
}
