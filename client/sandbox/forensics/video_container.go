package forensics

import (
	"cmp"
	"slices"
)

// videoContainer is the analyser of what a clip's file says of itself. Its score is
// that of the strongest trace, as for pictures: a declaration of generated
// media 99, a generator's parameters 98, its name 95. Without one it doesn't apply:
// brands, times, encoders and edit lists are facts for a person, and no signs.
func videoContainer(f *videoFacts) Model {
	traces := slices.Clone(f.traces)
	slices.SortStableFunc(traces, func(a, b trace) int { return cmp.Compare(b.points, a.points) })
	rows := []map[string]any{}
	strongest := 0.0
	for i, t := range traces {
		strongest = max(strongest, t.points)
		if i < listed {
			rows = append(rows, t.asData())
		}
	}
	data := map[string]any{"traces": rows, "c2pa_manifest": f.manifest, "c2pa_signature_verified": false}
	if strongest == 0 {
		return notApplicable(videoContainerName, noTrace, data)
	}
	return scored(videoContainerName, strongest, data)
}
