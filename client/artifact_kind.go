package client

import (
	"net/http"
	"strings"

	"assay/client/plain"
)

// The largest artifacts that are read, in bytes, whatever limit the caller sets.
const (
	MaxOriginal       = 250 << 20 // the largest cap of an upload (interface, "Size caps")
	MaxThumbnail      = 16 << 20
	MaxHeatmap        = 64 << 20
	MaxAggregation    = 64 << 20
	MaxExplainability = 16 << 20
)

// Original picks the link to the media itself, "" where a retention policy removed it.
func Original(r *Result) string { return r.StorageLocation }

// Thumbnail picks the link to the small picture, "" where there is none.
func Thumbnail(r *Result) string { return r.Thumbnail }

// Aggregation picks the link to the aggregation JSON. AggregationResultURL is a storage key and never requested.
func Aggregation(r *Result) string { return r.ModelMetadataURL }

// AudioAggregation picks the link to the aggregation JSON of a video's sound.
func AudioAggregation(r *Result) string { return r.AudioModelMetadataURL }

// Explainability picks the link to the HTML page that explains a text's result. It may hold scripts.
func Explainability(r *Result) string { return r.ExplainabilityURL }

// HeatmapOf returns a function that picks the link to a model's heatmap, a PNG, by the model's name as sent; it picks "" for a model that
// UsableHeatmaps leaves out.
func HeatmapOf(model string) func(*Result) string {
	return func(r *Result) string {
		for _, h := range r.UsableHeatmaps() {
			if h.Model.Verbatim() == model {
				return h.URL
			}
		}
		return ""
	}
}

// artifactKind is what is expected behind a link.
type artifactKind struct {
	limit     int64
	plausible func(*http.Response, []byte) bool // false where a page, such as a network's log-in, answered in its place
}

// kindOfArtifact returns what a link of the result leads to; ok is false if it is none of the result's usable links.
func (r *Result) kindOfArtifact(address string) (kind artifactKind, ok bool) {
	switch address {
	case "":
		return artifactKind{}, false
	case r.ExplainabilityURL:
		return artifactKind{MaxExplainability, func(*http.Response, []byte) bool { return true }}, true
	case r.StorageLocation:
		// a text may itself be the source of a web page
		return artifactKind{MaxOriginal, func(resp *http.Response, body []byte) bool {
			return !isPage(resp, nil) && (r.MediaType == Text || !isPage(resp, body))
		}}, true
	case r.ModelMetadataURL, r.AudioModelMetadataURL:
		return artifactKind{MaxAggregation, isNoPage}, true
	case r.Thumbnail:
		return artifactKind{MaxThumbnail, isNoPage}, true
	}
	for _, h := range r.UsableHeatmaps() {
		if h.URL == address {
			return artifactKind{MaxHeatmap, isNoPage}, true
		}
	}
	return artifactKind{}, false
}

func isNoPage(resp *http.Response, body []byte) bool { return !isPage(resp, body) }

// Heatmap is a usable heatmap of a result.
type Heatmap struct {
	Model plain.Text // the model's name
	URL   string     // pre-signed, to be fetched by Artifact
}

// MaxHeatmaps is how many heatmaps of a result are fetched, kept and offered at most: more than a person looks at.
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
