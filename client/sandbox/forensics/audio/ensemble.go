package audio

import (
	"context"
	"fmt"
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

// bandWeight is the weight of a band limit in the ensemble, since some codecs change
// theirs by themselves.
const bandWeight = 0.9

// base is the raw score of an analyser that found nothing.
const base = 0.03

// analyser is one method of analysing a recording.
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

// run runs one analyser on a recording.
func run(ctx context.Context, a analyser, f *frames) (forensics.Model, []evidence, error) {
	return forensics.Run(ctx, a.name, "This analyser failed on the recording.", func() (forensics.Model, []evidence, error) {
		found := a.look(f)
		return model(a.name, found), found, nil
	})
}

// together combines the raw scores of the analysers as independent causes:
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

// scoreChunks gives every chunk the weight of the evidence that overlaps it, for each
// model, and combines the models by the ensemble's rule.
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
		c.Decision = m.PartDecision()
	}
}

// conclusion is a sentence for a model's row.
func conclusion(m forensics.Model) string {
	return forensics.Found(m, "no sign", map[string]string{
		spliceName:   "of a cut, an inserted silence or a piece with another background",
		bandName:     "of a piece with another frequency range",
		ensembleName: "of an altered part, taken together",
	})
}

// evidence is an interval of a recording in which an analyser found an anomaly.
type evidence struct {
	kind       string // what was found, for Data
	start, end float64
	raw        float64 // 0..1
	measure    float64 // the measured value, in the unit of its kind
}

// rise maps a measure to 0..1 by a logistic curve: 0.5 at middle, and 0.88
// at middle + 2·width.
func rise(measure, middle, width float64) float64 {
	return 1 / (1 + math.Exp(-(measure-middle)/width))
}

// quantile returns a quantile of values, which it does not change. No values
// give 0.
func quantile(values []float32, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return float64(sorted[int(q*float64(len(sorted)-1))])
}

// model makes a model's row from its evidence. The whole scores as its
// strongest part.
func model(name string, evidence []evidence) forensics.Model {
	raw := base
	found := make([]map[string]any, 0, len(evidence))
	for _, e := range evidence {
		raw = max(raw, e.raw)
		found = append(found, map[string]any{"kind": e.kind, "start": e.start, "end": e.end, "raw_score": e.raw, "measure": e.measure})
	}
	return forensics.ScoredModel(name, raw, map[string]any{"evidence": found})
}

// When a recording can't be scored.
const (
	shortest      = 1.5   // seconds, as the service interface has it
	mute          = -85.0 // dB; a recording whose loudest frames stay below is silent
	active        = 30.0  // dB below the loudest frames that a sounding frame may lie
	toneLike      = 0.75  // likeness over 160 ms from which a frame's tones stand still …
	toneCrest     = 12.0  // dB … if they also stand out so far
	toneShare     = 0.45  // of the sounding frames, from which it is a tone or music
	quietSpread   = 7.0   // dB between loud and quiet frames, below which no voice stands out
	noisySpread   = 11.0  // dB, below which it doesn't either if the sound is also …
	noisyFlatness = 0.25  // … as flat as this in the median
)

// reasons returns why a recording can't be scored, or nothing. The measures are added
// to the models' Data.
//
//   - duration: shorter than 1.5 s;
//   - quality: silent throughout (below −85 dB); or too noisy, that is, the loud
//     frames (95th percentile) stand less than 7 dB above the quiet ones (10th), or
//     less than 11 dB with a median spectral flatness of 0.25 or more;
//   - detected: in 45 % of the sounding frames or more, the narrow peaks of the
//     spectrum between 200 and 4000 Hz stand out by 12 dB and are where they were
//     160 ms earlier (likeness 0.75): so do dial tones and held notes, and not a
//     voice, whose pitch moves;
//   - cross-talk: two voices of different pitch take turns, as turns finds out.
//     It is checked only if no other reason applies.
func reasons(f *frames) ([]forensics.Reason, map[string]any) {
	data := map[string]any{"duration": f.duration()}
	if f.duration() < shortest {
		return []forensics.Reason{{Code: "duration", Message: fmt.Sprintf("The recording lasts %.1f s; at least %.1f s are needed.", f.duration(), shortest)}}, data
	}
	loud, quiet := quantile(f.level, 0.95), quantile(f.level, 0.1)
	data["loud_db"], data["quiet_db"] = loud, quiet
	if loud < mute {
		return []forensics.Reason{{Code: "quality", Message: "The recording is silent throughout."}}, data
	}
	sounding, tones := 0, 0
	for i, level := range f.level {
		if float64(level) < loud-active {
			continue
		}
		sounding++
		if f.tonal[i] >= toneLike && f.crest[i] >= toneCrest {
			tones++
		}
	}
	share := float64(tones) / float64(max(sounding, 1))
	flat := quantile(f.flatness, 0.5)
	data["steady_tones"], data["flatness"], data["pauses"] = share, flat, len(pauses(f))
	var reasons []forensics.Reason
	if share >= toneShare {
		reasons = append(reasons, forensics.Reason{Code: "detected", Message: "The recording is a steady tone (such as a dial tone) or music."})
	} else if spread := loud - quiet; spread < quietSpread || (spread < noisySpread && flat >= noisyFlatness) {
		reasons = append(reasons, forensics.Reason{Code: "quality", Message: "The recording is too noisy: nothing stands out of the noise."})
	} else if turns := turns(f); turns.twoSpeakers() {
		data["low_pitch_hz"], data["high_pitch_hz"], data["speaker_changes"] = turns.low, turns.high, turns.changes
		reasons = append(reasons, forensics.Reason{Code: "cross-talk", Message: "More than one speaker is heard: two ranges of pitch take turns."})
	}
	return reasons, data
}
