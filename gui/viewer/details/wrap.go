package details

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"

	"assay/gui/look"
)

// mostLines is how many lines of one value are shown; the whole can be copied.
const mostLines = 12

// ruler knows how wide characters are in one size and style. Adding them up is hundreds of times faster than having whole texts
// shaped, and a file can hold a million characters; where letters join, it finds them rather too wide.
type ruler struct {
	size  float32
	style fyne.TextStyle
	ascii [128]float32
	other map[rune]float32
}

func newRuler(size fyne.ThemeSizeName, style fyne.TextStyle) *ruler {
	r := &ruler{size: look.Size(size), style: style, other: map[rune]float32{}}
	for c := ' '; c < 127; c++ {
		r.ascii[c] = fyne.MeasureText(string(c), r.size, style).Width
	}
	return r
}

func (r *ruler) width(c rune) float32 {
	if c >= 0 && c < rune(len(r.ascii)) {
		return r.ascii[c]
	}
	if unicode.Is(unicode.Mn, c) {
		return 0 // stands on the letter before it
	}
	width, known := r.other[c]
	if !known {
		width = fyne.MeasureText(string(c), r.size, r.style).Width
		r.other[c] = width
	}
	return width
}

// wrap breaks a text into lines of at most a width: at spaces, and inside words that are wider than a line.
func (r *ruler) wrap(text string, width float32) []string {
	text = strings.Join(strings.Fields(text), " ")
	var lines []string
	start, space := 0, -1       // of the line, and the last space in it
	var used, upToSpace float32 // widths from the line's start
	for i, c := range text {
		wide := r.width(c)
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
