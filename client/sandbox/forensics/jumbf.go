package forensics

import "assay/client/media/facts"

// box is a C2PA manifest store, or a manifest in it with what it states.
type box struct {
	label  string
	boxes  []*box
	stated facts.Manifest
}

// superboxes reads the manifest store in JUMBF data, none where there is none.
// What is malformed is left out.
func superboxes(data []byte) []*box {
	manifests := facts.Manifests(data)
	if len(manifests) == 0 {
		return nil
	}
	store := &box{label: "c2pa"}
	for _, m := range manifests {
		store.boxes = append(store.boxes, &box{label: m.Label, stated: m})
	}
	return []*box{store}
}
