// Package i18ntest finds untranslated texts, for tests of other packages. It imports the standard library and client/i18n.
package i18ntest

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/client/i18n"
)

// Pseudo sets the pseudo language, none of whose letters is ASCII, until the test ends. The test must not be parallel to others, and must
// build its widgets after the call.
func Pseudo(t testing.TB) { Speak(t, i18n.PseudoLanguage) }

// Speak sets a language, in its usual region, until the test ends.
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

// FromEnvironment calls Speak with the language in ASSAY_LANGUAGE, for screenshots; it does nothing if that is empty.
func FromEnvironment(t testing.TB) {
	t.Helper()
	if language := os.Getenv("ASSAY_LANGUAGE"); language != "" {
		Speak(t, language)
	}
}

var words = regexp.MustCompile(`[A-Za-z]{2,}`)

// units are equal in every language with English forms of numbers and dates, such as the pseudo language.
var units = []string{"bytes", "byte", "KB", "MB", "GB", "min", "UTC", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct",
	"Nov", "Dec", "Assay", "Ctrl", "Hz"}

// Forgotten returns the words of a text in the pseudo language that were not translated: those in ASCII letters that are not part of data,
// which has names and the like.
func Forgotten(text string, data ...string) []string {
	data = slices.Clone(data)
	slices.SortFunc(data, func(a, b string) int { return len(b) - len(a) }) // the longest first, since one may be part of another
	for _, d := range data {
		if d != "" {
			text = strings.ReplaceAll(text, d, " ")
		}
	}
	return slices.DeleteFunc(words.FindAllString(text, -1), func(w string) bool { return slices.Contains(units, w) })
}
