package config

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// A layer holds values of settings by their keys, each of its field's own type and checked.
type layer map[Key]any

// outcome is what the layers come to. It is never changed.
type outcome struct {
	settings Settings
	origins  map[Key]Origin
}

// combine lays the layers over each other, setting by setting: the defaults, IT's, the person's, what the start was given, and what IT
// has locked.
func (c *Config) combine(person layer) *outcome {
	out := &outcome{settings: Defaults(), origins: map[Key]Origin{}}
	for _, leaf := range leaves() {
		value, origin := leaf.of(&out.settings), ByDefault
		if v, ok := c.managed.values[leaf.key]; ok {
			value, origin = v, ByManaged
		}
		if c.managed.locked[leaf.key] {
			leaf.set(&out.settings, value)
			out.origins[leaf.key] = Locked
			continue
		}
		if v, ok := person[leaf.key]; ok {
			value, origin = v, ByPerson
		}
		if g, ok := c.given[leaf.key]; ok {
			value, origin = g.Value, g.From
		}
		if v, isGate := value.(Gate); isGate && c.managed.unread && v == GatePublic {
			value, origin = GateSensitive, Locked
		}
		leaf.set(&out.settings, value)
		out.origins[leaf.key] = origin
	}
	return out
}

// A leaf is one setting: a field of Settings, or of one of its sections.
type leaf struct {
	key     Key
	section string // "" for a field of Settings itself
	name    string // in the file
	index   []int
	kind    reflect.Type
}

// of is the leaf's value in s.
func (l leaf) of(s *Settings) any { return reflect.ValueOf(s).Elem().FieldByIndex(l.index).Interface() }

// set puts a value of the leaf's own type into s.
func (l leaf) set(s *Settings, value any) {
	reflect.ValueOf(s).Elem().FieldByIndex(l.index).Set(reflect.ValueOf(value))
}

// as is a value as the leaf's own type: a string as a Gate, for one.
func (l leaf) as(value any) (any, error) {
	v := reflect.ValueOf(value)
	if !v.IsValid() || v.Kind() != l.kind.Kind() {
		return nil, fmt.Errorf("%s takes a %s and was given a %T", l.key, l.kind.Kind(), value)
	}
	return v.Convert(l.kind).Interface(), nil
}

// leaves are all settings, in the order of Settings.
var leaves = sync.OnceValue(func() []leaf {
	var all []leaf
	settings := reflect.TypeFor[Settings]()
	for i := range settings.NumField() {
		field := settings.Field(i)
		name := field.Tag.Get("json")
		if field.Type.Kind() != reflect.Struct {
			all = append(all, leaf{key: Key(name), name: name, index: []int{i}, kind: field.Type})
			continue
		}
		for j := range field.Type.NumField() {
			inner := field.Type.Field(j)
			own := inner.Tag.Get("json")
			all = append(all, leaf{key: Key(name + "." + own), section: name, name: own, index: []int{i, j}, kind: inner.Type})
		}
	}
	return all
})

// leafOf is the leaf of a key.
func leafOf(key Key) (leaf, bool) {
	for _, leaf := range leaves() {
		if leaf.key == key {
			return leaf, true
		}
	}
	return leaf{}, false
}

// within are the settings that a key names: itself, or all of a section.
func within(key Key) []Key {
	var named []Key
	for _, leaf := range leaves() {
		if leaf.key == key || strings.HasPrefix(string(leaf.key), string(key)+".") {
			named = append(named, leaf.key)
		}
	}
	return named
}

// decode reads a value of the leaf's own type.
func (l leaf) decode(raw json.RawMessage) (any, error) {
	value := reflect.New(l.kind)
	if err := json.Unmarshal(raw, value.Interface()); err != nil {
		return nil, err
	}
	return value.Elem().Interface(), nil
}
