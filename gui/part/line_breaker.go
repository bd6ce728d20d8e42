package part

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
)

// lineBreaker breaks texts into lines by adding up the widths of their characters, each of which is measured once. To have the
// toolkit shape whole lines takes a hundred times as long; letters that join make a line a little narrower or wider than that sum.
type lineBreaker struct {
	style  fyne.TextStyle
	widths map[rune]float32 // at size 1
}

func newLineBreaker(style fyne.TextStyle) lineBreaker {
	return lineBreaker{style: style, widths: map[rune]float32{}}
}

// lines breaks a text at its line ends, at spaces where a line is wider than the width, and within words that are wider themselves.
// Nothing of the text is left out but the spaces at which it was broken.
func (b lineBreaker) lines(text string, size, width float32) []string {
	room := width / size
	var all []string
	for rest := range strings.SplitSeq(text, "\n") {
		rest = strings.TrimSuffix(rest, "\r")
		for {
			end, next := b.lineEnd(rest, room)
			all = append(all, rest[:end])
			if next >= len(rest) {
				break
			}
			rest = rest[next:]
		}
	}
	return all
}

// lineEnd finds where the first line of a text ends, and where the next one begins. The line has at least one character.
func (b lineBreaker) lineEnd(text string, room float32) (end, next int) {
	used := float32(0)
	for at, r := range text {
		if r == ' ' {
			if at > 0 && text[at-1] != ' ' {
				end = at
			}
			next = at + 1
		}
		used += b.width(r)
		if used <= room || r == ' ' || at == 0 || isMark(r) {
			continue
		}
		if end > 0 {
			return end, next
		}
		return at, at
	}
	return len(text), len(text)
}

func (b lineBreaker) width(r rune) float32 {
	width, known := b.widths[r]
	if !known {
		const size = 64 // at which rounding does not matter
		if !isMark(r) {
			width = fyne.MeasureText(string(r), size, b.style).Width / size
		}
		b.widths[r] = width
	}
	return width
}

// isMark tells the characters that stand on the one before them.
func isMark(r rune) bool { return unicode.In(r, unicode.Mn, unicode.Me) }
