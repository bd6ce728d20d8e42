package facts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/client/plain"
)

const (
	longestValue = 2_000 // bytes of one value
	longestKey   = 80
	mostFields   = 400 // of each list
)

// cleanText makes text from a file fit to be shown: short, in one line, and without characters that move, hide or turn what stands around
// them. What is taken out leaves U+FFFD, so that it is seen.
func cleanText(text string, longest int) string {
	text = strings.TrimFunc(text, func(r rune) bool { return r == 0 || unicode.IsSpace(r) })
	start := text[:min(len(text), 4*longest)]
	cut := len(start) < len(text)
	if text = plain.Line(strings.TrimSpace(start)); len(text) <= longest {
		if cut { // before it there was nothing but space
			text += "…"
		}
		return text
	}
	end := longest
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
