package audio

import (
	"context"
	"maps"
	"math"
	"slices"

	"assay/client/sandbox/forensics"
)

// The names under which the analysers of recordings report.
const (
	spliceName   = "sandbox-splice-aud"
	bandName     = "sandbox-band-aud"
	ensembleName = "sandbox-aud-ensemble"
)

// bandWeight is what a band limit counts in the ensemble: some codecs change
// theirs by themselves.
const bandWeight = 0.9

// base is the raw score of an analyser that found nothing.
const base = 0.03

// analyser is one way of listening to a recording.
type analyser struct {
	name string
	look func(*frames) []evidence
}

var analysers = []analyser{
	{spliceName, func(f *frames) []evidence {
		found := floorJumps(f)
		found = append(found, silences(f)...)
		found = append(found, breaks(f)...)
		return append(found, offsets(f)...)
	}},
	{bandName, bandLimits},
}

// run has one analyser look at a recording.
func run(ctx context.Context, a analyser, f *frames) (forensics.Model, []evidence, error) {
	return forensics.Run(ctx, a.name, "This analyser failed on the recording.", func() (forensics.Model, []evidence, error) {
		found := a.look(f)
		return model(a.name, found), found, nil
	})
}

// together joins the raw scores of the analysers as independent causes:
//
//	1 − (1 − splice) · (1 − 0.9 · band)
func together(raw map[string]float64) float64 {
	return 1 - (1-raw[spliceName])*(1-bandWeight*raw[bandName])
}

// summarise is the ensemble's row. An analyser without a score is left out; if
// none has one, the ensemble is UNABLE_TO_EVALUATE.
func summarise(models []forensics.Model) (forensics.Model, []forensics.Reason) {
	raw := map[string]float64{}
	for _, m := range models {
		if m.Raw != nil {
			raw[m.Name] = *m.Raw
		}
	}
	if len(raw) == 0 {
		const why = "Every analyser failed on the recording."
		return forensics.Model{Name: ensembleName, Ensemble: true, Status: forensics.Unable, Code: forensics.CodeModelError, Message: why}, []forensics.Reason{{Code: forensics.CodeModelError, Message: why}}
	}
	m := forensics.ScoredModel(ensembleName, together(raw), map[string]any{"models": maps.Clone(raw), "counted": len(raw)})
	m.Ensemble = true
	return m, nil
}

// scoreChunks gives every chunk what the evidence that touches it weighs, by
// model, and joins the models by the ensemble's rule.
func (r *Report) scoreChunks(evidence map[string][]evidence) {
	const touch = 0.05 // seconds of a chunk that a longer piece of evidence must cover
	for i := range r.Chunks {
		c := &r.Chunks[i]
		raw := map[string]float64{}
		for _, m := range r.Models {
			c.Scores[m.Name] = nil
			if m.Raw == nil || m.Ensemble {
				continue
			}
			raw[m.Name] = base
			for _, e := range evidence[m.Name] {
				shared := min(e.end, c.End) - max(e.start, c.Start)
				if shared > min(touch, (e.end-e.start)/2) {
					raw[m.Name] = max(raw[m.Name], e.raw)
				}
			}
			c.Scores[m.Name] = forensics.ScoredModel(m.Name, raw[m.Name], map[string]any{}).Score
		}
		if len(raw) == 0 {
			continue
		}
		m := forensics.ScoredModel(ensembleName, together(raw), map[string]any{})
		c.Scores[ensembleName] = m.Score
		c.Decision, _ = m.Data["decision"].(string)
	}
}

// conclusion puts a model's row into a sentence.
func conclusion(m forensics.Model) string {
	return forensics.Found(m, "no sign", map[string]string{
		spliceName:   "of a cut, an inserted silence or a piece with another background",
		bandName:     "of a piece with another frequency range",
		ensembleName: "of an altered part, taken together",
	})
}

// evidence is a stretch of a recording that one look found odd.
type evidence struct {
	kind       string // what was found, for Data
	start, end float64
	raw        float64 // 0..1
	measure    float64 // what the look measured, in its own unit
}

// rise maps a measure to 0..1 by a logistic curve: 0.5 at middle, and 0.88
// at middle + 2·width.
func rise(measure, middle, width float64) float64 {
	return 1 / (1 + math.Exp(-(measure-middle)/width))
}

// quantile gives a quantile of values, which it leaves alone. No value
// gives 0.
func quantile(values []float32, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return float64(sorted[int(q*float64(len(sorted)-1))])
}

// model makes a model's row from the evidence it found. The whole is as odd
// as its oddest part.
func model(name string, evidence []evidence) forensics.Model {
	raw := base
	found := make([]map[string]any, 0, len(evidence))
	for _, e := range evidence {
		raw = max(raw, e.raw)
		found = append(found, map[string]any{"kind": e.kind, "start": e.start, "end": e.end, "raw_score": e.raw, "measure": e.measure})
	}
	return forensics.ScoredModel(name, raw, map[string]any{"evidence": found})
}
