package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"assay/client/bounded"
	"assay/client/submission"
)

// managed is what the system's administrators set: values that hold where nobody set others, and those that are locked.
type managed struct {
	values layer
	locked map[Key]bool
	unread bool // their file is there, but can't be read
}

// readManaged reads the administrators' file. One that others could have written is ignored, with a notice: another user's file must never choose the
// proxy or the trusted certificates. If the file is theirs but can't be read, nobody knows what it locks: every gate is at least ask.
func (c *Config) readManaged(p Params) managed {
	if p.Managed == "" {
		return managed{}
	}
	trust := p.trust
	if trust == nil {
		trust = trusted
	}
	var read managedFile
	err := trust(p.Managed)
	if err == nil {
		var content []byte
		if content, err = bounded.ReadFile(p.Managed, largest); err == nil {
			read, err = parseManaged(content)
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return managed{}
	case errors.Is(err, errNotTrusted):
		c.log.Warn("the administrators' settings are ignored", "error", err)
		c.note(sayNotTrusted)
		return managed{}
	case err != nil:
		c.log.Warn("the administrators' settings can't be read", "error", err)
		c.note(sayManagedUnread)
		return managed{unread: true}
	}
	return c.managedOf(read)
}

// managedOf evaluates the administrators' file. A locked setting whose value is not known becomes as strict as possible: a gate lets nothing out, and
// all else keeps its default.
func (c *Config) managedOf(read managedFile) managed {
	m := managed{locked: map[Key]bool{}}
	var unfit []Key
	m.values, unfit = read.settings.settings()
	unfit = append(unfit, read.repeated...)
	set := func(key Key) bool { _, ok := m.values[key]; return ok }
	for _, name := range read.locked {
		keys := within(name)
		if len(keys) == 0 { // misspelt, or of another version: a gate may have been meant
			c.log.Warn("the administrators lock a setting that this version does not have", "setting", name)
			c.note(func() string { return sayLockUnknown(name) })
			for _, l := range allSettings() {
				if l.isGate() && set(l.key) {
					keys = append(keys, l.key)
				}
			}
		}
		for _, key := range keys {
			m.locked[key] = true
		}
	}
	for _, l := range allSettings() { // its value may be there under a misspelt name
		if l.isGate() && m.locked[l.key] && !set(l.key) && read.unknownIn(l.section) {
			unfit = append(unfit, l.key)
		}
	}
	for _, name := range unfit {
		locked, gate := false, false
		for _, key := range within(name) {
			l, _ := settingOf(key)
			switch {
			case !m.locked[key]:
				continue
			case l.isGate():
				m.values[key], gate = submission.GateNever, true
			default:
				delete(m.values, key)
			}
			locked = true
		}
		c.note(func() string { return sayManagedUnfit(name, locked, gate) })
	}
	return m
}

// managedFile is the form of the file: the settings as in settings.json, and the names of settings or of whole sections that are locked. Another
// version is read the same way. Names may be in any case.
type managedFile struct {
	settings document
	locked   []Key
	repeated []Key    // settings and sections that occur more than once, so that it is not known which is meant
	unknown  []string // the sections that hold names which this version does not have; "" for the top level
}

var errRepeated = errors.New("a name stands there more than once")

// unknownIn reports whether the value of a setting of this section may be there under a name that this version does not have.
func (f managedFile) unknownIn(section string) bool {
	return slices.Contains(f.unknown, section) || slices.Contains(f.unknown, "")
}

// parseManaged parses the administrators' file.
func parseManaged(content []byte) (f managedFile, err error) {
	file, repeated, err := object(withoutMark(content), []string{versionName, "settings", "locked"})
	switch {
	case err != nil:
		return f, err
	case len(repeated) > 0:
		return f, errRepeated
	}
	if f.locked, err = lockedNames(file["locked"]); err != nil {
		return f, err
	}
	if raw := file["settings"]; raw != nil && string(raw) != "null" {
		err = f.readSettings(raw)
	}
	return f, err
}

// lockedNames decodes a list of names, or a single name.
func lockedNames(raw json.RawMessage) ([]Key, error) {
	var names []Key
	if raw == nil {
		return nil, nil
	}
	if err := json.Unmarshal(raw, &names); err != nil {
		names = make([]Key, 1)
		if json.Unmarshal(raw, &names[0]) != nil {
			return nil, err
		}
	}
	for i, name := range names {
		names[i] = Key(strings.TrimSpace(string(name)))
		if strings.EqualFold(string(names[i]), string(previewKey)) {
			names[i] = carefulKey
		}
		for _, l := range allSettings() {
			for _, known := range []string{l.section, string(l.key)} {
				if strings.EqualFold(known, string(names[i])) && known != "" {
					names[i] = Key(known)
				}
			}
		}
	}
	return names, nil
}

// readSettings decodes the settings, with each name in Assay's own spelling.
func (f *managedFile) readSettings(raw json.RawMessage) error {
	inner := map[string][]string{} // the known names of each section
	for _, l := range allSettings() {
		inner[l.section] = append(inner[l.section], l.name)
		if l.section != "" && !slices.Contains(inner[""], l.section) {
			inner[""] = append(inner[""], l.section)
		}
	}
	inner[""] = append(inner[""], versionName) // for those who wrap a whole settings.json
	settings, repeated, err := object(raw, inner[""])
	if err != nil {
		return err
	}
	f.note("", settings, repeated, inner[""])
	for name, raw := range settings {
		if inner[name] == nil || name == "" {
			continue
		}
		section, repeated, err := object(raw, inner[name])
		if err != nil {
			continue // reported where its settings are read
		}
		f.note(name, section, repeated, inner[name])
		if settings[name], err = encode(section); err != nil {
			return err
		}
	}
	f.settings = settings
	return nil
}

// note records what is not known of an object.
func (f *managedFile) note(section string, read document, repeated, known []string) {
	for _, name := range repeated {
		delete(read, name)
		if section != "" {
			name = section + "." + name
		}
		f.repeated = append(f.repeated, Key(name))
	}
	for name := range read {
		if !slices.Contains(known, name) && !slices.Contains(f.unknown, section) {
			f.unknown = append(f.unknown, section)
		}
	}
}

// object decodes a JSON object, with known names in their own spelling, whatever their case; repeated are those that occur more than once.
func object(raw []byte, known []string) (read document, repeated []string, err error) {
	if err := json.Unmarshal(raw, &read); err != nil {
		return nil, nil, err
	}
	if read == nil { // null
		return nil, nil, errNotObject
	}
	read = document{}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if _, err := decoder.Token(); err != nil { // the opening brace
		return nil, nil, err
	}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, nil, err
		}
		name, _ := token.(string)
		if at := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, name) }); at >= 0 {
			name = known[at]
		}
		if _, there := read[name]; there && !slices.Contains(repeated, name) {
			repeated = append(repeated, name)
		}
		read[name] = value
	}
	return read, repeated, nil
}
