package facts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	longestValue = 2_000 // bytes of one value
	longestKey   = 80
	mostFields   = 400 // of each list
)

// cleanText makes text from a file fit to be shown: valid, short, and without characters that move, hide or turn what stands around them.
// What is taken out leaves U+FFFD, so that it is seen.
func cleanText(text string, longest int) string {
	text = strings.TrimSpace(strings.TrimRight(strings.ToValidUTF8(text[:min(len(text), 4*longest)], "\uFFFD"), "\x00"))
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			r = ' '
		case unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r):
			r = utf8.RuneError
		}
		if b.Len()+utf8.RuneLen(r) > longest {
			return b.String() + "…"
		}
		b.WriteRune(r)
	}
	return b.String()
}
