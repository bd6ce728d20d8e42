package kit

// usualModifier is the name of the modifier key, the same in every language.
func usualModifier() string { return "Cmd" }
