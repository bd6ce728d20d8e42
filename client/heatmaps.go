package client

import (
	"strings"

	"assay/client/plain"
)

// Heatmap is a usable heatmap of a result.
type Heatmap struct {
	Model plain.Text // the model's name
	URL   string     // pre-signed, to be fetched by Artifact
}

// MaxHeatmaps is how many heatmaps of a result are fetched, kept and offered: more than a person looks at.
const MaxHeatmaps = 100

// UsableHeatmaps lists the heatmaps that may be fetched, in the order of the models and at most MaxHeatmaps: those of an image's
// non-ensemble models whose status is FAKE (decision ARTIFICIAL, where one is given). The links of all other entries are invalid.
func (r *Result) UsableHeatmaps() []Heatmap {
	if r.MediaType != Image {
		return nil
	}
	var usable []Heatmap
	for _, m := range r.Models {
		address := r.Heatmaps[m.Name.Verbatim()]
		if m.Status != Fake || address == "" || m.IsEnsemble() {
			continue
		}
		if decision := m.Decision(); !decision.IsZero() && !strings.EqualFold(decision.Verbatim(), "ARTIFICIAL") {
			continue
		}
		if usable = append(usable, Heatmap{Model: m.Name, URL: address}); len(usable) == MaxHeatmaps {
			break
		}
	}
	return usable
}
