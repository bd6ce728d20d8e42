package text

import (
	"unicode"

	"assay/gui/look"
)

// widths says how wide characters are, in parts of the type's size, so that lines can be broken off the UI thread: the toolkit
// measures on that alone, and a text of 5 MB would keep it for minutes.
type widths struct {
	ascii [2][128]float32 // regular, bold
	other [2]map[rune]float32
}

// measuredAt is a size of type at which rounding does not matter.
const measuredAt float32 = 64

// mostMeasured bounds the characters that are measured; further ones are taken to be wide.
const mostMeasured = 600

// newWidths measures the characters of the whole of ASCII. It runs on the UI thread, as extend does.
func newWidths() *widths {
	w := &widths{other: [2]map[rune]float32{{}, {}}}
	for weight := range w.ascii {
		for r := ' '; r < 0x7f; r++ {
			w.ascii[weight][r] = measureRune(r, weight)
		}
	}
	return w
}

// extend gives widths that also know these characters. What is not known to them yet is measured once.
func (w *widths) extend(more map[rune]bool) *widths {
	out := &widths{ascii: w.ascii, other: [2]map[rune]float32{{}, {}}}
	for weight, known := range w.other {
		for r, width := range known {
			out.other[weight][r] = width
		}
	}
	for r := range more {
		if _, known := out.other[0][r]; known || len(out.other[0]) >= mostMeasured {
			continue
		}
		for weight := range out.other {
			out.other[weight][r] = measureRune(r, weight)
		}
	}
	return out
}

func measureRune(r rune, weight int) float32 {
	style := look.WeightRegular.Style()
	if weight == 1 {
		style = look.WeightBold.Style()
	}
	return look.Measure(string(r), measuredAt, style).Width / measuredAt
}

// of is a character's width at size 1.
func (w *widths) of(r rune, weight int) float32 {
	if r < 128 {
		return w.ascii[weight][r]
	}
	switch {
	case takesNoRoom(r):
		return 0
	case isWide(r):
		return 1
	}
	if width, known := w.other[weight][r]; known {
		return width
	}
	return 1
}

// measurable collects the characters of a text that have to be measured.
func measurable(text string, into map[rune]bool) {
	for _, r := range text {
		if r >= 128 && !takesNoRoom(r) && !isWide(r) {
			into[r] = true
		}
	}
}

// takesNoRoom tells the marks that stand on another character, and the joiners.
func takesNoRoom(r rune) bool {
	return r >= 0x300 && (unicode.In(r, unicode.Mn, unicode.Me) || r >= 0x200b && r <= 0x200f || r >= 0xfe00 && r <= 0xfe0f || r == 0x2060 || r == 0xfeff)
}

// isWide tells the characters that fill a square.
func isWide(r rune) bool {
	return r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe4f ||
		r >= 0xff00 && r <= 0xff60 || r >= 0xffe0 && r <= 0xffe6 || r >= 0x1f300 && r <= 0x1faff || r >= 0x20000 && r <= 0x3fffd
}
