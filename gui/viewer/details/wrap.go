package details

import (
	"strings"

	"fyne.io/fyne/v2"

	"assay/gui/look"
)

// mostLines is how many lines of one value are shown; the whole can be copied.
const mostLines = 12

// ruler breaks texts of one size and style into lines: a file can hold a million characters, and having whole texts shaped is slow.
type ruler struct {
	*look.Ruler
	size float32
}

func newRuler(size fyne.ThemeSizeName, style fyne.TextStyle) *ruler {
	return &ruler{look.RulerOf(style), look.Size(size)}
}

// wrap breaks a text into lines of at most a width: at spaces, and inside words that are wider than a line.
func (r *ruler) wrap(text string, width float32) []string {
	text = strings.Join(strings.Fields(text), " ")
	var lines []string
	start, space := 0, -1       // of the line, and the last space in it
	var used, upToSpace float32 // widths from the line's start
	for i, c := range text {
		wide := r.Width(c) * r.size
		if used+wide > width && i > start && wide > 0 {
			if len(lines) == mostLines-1 {
				return append(lines, text[start:i]+" …")
			}
			switch {
			case c == ' ':
				lines = append(lines, text[start:i])
				start, space, used = i+1, -1, 0
				continue
			case space > start:
				lines = append(lines, text[start:space])
				start, used = space+1, used-upToSpace
			default:
				lines = append(lines, text[start:i])
				start, used = i, 0
			}
			space = -1
		}
		used += wide
		if c == ' ' {
			space, upToSpace = i, used
		}
	}
	return append(lines, text[start:])
}

// grouped parts a hash into groups of eight characters, so that it can be compared by eye.
func grouped(hash string) string {
	var b strings.Builder
	for i, r := range hash {
		if i > 0 && i%8 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// rulers are those of the sheet's texts.
type rulers struct{ text, small, mono *ruler }

func newRulers() *rulers {
	return &rulers{text: newRuler(look.SizeText, regular), small: newRuler(look.SizeSmall, regular), mono: newRuler(look.SizeText, mono)}
}
