package config

import (
	"errors"
	"io/fs"
	"reflect"

	"assay/client/bounded"
)

// managed is what the system's administrators set: values that hold where nobody set others, and those that are locked.
type managed struct {
	values layer
	locked map[Key]bool
	unread bool // there is a file of theirs, and nobody can tell what it says
}

// readManaged reads the administrators' file. One that somebody else may have written is ignored and said: another user's file must never
// choose the proxy, or whose certificates are trusted. Of one that is theirs and can't be read, nobody can tell what it locks: all that
// might leave is asked about first.
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

// managedOf is what the administrators' file comes to. What it locks and nobody can tell the value of is as strict as can be: a gate lets
// nothing out, and all else keeps its default.
func (c *Config) managedOf(read managedFile) managed {
	m := managed{locked: map[Key]bool{}}
	var unfit []Key
	m.values, unfit = read.settings.leaves()
	unfit = append(unfit, read.repeated...)
	set := func(key Key) bool { _, ok := m.values[key]; return ok }
	for _, name := range read.locked {
		keys := within(name)
		if len(keys) == 0 { // misspelt, or another version's: a gate that is set may be what was meant
			c.log.Warn("the administrators lock a setting that this version does not have", "setting", name)
			c.note(func() string { return sayLockUnknown(name) })
			for _, l := range leaves() {
				if l.isGate() && set(l.key) {
					keys = append(keys, l.key)
				}
			}
		}
		for _, key := range keys {
			m.locked[key] = true
		}
	}
	for _, l := range leaves() { // its value may stand under a name that is misspelt
		if l.isGate() && m.locked[l.key] && !set(l.key) && read.unknownIn(l.section) {
			unfit = append(unfit, l.key)
		}
	}
	for _, name := range unfit {
		locked, gate := false, false
		for _, key := range within(name) {
			l, _ := leafOf(key)
			switch {
			case !m.locked[key]:
				continue
			case l.isGate():
				m.values[key], gate = GateNever, true
			default:
				delete(m.values, key)
			}
			locked = true
		}
		c.note(func() string { return sayManagedUnfit(name, locked, gate) })
	}
	return m
}

// isGate reports whether a setting is a gate.
func (l leaf) isGate() bool { return l.kind == reflect.TypeFor[Gate]() }
