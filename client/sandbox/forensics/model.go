package forensics

import (
	"image"
	"math"
)

// The names under which the analysers of pictures report.
const (
	elaName        = "sandbox-ela-img"
	noiseName      = "sandbox-noise-img"
	copyMoveName   = "sandbox-copymove-img"
	provenanceName = "sandbox-provenance-img"
	ensembleName   = "sandbox-img-ensemble"
)

// The codes of Model.Code.
const (
	codeNotApplicable = "not_applicable"
	codeModelError    = "model-error"
)

// Model is what one analyser found. Ensemble is true for the summary row alone.
type Model struct {
	Name     string
	Ensemble bool
	Status   Status
	Raw      *float64 // 0..1; nil: no score
	Score    *float64 // strictly between 0 and 100; nil: no score
	Code     string   // "not_applicable", "model-error" or ""
	Message  string   // why it doesn't apply or what failed, a sentence; or ""

	// Data holds details for JSON: the decision (ARTIFICIAL or AUTHENTIC) where
	// there is a score, the statistics behind it, the traces found. Its numbers
	// are finite.
	Data map[string]any

	// Heatmap is an *image.NRGBA of the picture's size on its stored pixel
	// grid, that is, before the EXIF orientation is applied: who shows the
	// picture turned turns both layers alike. Alpha grows with the reaction, in
	// squares of 8 pixels. Only the error level, noise and copy-move analysers
	// give one, and only when they have a score.
	Heatmap image.Image
}

// The decisions that Data and BBox carry.
const (
	decisionArtificial = "ARTIFICIAL"
	decisionAuthentic  = "AUTHENTIC"
)

// scored makes a model's row from a raw score of 0..1.
func scored(name string, raw float64, data map[string]any) Model {
	raw = math.Min(math.Max(raw, 0), 1)
	score := math.Min(math.Max(raw*100, 0.01), 99.99)
	decision := decisionAuthentic
	if score >= fakeFrom {
		decision = decisionArtificial
	}
	data["decision"] = decision
	data["raw_score"] = raw
	data["score"] = score
	return Model{Name: name, Status: statusOf(score), Raw: &raw, Score: &score, Data: data}
}

// notApplicable makes the row of a model that has nothing to say about a picture.
func notApplicable(name, why string, data map[string]any) Model {
	return Model{Name: name, Status: NotApplicable, Code: codeNotApplicable, Message: why, Data: data}
}
