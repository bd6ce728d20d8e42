package facts

import (
	"errors"
	"strings"

	"github.com/fxamacker/cbor/v2"
)

// Manifest is what a C2PA manifest states. None of it is verified.
type Manifest struct {
	Label       string
	Title       string
	Generators  []Named  // the names of the program that made the claim
	Actions     []Action // at most mostActions
	Ingredients int
}

// Named is a text with the name of its field.
type Named struct{ Key, Value string }

// Action is something that was done to the file, according to a manifest.
type Action struct {
	Action     string // "c2pa.created"
	SourceType string // a term of IPTC's vocabulary, as a URL, or ""
	Agent      string // the program, or ""
	When       string
}

const mostActions = 200

// claim has the fields of a C2PA claim, versions 1 and 2, that are read.
type claim struct {
	Generator string `cbor:"claim_generator"`
	// Info is a list of maps in version 1 and a map in version 2.
	Info      any         `cbor:"claim_generator_info"`
	Title     string      `cbor:"dc:title"`
	Signature string      `cbor:"signature"`
	Algorithm string      `cbor:"alg"`
	All       []hashedURI `cbor:"assertions"`          // version 1
	Created   []hashedURI `cbor:"created_assertions"`  // version 2
	Gathered  []hashedURI `cbor:"gathered_assertions"` // version 2
}

// hashedURI refers to a box in the same store and has its hash.
type hashedURI struct {
	URL       string `cbor:"url"`
	Algorithm string `cbor:"alg"`
	Hash      []byte `cbor:"hash"`
}

// actions has the fields of the assertions c2pa.actions and c2pa.actions.v2 that are read.
type actions struct {
	Actions []struct {
		Action     string `cbor:"action"`
		SourceType string `cbor:"digitalSourceType"`
		// Agent is a text in version 1 and a map with a name in version 2.
		Agent any `cbor:"softwareAgent"`
		When  any `cbor:"when"`
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

// Manifests reads the manifests of a C2PA store. The last is the file's own, the others are those of its ingredients (C2PA specification,
// 11.1.4). Unreadable ones are left out.
func Manifests(data []byte) []Manifest {
	var all []Manifest
	for _, s := range superboxes(data) {
		if s.Label != "c2pa" {
			continue
		}
		for _, b := range s.Boxes {
			all = append(all, readManifest(b))
		}
	}
	return all
}

func readManifest(b *superbox) Manifest {
	m := Manifest{Label: b.Label}
	for _, inner := range b.find(isClaim) {
		var c claim
		if !decodeLoosely(inner, &c) {
			continue
		}
		m.Title = c.Title
		for _, named := range []Named{{"claim_generator", c.Generator}, {"claim_generator_info", nameIn(c.Info)}} {
			if named.Value != "" {
				m.Generators = append(m.Generators, named)
			}
		}
	}
	// If an assertion occurs repeatedly, its label is followed by __2 and so on.
	for _, inner := range b.find(func(label string) bool { return strings.HasPrefix(label, "c2pa.actions") }) {
		var a actions
		if !decodeLoosely(inner, &a) {
			continue
		}
		for _, action := range a.Actions[:min(len(a.Actions), max(0, mostActions-len(m.Actions)))] {
			m.Actions = append(m.Actions, Action{action.Action, action.SourceType, nameIn(action.Agent), nameIn(action.When)})
		}
	}
	m.Ingredients = len(b.find(func(label string) bool { return strings.HasPrefix(label, "c2pa.ingredient") }))
	return m
}

func isClaim(label string) bool { return label == "c2pa.claim" || label == "c2pa.claim.v2" }

// decodeLoosely decodes a box's CBOR into v. A field of an unexpected type stays empty, and the others are still decoded.
func decodeLoosely(b *superbox, v any) bool {
	content, ok := b.Contents["cbor"]
	if !ok {
		return false
	}
	err := strictCBOR.Unmarshal(content, v)
	var mistyped *cbor.UnmarshalTypeError
	return err == nil || errors.As(err, &mistyped)
}

// nameIn returns the name in a text, in a map with a name, or in a list of such maps.
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
