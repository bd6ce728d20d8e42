package forensics

import (
	"strings"
	"unicode/utf8"
)

// trace is one thing that a file says about where the picture comes from.
type trace struct {
	where  string  // "PNG text", "EXIF", "XMP", "C2PA", "GIF comment"
	key    string  // the field
	value  string  // what it says, shortened
	points float64 // 0..1: how far it tells of a generator; 0: shown only
	tool   string  // the generator that it tells of, "" if none is named
}

// valueLength is how much of a value a report repeats, in bytes: prompts can be
// long, and hold what nobody asked to publish.
const valueLength = 160

func newTrace(where, key, value string, points float64, tool string) trace {
	return trace{where: where, key: clean(key, 64), value: clean(value, valueLength), points: points, tool: tool}
}

// clean makes text from a file fit to be shown: valid, without control
// characters, and short.
func clean(text string, length int) string {
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

// asData is the trace for Model.Data.
func (t trace) asData() map[string]any {
	d := map[string]any{"where": t.where, "key": t.key, "value": t.value}
	if t.tool != "" {
		d["tool"] = t.tool
	}
	if t.points > 0 {
		d["raw_score"] = t.points
	}
	return d
}

// fromText judges a text under a name.
func fromText(where, key, text string) trace {
	for _, sign := range textSigns {
		if sign.matches(key, text) {
			return newTrace(where, key, text, 0.98, sign.tool)
		}
	}
	if isToolField(key) {
		if name, ok := generatorIn(text); ok {
			return newTrace(where, key, text, 0.95, name)
		}
	}
	return newTrace(where, key, text, 0, "")
}

// isToolField tells whether a field names the program that made a picture, or who
// is to be credited.
func isToolField(key string) bool {
	switch strings.ToLower(key) {
	case "software", "creatortool", "processingsoftware", "credit", "claim_generator", "claim_generator_info", "softwareagent":
		return true
	default:
		return false
	}
}

// fromSourceType judges a digital source type.
func fromSourceType(where, address string) trace {
	return newTrace(where, "DigitalSourceType", address, sourceTypes[sourceTerm(address)], "")
}
