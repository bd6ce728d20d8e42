package forensics

import (
	"errors"
	"strings"

	"github.com/fxamacker/cbor/v2"
)

// claim is what is read of a C2PA claim, versions 1 and 2.
type claim struct {
	Generator string `cbor:"claim_generator"`
	// Info is a list of maps in version 1 and a map in version 2.
	Info any `cbor:"claim_generator_info"`
}

// actions is what is read of the assertions c2pa.actions and c2pa.actions.v2.
type actions struct {
	Actions []struct {
		Action            string `cbor:"action"`
		DigitalSourceType string `cbor:"digitalSourceType"`
		// SoftwareAgent is a text in version 1 and a map with a name in version 2.
		SoftwareAgent any `cbor:"softwareAgent"`
	} `cbor:"actions"`
}

// strictCBOR bounds what a hostile manifest can make the decoder do.
var strictCBOR = func() cbor.DecMode {
	mode, err := cbor.DecOptions{MaxNestedLevels: 16, MaxArrayElements: 10_000, MaxMapPairs: 10_000, TimeTag: cbor.DecTagIgnored}.DecMode()
	if err != nil {
		panic(err) // the options are constant
	}
	return mode
}()

// ingredientPoints is what a generated ingredient counts for: the picture was
// made from one, as a declared composite is.
const ingredientPoints = 0.92

// c2paTraces reads the claims and actions of a picture's C2PA manifests, and
// tells whether there is a manifest at all. The last manifest of a store is the
// picture's own, the others are those of its ingredients (C2PA specification,
// 11.1.4). Hashes and signatures are not checked.
func c2paTraces(p *picture) (found []trace, hasManifest bool) {
	for _, data := range jumbfOf(p) {
		for _, store := range superboxes(data) {
			if store.label != "c2pa" {
				continue
			}
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

func manifestTraces(manifest *box) []trace {
	var found []trace
	named := func(key string, value any) {
		if text := nameIn(value); text != "" {
			found = append(found, fromText("C2PA", key, text))
		}
	}
	for _, b := range manifest.find(func(label string) bool { return label == "c2pa.claim" || label == "c2pa.claim.v2" }) {
		var c claim
		if decoded(b, &c) {
			named("claim_generator", c.Generator)
			named("claim_generator_info", c.Info)
		}
	}
	// A label is followed by __2 and so on where an assertion occurs repeatedly.
	for _, b := range manifest.find(func(label string) bool { return strings.HasPrefix(label, "c2pa.actions") }) {
		var a actions
		if !decoded(b, &a) {
			continue
		}
		for _, action := range a.Actions {
			if action.DigitalSourceType != "" {
				found = append(found, fromSourceType("C2PA", action.DigitalSourceType))
			}
			named("softwareAgent", action.SoftwareAgent)
		}
	}
	return found
}

// decoded reads a box's CBOR into v. A field of an unexpected type is left empty
// and the others are used.
func decoded(b *box, v any) bool {
	content, ok := b.contents["cbor"]
	if !ok {
		return false
	}
	err := strictCBOR.Unmarshal(content, v)
	var mistyped *cbor.UnmarshalTypeError
	return err == nil || errors.As(err, &mistyped)
}

// nameIn takes the name from a text, a map with a name, or a list of such maps.
func nameIn(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case map[any]any:
		return nameIn(value["name"])
	case []any:
		var names []string
		for _, v := range value {
			if name := nameIn(v); name != "" {
				names = append(names, name)
			}
		}
		return strings.Join(names, ", ")
	default:
		return ""
	}
}
