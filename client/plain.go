package client

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain makes a text that came from elsewhere safe to show in one line, on screen and in a terminal: control characters and line
// breaks, marks that turn the direction of writing, other invisible ones, and bytes that are no UTF-8 each become U+FFFD, so that it
// can neither hide its end nor fake a second line. Everything else, emoji and every script included, stays.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u200c', r == '\u200d': // joiners: Persian, Indic scripts and emoji need them
			return r
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			return utf8.RuneError
		}
		return r
	}, text)
}
