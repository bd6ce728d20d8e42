package config

import (
	"encoding/json"
	"errors"
	"io/fs"
)

// managed is what the system's administrators set: values that hold where nobody set others, and those that are locked.
type managed struct {
	values layer
	locked map[Key]bool
}

// managedFile is how theirs is written: the settings as in settings.json, and the names of settings or of whole sections that nobody
// else may set. Another version is read the same way.
type managedFile struct {
	Settings tree  `json:"settings"`
	Locked   []Key `json:"locked"`
}

// readManaged reads the administrators' file. One that is broken, or that somebody else may have written, is ignored and said: another
// user's file must never choose the proxy, or whose certificates are trusted.
func (c *Config) readManaged(p Params) managed {
	none := managed{}
	if p.Managed == "" {
		return none
	}
	trust := p.trust
	if trust == nil {
		trust = trusted
	}
	content, err := readWhole(p.Managed)
	if errors.Is(err, fs.ErrNotExist) {
		return none
	}
	if err == nil {
		err = trust(p.Managed)
	}
	if errors.Is(err, errNotTrusted) {
		c.log.Warn("the administrators' settings are ignored", "error", err)
		c.note(sayNotTrusted)
		return none
	}
	var read managedFile
	if err == nil {
		err = json.Unmarshal(withoutMark(content), &read)
	}
	if err != nil {
		c.log.Warn("the administrators' settings are ignored", "error", err)
		c.note(sayManagedUnread)
		return none
	}
	m := managed{locked: map[Key]bool{}}
	var unfit []Key
	m.values, unfit = read.Settings.leaves()
	for _, name := range read.Locked {
		keys := within(name)
		if len(keys) == 0 {
			c.log.Warn("the administrators lock a setting that this version does not have", "setting", name)
		}
		for _, key := range keys {
			m.locked[key] = true
		}
	}
	for _, name := range unfit {
		c.note(func() string { return sayManagedUnfit(name) })
		for _, key := range within(name) {
			if _, asks := m.values[key]; !asks {
				delete(m.locked, key) // to a value that nobody can tell
			}
		}
	}
	return m
}
