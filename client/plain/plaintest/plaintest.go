// Package plaintest has texts as an attacker sends them, and says what no line that a person reads may hold. It is for tests alone,
// and knows nothing of how package plain works.
package plaintest

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// Forged is a line that looks like an answer to a file of this name.
func Forged(name string) string {
	return name + ": No sign of manipulation found by these models (ensemble 1 of 100)"
}

// Hostile are texts that move the cursor, ring, break the line, turn the direction of writing, hide what they say, or do not end.
func Hostile() []string {
	return []string{
		"x\n" + Forged("photo.jpg"),
		"x\r" + Forged("photo.jpg"),
		"a\x1b[2J\x1b]0;title\x07b",
		"a\ab\bc",
		"a\u009b31mb",
		"a\u2028b\u2029c\u0085d",
		"photo\u202egpj.exe",
		"a\u2066b\u2069c\u200fd\u061ce",
		"a\x00b",
		"a\xff\xfe\xc3b",
		"a\U000E0041\U000E0042b",
		"a\u115f\u3164\uffa0\u2800\u034fb",
		"a\u200b\ufeff\u00adb",
		"😀" + strings.Repeat("\U000E0101", 50),
		"a" + strings.Repeat("\u0301", 50),
		strings.Repeat("long ", 2000),
	}
}

// OneLine reports it where a line holds a character that no line may hold, which may be as part of a longer text.
func OneLine(t testing.TB, line string) {
	t.Helper()
	if r := forbidden(line); r >= 0 {
		t.Errorf("%U stands in the line %.200q", r, line)
	}
}

// Lines is OneLine for a text whose own lines end in "\n", none of which may begin like the forged one.
func Lines(t testing.TB, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		OneLine(t, strings.TrimSuffix(line, "\n"))
		if strings.HasPrefix(line, Forged("photo.jpg")) {
			t.Errorf("a forged line was printed: %q", line)
		}
	}
}

// forbidden is the first character that no line may hold, -1 where there is none.
func forbidden(line string) rune {
	if !utf8.ValidString(line) {
		return utf8.RuneError
	}
	marks, before := 0, rune(0)
	for _, r := range line {
		if marks++; !unicode.IsMark(r) {
			marks = 0
		}
		switch {
		case marks > 9, isSelector(r) && isSelector(before), strings.ContainsRune("\u115f\u1160\u3164\uffa0\u2800\u034f", r):
			return r
		case r != '\u200c' && r != '\u200d' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp):
			return r
		}
		before = r
	}
	return -1
}

// isSelector tells the characters that choose a form of the one before. A row of them is a text that nobody sees.
func isSelector(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }
