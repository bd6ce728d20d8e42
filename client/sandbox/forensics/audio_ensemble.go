package forensics

import (
	"context"
	"fmt"
	"maps"
)

// The names under which the analysers of recordings report.
const (
	audioSpliceName   = "sandbox-splice-aud"
	audioBandName     = "sandbox-band-aud"
	audioEnsembleName = "sandbox-aud-ensemble"
)

// audioBandWeight is what a band limit counts in the ensemble: some codecs change
// theirs by themselves.
const audioBandWeight = 0.9

// audioBase is the raw score of an analyser that found nothing.
const audioBase = 0.03

// audioAnalyser is one way of listening to a recording.
type audioAnalyser struct {
	name string
	look func(*audioFrames) []audioEvidence
}

var audioAnalysers = []audioAnalyser{
	{audioSpliceName, func(f *audioFrames) []audioEvidence {
		found := audioFloorJumps(f)
		found = append(found, audioSilences(f)...)
		found = append(found, audioBreaks(f)...)
		return append(found, audioOffsets(f)...)
	}},
	{audioBandName, audioBandLimits},
}

// audioRun keeps one analyser's failure from taking the others with it. Its error
// is ctx's alone.
func audioRun(ctx context.Context, a audioAnalyser, f *audioFrames) (m Model, found []audioEvidence, err error) {
	if ctx.Err() != nil {
		return Model{}, nil, ctx.Err()
	}
	defer func() {
		if cause := recover(); cause != nil {
			found = nil
			m = Model{
				Name: a.name, Status: Unable, Code: codeModelError, Message: "This analyser failed on the recording.",
				Data: map[string]any{"error": fmt.Sprint(cause)},
			}
		}
	}()
	found = a.look(f)
	return audioModel(a.name, found), found, nil
}

// audioTogether joins the raw scores of the analysers as independent causes:
//
//	1 − (1 − splice) · (1 − 0.9 · band)
func audioTogether(raw map[string]float64) float64 {
	return 1 - (1-raw[audioSpliceName])*(1-audioBandWeight*raw[audioBandName])
}

// audioSummary is the ensemble's row. An analyser without a score is left out; if
// none has one, the ensemble is UNABLE_TO_EVALUATE.
func audioSummary(models []Model) (Model, []Reason) {
	raw := map[string]float64{}
	for _, m := range models {
		if m.Raw != nil {
			raw[m.Name] = *m.Raw
		}
	}
	if len(raw) == 0 {
		const why = "Every analyser failed on the recording."
		return Model{Name: audioEnsembleName, Ensemble: true, Status: Unable, Code: codeModelError, Message: why}, []Reason{{codeModelError, why}}
	}
	m := scored(audioEnsembleName, audioTogether(raw), map[string]any{"models": maps.Clone(raw), "counted": len(raw)})
	m.Ensemble = true
	return m, nil
}

// scoreChunks gives every chunk what the evidence that touches it weighs, by
// model, and joins the models by the ensemble's rule.
func (r *AudioReport) scoreChunks(evidence map[string][]audioEvidence) {
	const touch = 0.05 // seconds of a chunk that a longer piece of evidence must cover
	for i := range r.Chunks {
		c := &r.Chunks[i]
		raw := map[string]float64{}
		for _, m := range r.Models {
			c.Scores[m.Name] = nil
			if m.Raw == nil || m.Ensemble {
				continue
			}
			raw[m.Name] = audioBase
			for _, e := range evidence[m.Name] {
				shared := min(e.end, c.End) - max(e.start, c.Start)
				if shared > min(touch, (e.end-e.start)/2) {
					raw[m.Name] = max(raw[m.Name], e.raw)
				}
			}
			c.Scores[m.Name] = scored(m.Name, raw[m.Name], map[string]any{}).Score
		}
		if len(raw) == 0 {
			continue
		}
		m := scored(audioEnsembleName, audioTogether(raw), map[string]any{})
		c.Scores[audioEnsembleName] = m.Score
		c.Decision, _ = m.Data["decision"].(string)
	}
}

// audioConclusion puts a model's row into a sentence.
func audioConclusion(m Model) string {
	return found(m, "no sign", map[string]string{
		audioSpliceName:   "of a cut, an inserted silence or a piece with another background",
		audioBandName:     "of a piece with another frequency range",
		audioEnsembleName: "of an altered part, taken together",
	})
}
