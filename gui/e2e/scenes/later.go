package scenes

import (
	"maps"
	"slices"
	"strings"
)

// laterRelease is the release of the second answers.
const laterRelease = "2.15.1"

// Repeated are those of the scenes that have a second answer, by a later release, for a second upload of the same bytes.
func Repeated(all []*Scene) (some []*Scene) {
	for _, key := range []string{"image-suspicious", "image-many-models", "image-heatmap-other-shape", "audio-suspicious", "text-fake"} {
		i := slices.IndexFunc(all, func(e *Scene) bool { return e.Key == key })
		if i < 0 {
			continue
		}
		e := *all[i]
		e.Later = e.again()
		some = append(some, &e)
	}
	return some
}

// again is the scene with an answer of the later release: scores that have moved, a model that is new and one that is gone.
func (e *Scene) again() *Scene {
	later := *e
	later.Answer.ReleaseVersion, later.Answer.Models = laterRelease, nil
	later.Artifacts = maps.Clone(e.Artifacts)
	status, by := Fake, 27.0
	if e.Answer.OverallStatus == Fake {
		status, by = Suspicious, -31.25
	}
	later.Answer.OverallStatus, later.Answer.ResultsSummary.Status = status, status
	for i, m := range e.Answer.Models {
		moved := e.Answer.Models[i]
		switch {
		case m.Normalized == nil:
		case i%5 == 4:
			continue // it is gone
		default:
			status, by := status, by
			if m.Status == Authentic {
				status, by = Authentic, by/9
			}
			moved = decided(m.Name, status, min(max(*m.Normalized+by, 0.3), 99.2))
		}
		if m.Name == "svc-llm-txt" {
			moved.Final = nil
		}
		later.Answer.Models = append(later.Answer.Models, moved)
	}
	if score := e.Answer.ResultsSummary.Metadata.FinalScore; score != nil {
		moved := *score + by
		later.Answer.ResultsSummary.Metadata.FinalScore = &moved
	}
	switch {
	case strings.HasPrefix(e.Key, "image-"):
		later.Answer.Models = append(later.Answer.Models, decided("svc-birch-two-img", Fake, 72.4))
		later.with(heatmapsFolder+"svc-oak-img.png", heatmap(300, 225, glow{0.6, 0.4, 0.2, 1}, glow{0.25, 0.6, 0.1, 0.8}))
	case e.Answer.MediaType == "AUDIO":
		later.aggregated(audioParts(chunk(0, 3, Authentic, 22, 0), chunk(3, 6, Fake, 88, 91), chunk(8, 12, Fake, 93, 90)))
	case e.Answer.MediaType == "TEXT":
		later.with(explanationFile, page("ltr", strings.SplitAfter(string(e.Content), ". "), 0, 0.4, 0.9))
	}
	return &later
}
