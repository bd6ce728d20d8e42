// Package text analyses texts: for repeated words, and for sentences that run too evenly.
package text

import (
	"context"
	"fmt"

	"assay/client/sandbox/forensics"
)

// The names under which the analysers of texts report.
const (
	repetitionName = "sandbox-repetition-txt"
	burstinessName = "sandbox-burstiness-txt"
	ensembleName   = "sandbox-txt-ensemble"
)

// fewestTextWords is how many words a text must have: below, neither a share of
// repeated words nor a variation of sentence lengths means anything.
const fewestTextWords = 50

// analyser is one method of analysing a text. Its marks may be nil.
type analyser struct {
	name    string
	analyse func(ctx context.Context, p *prose) (forensics.Model, []Mark, error)
}

// analysers are in the order in which they report.
var analysers = []analyser{
	{repetitionName, repetition},
	{burstinessName, burstiness},
}

// Models lists the models' names in the order in which they report, the
// ensemble last.
func Models() []string {
	names := make([]string, 0, len(analysers)+1)
	for _, a := range analysers {
		names = append(names, a.name)
	}
	return append(names, ensembleName)
}

// Analyse analyses a text on the calling goroutine, in a fraction of a second: of a long
// one the first 200,000 words. Bytes are decoded as Decode does, and the report's
// marks are offsets in its result.
//
// Both analysers are classic statistics of style, and weak signals: a refrain, a
// contract, a list or a careful stylist can stir them, and a machine's text that
// was asked for variety stirs neither. They tell nothing about who wrote a text.
// Burstiness alone can at most be SUSPICIOUS; FAKE takes a text of which more
// than half is said again, word for word.
//
// A text in another language than English, Spanish or Portuguese is NOT_APPLICABLE
// (reason "language"), as is one of fewer than 50 words (reason "length"). If
// the language can't be determined, Languages is empty and the statistics, which need
// none, are computed all the same.
//
// finished, which may be nil, is called on the calling goroutine as each model
// ends, the ensemble last. Bytes that are no text return an *Unreadable; if ctx ends,
// its error is returned.
func Analyse(ctx context.Context, data []byte, finished func(forensics.Model)) (*Report, error) {
	text, err := Decode(data)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if finished == nil {
		finished = func(forensics.Model) {}
	}
	report := &Report{Conclusions: map[string]string{}}
	add := func(m forensics.Model) {
		report.Models = append(report.Models, m)
		report.Conclusions[m.Name] = conclusion(m)
		finished(m)
	}

	p := readProse(text)
	language := language(p)
	if language != "" {
		report.Languages = []string{language}
	}
	if reason := unfit(p, language); reason != nil {
		for _, a := range analysers {
			add(forensics.NotApplicableModel(a.name, reason.Message, map[string]any{}))
		}
		summary := forensics.NotApplicableModel(ensembleName, reason.Message, map[string]any{})
		summary.Ensemble = true
		report.Status, report.Reasons = summary.Status, []forensics.Reason{*reason}
		add(summary)
		return report, nil
	}

	for _, a := range analysers {
		m, marks, err := run(ctx, a, p)
		if err != nil {
			return nil, err
		}
		report.Marks = append(report.Marks, marks...)
		add(m)
	}
	summary, reasons := ensemble(report.Models)
	report.Status, report.Score, report.Reasons = summary.Status, summary.Score, reasons
	add(summary)
	return report, nil
}

// unfit returns why a text can't be judged, or nil.
func unfit(p *prose, language string) *forensics.Reason {
	switch language {
	case "", "English", "Spanish", "Portuguese":
	default:
		return &forensics.Reason{Code: "language", Message: fmt.Sprintf("The text is more likely in %s; the sandbox reads English, Spanish and Portuguese.", language)}
	}
	if len(p.words) < fewestTextWords {
		return &forensics.Reason{Code: "length", Message: fmt.Sprintf("The text is too short: it has %d words, and at least %d are needed.", len(p.words), fewestTextWords)}
	}
	return nil
}

// run runs one analyser on a text.
func run(ctx context.Context, a analyser, p *prose) (forensics.Model, []Mark, error) {
	return forensics.Run(ctx, a.name, "This analyser failed on the text.", func() (forensics.Model, []Mark, error) { return a.analyse(ctx, p) })
}

// ensemble takes the larger of the two scores: each is about one property of
// the text, and two weak signs don't make a strong one.
func ensemble(models []forensics.Model) (forensics.Model, []forensics.Reason) {
	strongest, counted, failed := 0.0, 0, 0
	for _, m := range models {
		if m.Status == forensics.Unable {
			failed++
		}
		if m.Raw != nil {
			counted++
			strongest = max(strongest, *m.Raw)
		}
	}
	var m forensics.Model
	var reasons []forensics.Reason
	switch {
	case counted > 0:
		m = forensics.ScoredModel(ensembleName, strongest, map[string]any{"counted": counted})
	case failed > 0:
		m = forensics.Model{Name: ensembleName, Status: forensics.Unable, Code: forensics.CodeModelError, Message: "An analyser failed and no other applies."}
		reasons = []forensics.Reason{{Code: forensics.CodeModelError, Message: m.Message}}
	default:
		m = forensics.NotApplicableModel(ensembleName, forensics.WhyNoneApplies(models), map[string]any{})
		reasons = []forensics.Reason{{Code: "models", Message: m.Message}}
	}
	m.Ensemble = true
	return m, reasons
}

// conclusion is a sentence for a model's row.
func conclusion(m forensics.Model) string {
	return forensics.Found(m, "no marked sign", map[string]string{
		repetitionName: "of passages or sentence openings that are said again",
		burstinessName: "of sentences and words spread more evenly than usual",
		ensembleName:   "of mechanical writing, taken together",
	})
}

// Report is the result of all analysers for one text.
type Report struct {
	Models      []forensics.Model // in the order of Models, the ensemble last
	Status      forensics.Status  // the ensemble's
	Score       *float64
	Reasons     []forensics.Reason // why there is no score, for NOT_APPLICABLE and UNABLE_TO_EVALUATE
	Languages   []string           // English names, the likeliest only; empty if it can't be determined
	Conclusions map[string]string  // a sentence by model name
	Marks       []Mark             // sorted by place, never overlapping, at most 5,000
}

// Mark is a passage to which an analyser reacted.
type Mark struct {
	Start, End int     // bytes of the result of Decode; End is exclusive
	Kind       string  // MarkRepeated or MarkOpening
	Score      float64 // strictly between 0 and 100: grows with how often the words occur
}

// The kinds of marks.
const (
	MarkRepeated = "repeated" // words that occurred earlier in the text
	MarkOpening  = "opening"  // a sentence that begins like an earlier one
)
