package config

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
