package kit

// usualModifier is what the key is called in every language.
func usualModifier() string { return "Cmd" }
