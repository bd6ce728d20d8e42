package forensics

import (
	"math"
	"slices"
)

// audioEvidence is a stretch of a recording that one look found odd.
type audioEvidence struct {
	kind       string // what was found, for Data
	start, end float64
	raw        float64 // 0..1
	measure    float64 // what the look measured, in its own unit
}

// audioRise maps a measure to 0..1 by a logistic curve: 0.5 at middle, and 0.88
// at middle + 2·width.
func audioRise(measure, middle, width float64) float64 {
	return 1 / (1 + math.Exp(-(measure-middle)/width))
}

// audioQuantile gives a quantile of values, which it leaves alone. No value
// gives 0.
func audioQuantile(values []float32, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return float64(sorted[int(q*float64(len(sorted)-1))])
}

// audioModel makes a model's row from the evidence it found. The whole is as odd
// as its oddest part.
func audioModel(name string, evidence []audioEvidence) Model {
	raw := audioBase
	found := make([]map[string]any, 0, len(evidence))
	for _, e := range evidence {
		raw = max(raw, e.raw)
		found = append(found, map[string]any{"kind": e.kind, "start": e.start, "end": e.end, "raw_score": e.raw, "measure": e.measure})
	}
	return scored(name, raw, map[string]any{"evidence": found})
}
