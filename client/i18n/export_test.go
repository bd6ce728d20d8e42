package i18n

import "testing"

// Verbs, Catalogue and Entry are for the check of the translations.
var (
	Verbs     = verbs
	Catalogue = catalogue
	Filled    = func(text string, args []any) string { return english.filled(text, args) }
)

// Region is the region whose forms of dates and numbers are in use, "" for the language's usual one.
func Region() string { return current().region }

// Reword has a code said in other words until the test ends.
func Reword(t *testing.T, was string, now Plural) {
	reworded[was] = now
	t.Cleanup(func() { delete(reworded, was) })
}

// Reworded reports what is said of a code by now.
func Reworded(code string) (now string, ok bool) {
	p, ok := reworded[code]
	return string(p.Other), ok
}

// Entry is one translation.
type Entry = entry

// Say chooses translations that a test made up.
func Say(language string, texts map[string]Entry) {
	inUse.Store(&spoken{language: language, texts: texts, forms: formsOf(language, "")})
}
