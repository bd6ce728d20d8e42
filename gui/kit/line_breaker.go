package kit

import (
	"strings"

	"fyne.io/fyne/v2"

	"assay/gui/look"
)

// breakLines breaks a text at its line ends, at spaces where a line is wider than the width, and within words that are wider themselves;
// where the width is 0, at its line ends alone. Nothing of the text is left out but the spaces at which it was broken, and those that are
// there to hold words together break no line. It adds up the widths of characters: to have the toolkit shape whole lines takes a hundred
// times as long.
func breakLines(text string, width, size float32, style fyne.TextStyle) []string {
	room, ruler := width/size, look.RulerOf(style)
	var all []string
	for rest := range strings.SplitSeq(text, "\n") {
		rest = strings.TrimSuffix(rest, "\r")
		for {
			if width == 0 || fits(rest, width, size, style) {
				all = append(all, rest)
				break
			}
			end, next := lineEnd(rest, room, ruler)
			all = append(all, rest[:end])
			if next >= len(rest) {
				break
			}
			rest = rest[next:]
		}
	}
	return all
}

// longestShaped is how many bytes of a text the toolkit measures exactly.
const longestShaped = 160

// fits reports whether a text has room in a line: letters that join take less than the sum of their widths, and whoever gives a text the
// width that it was measured to have must find it on one line.
func fits(text string, width, size float32, style fyne.TextStyle) bool {
	return len(text) <= longestShaped && look.Measure(text, size, style).Width <= width+0.01
}

// lineEnd finds where the first line of a text ends, and where the next one begins. The line has at least one character.
func lineEnd(text string, room float32, ruler *look.Ruler) (end, next int) {
	used := float32(0)
	for at, r := range text {
		space := r == ' ' || r == '\t'
		if space {
			if at > 0 && text[at-1] != ' ' && text[at-1] != '\t' {
				end = at
			}
			next = at + 1
		}
		used += ruler.Width(r)
		if used <= room || space || at == 0 || look.IsMark(r) {
			continue
		}
		if end > 0 {
			return end, next
		}
		return at, at
	}
	return len(text), len(text)
}
