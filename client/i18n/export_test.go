package i18n

// Verbs, Catalogue and Entry are for the check of the translations.
var (
	Verbs     = verbs
	Catalogue = catalogue
	Filled    = func(text string, args []any) string { return english.filled(text, args) }
)

// Entry is one translation.
type Entry = entry

// Say chooses translations that a test made up.
func Say(language string, texts map[string]Entry) {
	inUse.Store(&spoken{language: language, texts: texts, forms: formsOf(language, "")})
}
