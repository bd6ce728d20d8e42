package forensics

import (
	"bytes"

	"assay/client/media/facts"
)

// ingredientPoints is what a generated ingredient counts for: the picture was
// made from one, as a declared composite is.
const ingredientPoints = 0.92

// c2paTraces judges the claims and actions of a picture's C2PA manifests, and
// tells whether there is a manifest at all. The last manifest of a store is the
// picture's own, the others are those of its ingredients (C2PA specification,
// 11.1.4). Hashes and signatures are not checked.
func c2paTraces(p *picture) (found []trace, hasManifest bool) {
	for _, data := range facts.ManifestStores(bytes.NewReader(p.data), int64(len(p.data)), factsFormats[p.format]) {
		for _, store := range superboxes(data) {
			for i, manifest := range store.boxes {
				hasManifest = true
				traces := manifestTraces(manifest)
				if i < len(store.boxes)-1 {
					for j := range traces {
						traces[j].where = "C2PA ingredient"
						traces[j].points = min(traces[j].points, ingredientPoints)
					}
				}
				found = append(found, traces...)
			}
		}
	}
	return found, hasManifest
}

// manifestTraces judges what one manifest states.
func manifestTraces(manifest *box) []trace {
	var found []trace
	for _, named := range manifest.stated.Generators {
		found = append(found, fromText("C2PA", named.Key, named.Value))
	}
	for _, action := range manifest.stated.Actions {
		if action.SourceType != "" {
			found = append(found, fromSourceType("C2PA", action.SourceType))
		}
		if action.Agent != "" {
			found = append(found, fromText("C2PA", "softwareAgent", action.Agent))
		}
	}
	return found
}
