package wrap_test

import (
	"strings"
	"testing"

	"assay/client/assert"
	"assay/gui/wrap"
)

// one takes every character to be one wide, but marks.
func one(_ int, r rune) float32 {
	if wrap.HasNoWidth(r) {
		return 0
	}
	return 1
}

func TestLines(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		room float32
		rule wrap.Rule
		want []string
	}{
		"one line":                              {"a few words", 20, wrap.AtSpaces, []string{"a few words"}},
		"at spaces":                             {"a few words more", 11, wrap.AtSpaces, []string{"a few words", "more"}},
		"a space at the line's very end":        {"abcd efgh", 4, wrap.AtSpaces, []string{"abcd", "efgh"}},
		"inside a word that is wider":           {"abcdefghij", 4, wrap.AtSpaces, []string{"abcd", "efgh", "ij"}},
		"a wide word behind others":             {"ab cdefghij", 4, wrap.AtSpaces, []string{"ab", "cdef", "ghij"}},
		"never between a letter and its mark":   {"abcde\u0301f", 5, wrap.AtSpaces, []string{"abcde\u0301", "f"}},
		"nothing":                               {"", 4, wrap.AtSpaces, []string{""}},
		"a room of less than a character":       {"abc", 0.1, wrap.AtSpaces, []string{"a", "b", "c"}},
		"spaces at the beginning stay":          {"  one two", 6, wrap.AtSpaces, []string{"  one", "two"}},
		"spaces that hold words together":       {"pr\u00eat : \u00ab\u00a0oui\u00a0\u00bb", 8, wrap.AtSpaces, []string{"pr\u00eat :", "\u00ab\u00a0oui\u00a0\u00bb"}},
		"not at a hyphen, where only at spaces": {"one two-three", 10, wrap.AtSpaces, []string{"one", "two-three"}},
		"to the last character":                 {"a few words", 4, wrap.Nowhere, []string{"a fe", "w wo", "rds"}},

		"at words":                          {"one two three four", 8, wrap.Prose, []string{"one two", "three", "four"}},
		"a word that is longer than a line": {"abcdefghijklmnopqrstuvwxyz", 8, wrap.Prose, []string{"abcdefgh", "ijklmnop", "qrstuvwx", "yz"}},
		"behind a hyphen":                   {"one-two-three", 9, wrap.Prose, []string{"one-two-", "three"}},
		"between characters of Chinese":     {"市长星期二为新桥", 4, wrap.Prose, []string{"市长星期", "二为新桥"}},
		"not before a closing point":        {"市长星期。二为", 4, wrap.Prose, []string{"市长星", "期。二为"}},
		"not behind an opening bracket":     {"市长星「期二为", 4, wrap.Prose, []string{"市长星", "「期二为"}},
		"not before a mark on a letter":     {"aaaaaaa" + strings.Repeat("e\u0301", 3), 8, wrap.Prose, []string{"aaaaaaae\u0301", "e\u0301e\u0301"}},
		"spaces at the end of a line hang":  {"one two   three", 8, wrap.Prose, []string{"one two", "three"}},
		"right to left as others":           {"אחת שתיים שלוש", 6, wrap.Prose, []string{"אחת", "שתיים", "שלוש"}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, wrap.Lines(c.text, c.room, one, c.rule))
		})
	}
}
