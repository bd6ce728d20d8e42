package config

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"assay/client/submission"
)

// A layer holds values of settings by their keys, each checked and of its field's own type.
type layer map[Key]any

// outcome is the result of combining the layers. It is never changed.
type outcome struct {
	settings Settings
	origins  map[Key]Origin
}

// combine puts the layers over each other, setting by setting: the defaults, IT's defaults, the person's settings, what the start was given, and what
// IT has locked.
func (c *Config) combine(person layer) *outcome {
	out := &outcome{settings: Defaults(), origins: map[Key]Origin{}}
	for _, setting := range allSettings() {
		value, origin := setting.of(&out.settings), ByDefault
		if v, ok := c.managed.values[setting.key]; ok {
			value, origin = v, ByManaged
		}
		if c.managed.locked[setting.key] {
			setting.set(&out.settings, value)
			out.origins[setting.key] = Locked
			continue
		}
		if v, ok := person[setting.key]; ok {
			value, origin = v, ByPerson
		}
		if g, ok := c.given[setting.key]; ok {
			value, origin = g.Value, g.From
		}
		if v, isGate := value.(submission.Gate); isGate && c.managed.unread && v == submission.GateSend {
			value, origin = submission.GateAsk, LockUnread
		}
		setting.set(&out.settings, value)
		out.origins[setting.key] = origin
	}
	return out
}

// A setting is one of the settings: a field of Settings, or of one of its sections.
type setting struct {
	key     Key
	section string // "" for a field of Settings itself
	name    string // in the file
	index   []int
	kind    reflect.Type
}

// of returns the setting's value in s.
func (l setting) of(s *Settings) any {
	return reflect.ValueOf(s).Elem().FieldByIndex(l.index).Interface()
}

// set sets the setting in s to a value of its own type.
func (l setting) set(s *Settings, value any) {
	reflect.ValueOf(s).Elem().FieldByIndex(l.index).Set(reflect.ValueOf(value))
}

// as converts a value to the setting's own type: a string to a Use, for one.
func (l setting) as(value any) (any, error) {
	v := reflect.ValueOf(value)
	if !v.IsValid() || v.Kind() != l.kind.Kind() {
		return nil, fmt.Errorf("%s takes a %s and was given a %T", l.key, l.kind.Kind(), value)
	}
	return v.Convert(l.kind).Interface(), nil
}

// allSettings are all settings, in the order of Settings.
var allSettings = sync.OnceValue(func() []setting {
	var all []setting
	settings := reflect.TypeFor[Settings]()
	for i := range settings.NumField() {
		field := settings.Field(i)
		name := field.Tag.Get("json")
		if field.Type.Kind() != reflect.Struct {
			all = append(all, setting{key: Key(name), name: name, index: []int{i}, kind: field.Type})
			continue
		}
		for j := range field.Type.NumField() {
			inner := field.Type.Field(j)
			own := inner.Tag.Get("json")
			all = append(all, setting{key: Key(name + "." + own), section: name, name: own, index: []int{i, j}, kind: inner.Type})
		}
	}
	return all
})

// settingOf is the setting of a key.
func settingOf(key Key) (setting, bool) {
	for _, setting := range allSettings() {
		if setting.key == key {
			return setting, true
		}
	}
	return setting{}, false
}

// within are the keys that a key means: itself, or all of a section.
func within(key Key) []Key {
	var named []Key
	for _, setting := range allSettings() {
		if setting.key == key || strings.HasPrefix(string(setting.key), string(key)+".") {
			named = append(named, setting.key)
		}
	}
	return named
}

// decode decodes a value of the setting's own type.
func (l setting) decode(raw json.RawMessage) (any, error) {
	if l.isGate() {
		return decodeGate(raw)
	}
	value := reflect.New(l.kind)
	if err := json.Unmarshal(raw, value.Interface()); err != nil {
		return nil, err
	}
	return value.Elem().Interface(), nil
}

// encode is a value as the file has it.
func (l setting) encode(value any) (json.RawMessage, error) {
	if gate, isGate := value.(submission.Gate); isGate {
		value = gateWords[gate]
	}
	return encode(value)
}

// isGate reports whether a setting is a gate.
func (l setting) isGate() bool { return l.kind == reflect.TypeFor[submission.Gate]() }
