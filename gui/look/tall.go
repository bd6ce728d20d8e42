package look

import (
	"encoding/binary"
	"slices"
	"sync"
	"unicode"

	"fyne.io/fyne/v2"
)

// Letters of many scripts (Hangul, Thai, Devanagari) are taller than Inter's. The toolkit then puts the line's baseline lower, but draws no more
// than the height of a line of Inter, so that the feet of "g" and "p" are cut off. Such lines get Inter with more room below its baseline; the
// layout goes on measuring Inter as it is.

// tallWidth marks the style of such a line: the toolkit asks the theme for a font by all of a style, and Assay uses no tabs.
const tallWidth = 1

// roomBelow is what is added below the baseline, as a share of the font's size.
const roomBelow = 0.4

// The three weights with that room, made when a line needs them first.
var (
	tallRegular  = withRoom(interRegular)
	tallMedium   = withRoom(interMedium)
	tallSemiBold = withRoom(interSemiBold)
)

func withRoom(font fyne.Resource) func() fyne.Resource {
	return sync.OnceValue(func() fyne.Resource {
		return fyne.NewStaticResource("tall-"+font.Name(), deeper(font.Content(), roomBelow))
	})
}

// isTall reports whether a text has letters that Inter lacks.
func isTall(text string) bool {
	for _, r := range text {
		if r >= 0x0590 && unicode.IsLetter(r) && !unicode.Is(inInter, r) {
			return true
		}
	}
	return false
}

// Lift is how far above its place a line is drawn in which the toolkit puts the baseline much lower, as fonts for Chinese, Japanese and Korean make it do:
// else it would stand on the line below. The fonts differ, so it is a share of the size that is right within a pixel.
func Lift(text string, size float32, style fyne.TextStyle) float32 {
	const share = 0.2
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) && !style.Monospace {
			return share * size
		}
	}
	return 0
}

// deeper returns a font with more room below its baseline. share is of the font's size. A font that is no TrueType or OpenType comes back as it is.
func deeper(font []byte, share float64) []byte {
	const directory, entry = 12, 16
	tables := map[string]int{}
	if len(font) < directory {
		return font
	}
	for i := range int(binary.BigEndian.Uint16(font[4:])) {
		at := directory + i*entry
		if len(font) < at+entry {
			return font
		}
		tables[string(font[at:at+4])] = int(binary.BigEndian.Uint32(font[at+8:]))
	}
	head, hhea, os2 := tables["head"], tables["hhea"], tables["OS/2"]
	if head == 0 || hhea == 0 || os2 == 0 || len(font) < max(head+20, hhea+8, os2+78) {
		return font
	}
	font = slices.Clone(font)
	room := uint16(float64(binary.BigEndian.Uint16(font[head+18:])) * share)
	for _, descent := range []int{hhea + 6, os2 + 70} { // the descender, and the typographic one, are negative
		binary.BigEndian.PutUint16(font[descent:], binary.BigEndian.Uint16(font[descent:])-room)
	}
	binary.BigEndian.PutUint16(font[os2+76:], binary.BigEndian.Uint16(font[os2+76:])+room) // Windows' is positive
	return font
}
