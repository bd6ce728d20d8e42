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

// UsableHeatmaps lists the heatmaps that may be fetched, in the order of the models: those of an image's
// non-ensemble models whose status is FAKE (decision ARTIFICIAL, where one is given). The links of all other entries are invalid.
func (r *Result) UsableHeatmaps() []Heatmap {
	if r.MediaType != Image {
		return nil
	}
	var usable []Heatmap
	for _, m := range r.Models {
		if m.Status != Fake || m.IsEnsemble() {
			continue
		}
		if decision := m.Decision(); !decision.IsZero() && !strings.EqualFold(decision.Verbatim(), "ARTIFICIAL") {
			continue
		}
		if address := r.Heatmaps[m.Name.Verbatim()]; address != "" {
			usable = append(usable, Heatmap{Model: m.Name, URL: address})
		}
	}
	return usable
}
