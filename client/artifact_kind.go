package client

import "net/http"

// The largest artifacts that are read, in bytes, whatever limit the caller gives.
const (
	MaxOriginal       = 250 << 20 // the largest cap of an upload (interface, "Size caps")
	MaxThumbnail      = 16 << 20
	MaxHeatmap        = 64 << 20
	MaxAggregation    = 64 << 20
	MaxExplainability = 16 << 20
)

// Original picks the address of the media itself, "" where a retention policy removed it.
func Original(r *Result) string { return r.StorageLocation }

// Thumbnail picks the address of the small picture, "" where there is none.
func Thumbnail(r *Result) string { return r.Thumbnail }

// Aggregation picks the address of the aggregation JSON. AggregationResultURL is a storage key and never requested.
func Aggregation(r *Result) string { return r.ModelMetadataURL }

// AudioAggregation picks the address of the aggregation JSON of a video's sound.
func AudioAggregation(r *Result) string { return r.AudioModelMetadataURL }

// Explainability picks the address of the HTML page that explains a text's result. It may hold scripts.
func Explainability(r *Result) string { return r.ExplainabilityURL }

// HeatmapOf returns what picks the address of a model's heatmap, a PNG, by the model's name as sent: "" for a model that UsableHeatmaps leaves out.
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

// artifactKind is what is expected behind an address.
type artifactKind struct {
	limit     int64
	plausible func(*http.Response, []byte) bool // else a page, such as a network's log-in, answered in its place
}

// kindOfArtifact says what the result has behind an address; ok is false for one that is none of its usable links.
func (r *Result) kindOfArtifact(address string) (kind artifactKind, ok bool) {
	switch address {
	case "":
		return artifactKind{}, false
	case r.ExplainabilityURL:
		return artifactKind{MaxExplainability, func(*http.Response, []byte) bool { return true }}, true
	case r.StorageLocation:
		// a text may be a page's source
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
