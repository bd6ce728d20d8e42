package plain

import (
	"unicode"
	"unicode/utf8"
)

// mostMarks is how many marks in a row one character may carry. No language needs as many; more of them cover the lines around.
const mostMarks = 8

// brailleBlank is a symbol by its class, and looks like a space.
const brailleBlank = '\u2800'

const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
)

// Hidden reports whether a character is not seen as such wherever it stands: it controls, breaks the line, turns the direction of
// writing, has no form at all, or none that is known.
func Hidden(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	return r == brailleBlank || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// cleaner makes the characters of one text plain, one after the other.
type cleaner struct {
	before rune // the character before, as it was sent; 0 at the beginning
	marks  int  // that stand in a row before this one
}

// next is what is shown of a character; ok is false for nothing.
func (c *cleaner) next(r rune) (shown rune, ok bool) {
	before := c.before
	c.before = r
	joins, selects := r == nonJoiner || r == joiner, unicode.Is(unicode.Variation_Selector, r)
	switch {
	case joins || selects:
		// Persian, Indic scripts and emoji need them behind a character, one at a time. In a row they carry text that nobody sees.
		needed := before >= utf8.RuneSelf && !Hidden(before) || selects && isKeycap(before) || joins && unicode.Is(unicode.Variation_Selector, before)
		if !needed {
			return utf8.RuneError, true
		}
		return r, true
	case Hidden(r):
		c.marks = 0
		return utf8.RuneError, true
	case !unicode.IsMark(r):
		c.marks = 0
		return r, true
	}
	switch c.marks++; {
	case c.marks <= mostMarks:
		return r, true
	case c.marks == mostMarks+1:
		return utf8.RuneError, true
	}
	return 0, false
}

// isKeycap reports whether an ASCII character begins an emoji, such as that of a key of a telephone.
func isKeycap(r rune) bool { return r >= '0' && r <= '9' || r == '#' || r == '*' }
