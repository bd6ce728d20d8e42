package forensics

import (
	"context"
	"math"
	"slices"
)

// provenance is the analyser of what a file says about itself: text that
// generators leave, the program named in EXIF or XMP, IPTC's DigitalSourceType,
// and the claim of a C2PA manifest. No signature is verified: whoever can write a
// file can write, change or remove all of this.
//
// The score is that of the strongest trace: a declaration of generated media 99,
// a generator's own parameters 98, its name 95, a declared composite with
// generated media, or a generated ingredient, 92; a declared synthetic composite
// or other algorithmic media about 55, which is SUSPICIOUS. Cameras, editors and
// declared captures are listed in the data and count for nothing. Without a trace
// that counts the analyser doesn't apply: finding nothing is no sign of
// authenticity.
type provenance struct{}

func (provenance) name() string { return provenanceName }

// listed is how many traces a report repeats.
const listed = 40

func (provenance) analyse(ctx context.Context, pic *picture) (Model, []BBox, error) {
	traces := textTraces(pic)
	if err := ctx.Err(); err != nil {
		return Model{}, nil, err
	}
	traces = append(traces, exifTraces(pic)...)
	traces = append(traces, xmpTraces(pic)...)
	claims, hasManifest := c2paTraces(pic)
	traces = append(traces, claims...)
	slices.SortStableFunc(traces, func(a, b trace) int { return compare(b.points, a.points) })

	data := map[string]any{"c2pa_manifest": hasManifest, "c2pa_signature_verified": false}
	rows := []map[string]any{}
	strongest := 0.0
	for i, t := range traces {
		strongest = math.Max(strongest, t.points)
		if i < listed {
			rows = append(rows, t.asData())
		}
	}
	data["traces"] = rows
	if strongest == 0 {
		return notApplicable(provenanceName, noTrace, data), nil, nil
	}
	return scored(provenanceName, strongest, data), nil, nil
}
