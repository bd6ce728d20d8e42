// Package wrap breaks texts into lines. It may import the standard library alone, and runs on any goroutine.
package wrap

import (
	"strings"
	"unicode"
)

// Width is the width of the character that begins at a byte of the text, in the unit of the room.
type Width func(at int, r rune) float32

// Rule tells whether a line may end between two characters, of which the second is no space.
type Rule func(before, after rune) bool

// Line returns where a line that begins at a byte of a text ends, and where the next one begins: after the last place that fits and that the rule
// allows, or inside a word that is wider than the room. The line has at least one character, a letter keeps its marks, and only spaces are left out
// between two lines. It adds up the widths of characters, since having the toolkit shape whole lines takes a hundred times as long.
func Line(text string, start int, room float32, width Width, rule Rule) (end, next int) {
	used, before := float32(0), rune(0)
	end, next = -1, -1 // the last place where the line may end
	for i, r := range text[start:] {
		at, space := start+i, isSpace(r)
		if i > 0 && !space && rule(before, r) {
			end, next = at, at
			if isSpace(before) {
				end = start + len(strings.TrimRight(text[start:at], " \t"))
			}
		}
		used += width(at, r)
		if used > room && i > 0 && !space {
			switch {
			case end > start:
				return end, next
			case next > start: // only spaces
				return next, next
			case !Clings(r):
				return at, at
			}
		}
		before = r
	}
	return len(text), len(text)
}

// Lines breaks a text into all its lines; one without text has one.
func Lines(text string, room float32, width Width, rule Rule) []string {
	for lines, start := []string(nil), 0; ; {
		end, next := Line(text, start, room, width, rule)
		lines = append(lines, text[start:end])
		if start = next; start >= len(text) {
			return lines
		}
	}
}

// AtSpaces is the rule for words and paths: a line ends at spaces, but not at no-break spaces.
func AtSpaces(before, _ rune) bool { return isSpace(before) }

// Nowhere is the rule that fills a line to its last character.
func Nowhere(_, _ rune) bool { return false }

// Prose is the rule for running text in any script: a line also ends after hyphens and dashes, and between characters of scripts without spaces.
func Prose(before, after rune) bool {
	switch {
	case Clings(after):
		return false
	case isSpace(before) || before == 0x200b:
		return true
	case before == '-' || before == '–' || before == '—' || before == '/':
		return unicode.IsLetter(after)
	case IsWide(before) || IsWide(after):
		return !staysWithNext(before) && !staysWithLast(after)
	}
	return false
}

func isSpace(r rune) bool { return r == ' ' || r == '\t' }

// Clings reports whether a character must not be parted from the one before it.
func Clings(r rune) bool { return HasNoWidth(r) || unicode.Is(unicode.Mc, r) || r == 0xa0 }

func staysWithLast(r rune) bool {
	return strings.ContainsRune("、。，．：；！？」』）〕】》〉”’…ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ.,:;!?)]}%", r)
}

func staysWithNext(r rune) bool {
	return strings.ContainsRune("「『（〔【《〈“‘([{$¥€", r) || r == 0xa0
}

// HasNoWidth reports whether a character is a mark on another one, or a joiner.
func HasNoWidth(r rune) bool {
	return r >= 0x300 && (unicode.In(r, unicode.Mn, unicode.Me) || r >= 0x200b && r <= 0x200f || r >= 0xfe00 && r <= 0xfe0f || r == 0x2060 || r == 0xfeff)
}

// IsWide reports whether a character fills a square.
func IsWide(r rune) bool {
	return r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe4f ||
		r >= 0xff00 && r <= 0xff60 || r >= 0xffe0 && r <= 0xffe6 || r >= 0x1f300 && r <= 0x1faff || r >= 0x20000 && r <= 0x3fffd
}
