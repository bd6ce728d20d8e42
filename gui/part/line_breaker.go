package part

import (
	"strings"

	"assay/gui/look"
)

// lineBreaker breaks texts into lines by adding up the widths of their characters: to have the toolkit shape whole lines takes a hundred
// times as long.
type lineBreaker struct{ ruler *look.Ruler }

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
		used += b.ruler.Width(r)
		if used <= room || r == ' ' || at == 0 || look.IsMark(r) {
			continue
		}
		if end > 0 {
			return end, next
		}
		return at, at
	}
	return len(text), len(text)
}
