package forensics

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/client/media/facts"
)

// Trace is one statement of a file about its origin.
type Trace struct {
	Where  string  // "PNG text", "EXIF", "XMP", "C2PA", "GIF comment"
	Key    string  // the field
	Value  string  // its text, shortened
	Points float64 // 0..1: how strongly it indicates a generator; 0: only shown
	Tool   string  // the generator that it names, "" if none
}

// ValueLength bounds how much of a value a report repeats, in bytes: prompts can be
// long, and contain things that nobody asked to publish.
const ValueLength = 160

// NewTrace makes a trace fit to be shown: its texts are cleaned and shortened.
func NewTrace(where, key, value string, points float64, tool string) Trace {
	return Trace{Where: where, Key: Clean(key, 64), Value: Clean(value, ValueLength), Points: points, Tool: tool}
}

// Clean makes text from a file fit to be shown: valid, without control
// characters, and short.
func Clean(text string, length int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < ' ' || r == utf8.RuneError || (r >= 0x7f && r < 0xa0):
			return -1
		}
		return r
	}, text)
	if len(text) <= length {
		return text
	}
	cut := length
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// Data is the trace for Model.Data.
func (t Trace) Data() map[string]any {
	d := map[string]any{"where": t.Where, "key": t.Key, "value": t.Value}
	if t.Tool != "" {
		d["tool"] = t.Tool
	}
	if t.Points > 0 {
		d["raw_score"] = t.Points
	}
	return d
}

// TextTrace judges a text under a name.
func TextTrace(where, key, text string) Trace {
	for _, sign := range textSigns {
		if sign.matches(key, text) {
			return NewTrace(where, key, text, 0.98, sign.tool)
		}
	}
	if isToolField(key) {
		if name, ok := generatorIn(text); ok {
			return NewTrace(where, key, text, 0.95, name)
		}
	}
	return NewTrace(where, key, text, 0, "")
}

// isToolField reports whether a field names the program that made a file, or who
// is to be credited.
func isToolField(key string) bool {
	switch strings.ToLower(key) {
	case "software", "creatortool", "processingsoftware", "credit", "claim_generator", "claim_generator_info", "softwareagent":
		return true
	default:
		return false
	}
}

// sourceTypeTrace judges a digital source type.
func sourceTypeTrace(where, address string) Trace {
	return NewTrace(where, "DigitalSourceType", address, sourceTypes[sourceTerm(address)], "")
}

// listed is how many traces a report lists.
const listed = 40

// StrongestFirst sorts traces, and returns the first ones for Model.Data, and the points of the strongest.
func StrongestFirst(traces []Trace) (rows []map[string]any, strongest float64) {
	slices.SortStableFunc(traces, func(a, b Trace) int { return cmp.Compare(b.Points, a.Points) })
	rows = []map[string]any{}
	for i, t := range traces {
		strongest = max(strongest, t.Points)
		if i < listed {
			rows = append(rows, t.Data())
		}
	}
	return rows, strongest
}

// ingredientPoints are the points for a generated ingredient: the file was made from it, as a declared composite is.
const ingredientPoints = 0.92

// StoreTraces judges the claims and actions of the manifests in a C2PA store, and reports whether there is a manifest at all. The last
// manifest is the file's own, the others are those of its ingredients (C2PA specification, 11.1.4). Hashes and signatures are not
// verified. Malformed parts are left out.
func StoreTraces(data []byte) (found []Trace, hasManifest bool) {
	manifests := facts.Manifests(data)
	for i, manifest := range manifests {
		for _, t := range manifestTraces(manifest) {
			if i < len(manifests)-1 {
				t.Where, t.Points = "C2PA ingredient", min(t.Points, ingredientPoints)
			}
			found = append(found, t)
		}
	}
	return found, len(manifests) > 0
}

// manifestTraces judges what one manifest states.
func manifestTraces(manifest facts.Manifest) []Trace {
	var found []Trace
	for _, named := range manifest.Generators {
		found = append(found, TextTrace("C2PA", named.Key, named.Value))
	}
	for _, action := range manifest.Actions {
		if action.SourceType != "" {
			found = append(found, sourceTypeTrace("C2PA", action.SourceType))
		}
		if action.Agent != "" {
			found = append(found, TextTrace("C2PA", "softwareAgent", action.Agent))
		}
	}
	return found
}

// xmpFields are the properties of interest, by local name: the namespaces'
// prefixes vary, and none of the names is used twice with another meaning.
var xmpFields = map[string]bool{"CreatorTool": true, "DigitalSourceType": true, "Credit": true, "Software": true, "softwareAgent": true}

// XMPTraces judges the properties of an XMP packet.
func XMPTraces(packet []byte) []Trace {
	var found []Trace
	for _, p := range facts.XMP(packet, func(name string) bool { return xmpFields[name] }) {
		if p.Name == "DigitalSourceType" {
			found = append(found, sourceTypeTrace("XMP", p.Value))
		} else {
			found = append(found, TextTrace("XMP", p.Name, p.Value))
		}
	}
	return found
}
