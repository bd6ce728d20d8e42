package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"

	"assay/client/submission"
)

// version is the version of the file's format. A file of a higher version is read the same way and keeps its number.
const version = 1

const versionName = "version"

// A document is a settings file as it was written, including what this Assay does not know. It is never changed: with returns another.
type document map[string]json.RawMessage

var errNotObject = errors.New("not a JSON object")

// parse parses a file's content.
func parse(content []byte) (document, error) {
	var t document
	if err := json.Unmarshal(withoutMark(content), &t); err != nil {
		return nil, err
	}
	if t == nil { // null
		return nil, errNotObject
	}
	return t, nil
}

// withoutMark removes the byte order mark that some editors write.
func withoutMark(content []byte) []byte { return bytes.TrimPrefix(content, []byte("\ufeff")) }

// section is an object inside the document; nil where there is no such object.
func (t document) section(name string) document {
	var inner document
	if json.Unmarshal(t[name], &inner) != nil {
		return nil
	}
	return inner
}

// raw is the JSON of a setting; nil where there is none.
func (t document) raw(l setting) json.RawMessage {
	raw := t[l.name]
	if l.section != "" {
		raw = t.section(l.section)[l.name]
	}
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// has reports whether the document has a setting.
func (t document) has(key Key) bool {
	l, ok := settingOf(key)
	return ok && t.raw(l) != nil
}

// settings returns the document's settings, and the keys of those that can't be read or are invalid; for a section that can't be read, the section's
// name. A gate that can't be read becomes ask, not the default: whoever wrote it wanted something.
func (t document) settings() (read layer, unfit []Key) {
	read = layer{}
	section, broken := "", false
	for _, l := range allSettings() {
		if l.section != section {
			section = l.section
			whole := t[section]
			broken = section != "" && whole != nil && string(whole) != "null" && t.section(section) == nil
			if broken {
				unfit = append(unfit, Key(section))
			}
		}
		raw := t.raw(l)
		if raw == nil && l.key == carefulKey {
			raw = t.carefulOfPreview()
		}
		if raw == nil {
			if broken {
				read.orAsk(l)
			}
			continue
		}
		value, err := l.decode(raw)
		if err != nil || validate(l.key, value) != "" {
			unfit = append(unfit, l.key)
			read.orAsk(l)
			continue
		}
		read[l.key] = value
	}
	return read, unfit
}

// carefulKey is the setting of careful viewing, and previewKey its name in earlier versions.
const (
	carefulKey Key = "appearance.careful"
	previewKey Key = "appearance.preview"
)

// carefulOfPreview is the setting of careful viewing in a file of an earlier version, which named how previews look; nil where there is none.
func (t document) carefulOfPreview() json.RawMessage {
	switch string(t.section("appearance")["preview"]) {
	case `"plain"`:
		return json.RawMessage(`"off"`)
	case `"grey"`, `"blurred"`:
		return json.RawMessage(`"careful"`)
	}
	return nil
}

// orAsk sets a gate to ask whose value can't be read.
func (read layer) orAsk(l setting) {
	if l.isGate() {
		read[l.key] = submission.GateAsk
	}
}

// with returns the document with the changed settings, and without those that are gone. All else stays.
func (t document) with(changed layer, gone []Key) (document, error) {
	out := maps.Clone(t)
	if out == nil {
		out = document{}
	}
	put := func(l setting, raw json.RawMessage) error {
		if l.section == "" {
			out.put(l.name, raw)
			return nil
		}
		inner := out.section(l.section)
		if inner == nil {
			if raw == nil {
				return nil
			}
			inner = document{}
		}
		inner.put(l.name, raw)
		if len(inner) == 0 {
			delete(out, l.section)
			return nil
		}
		whole, err := encode(inner)
		out[l.section] = whole
		return err
	}
	for _, l := range allSettings() {
		value, ok := changed[l.key]
		if !ok {
			continue
		}
		raw, err := l.encode(value)
		if err == nil {
			err = put(l, raw)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, key := range gone {
		if l, ok := settingOf(key); ok {
			if err := put(l, nil); err != nil {
				return nil, err
			}
		}
	}
	var number float64
	if json.Unmarshal(out[versionName], &number) != nil || number < version {
		out.put(versionName, json.RawMessage("1"))
	}
	return out, nil
}

// put sets the value of a name; nil removes it.
func (t document) put(name string, raw json.RawMessage) {
	if raw == nil {
		delete(t, name)
		return
	}
	t[name] = raw
}

// text is the document as a file, laid out for people to read.
func (t document) text() ([]byte, error) { return encode(t) }

// encode writes JSON for people to read: an ampersand in an address is not escaped.
func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return out.Bytes(), err
}
