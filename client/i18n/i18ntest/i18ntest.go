// Package i18ntest finds words that no translation reaches, for the tests of others. It imports the standard library and client/i18n.
package i18ntest

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/client/i18n"
)

// Pseudo lets everything be said in the pseudo language until the test ends, in letters of which none is ASCII. Such a test is not
// parallel to others, and builds its widgets after this.
func Pseudo(t testing.TB) { Speak(t, i18n.PseudoLanguage) }

// Speak lets everything be said in a language, in its usual forms, until the test ends.
func Speak(t testing.TB, language string) {
	t.Helper()
	before := i18n.Language()
	if err := i18n.Use(language, ""); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := i18n.Use(before, ""); err != nil {
			t.Error(err)
		}
	})
}

// FromEnvironment is Speak with the language that ASSAY_LANGUAGE names, for pictures to be looked at; it does nothing without.
func FromEnvironment(t testing.TB) {
	t.Helper()
	if language := os.Getenv("ASSAY_LANGUAGE"); language != "" {
		Speak(t, language)
	}
}

var words = regexp.MustCompile(`[A-Za-z]{2,}`)

// units are the same in every language that has English forms of numbers and dates, as the pseudo language does.
var units = []string{"bytes", "byte", "KB", "MB", "GB", "min", "UTC", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct",
	"Nov", "Dec", "Assay", "Ctrl", "Hz"}

// Forgotten are the words in a text, said in the pseudo language, that no translation reached: those in ASCII letters that are not
// part of the data, which are names and the like that nobody translates.
func Forgotten(text string, data ...string) []string {
	data = slices.Clone(data)
	slices.SortFunc(data, func(a, b string) int { return len(b) - len(a) }) // the longest first: one may be part of another
	for _, d := range data {
		if d != "" {
			text = strings.ReplaceAll(text, d, " ")
		}
	}
	return slices.DeleteFunc(words.FindAllString(text, -1), func(w string) bool { return slices.Contains(units, w) })
}
