package look

import (
	"sort"

	"fyne.io/fyne/v2"
)

// Ellipsis says where a text that is too long for its line is cut.
type Ellipsis int

// The places. Middle is for file names, whose ends tell them apart.
const (
	EllipsisNone Ellipsis = iota
	EllipsisEnd
	EllipsisMiddle
)

// Fit returns the text if it fits the width, or as much of it as does, with "…" where it was cut.
// Size is in device-independent pixels.
func Fit(text string, width, size float32, style fyne.TextStyle, where Ellipsis) string {
	fits := func(s string) bool { return Measure(s, size, style).Width <= width+0.01 }
	if where == EllipsisNone || text == "" || fits(text) {
		return text
	}
	runes := []rune(text)
	cut := func(keep int) string {
		if where == EllipsisMiddle {
			tail := keep / 2
			return string(runes[:keep-tail]) + "…" + string(runes[len(runes)-tail:])
		}
		return string(runes[:keep]) + "…"
	}
	// The first length that does not fit; kerning makes widths not quite monotonic, which costs a pixel at most.
	tooLong := sort.Search(len(runes), func(keep int) bool { return !fits(cut(keep)) })
	if tooLong == 0 {
		return "…"
	}
	return cut(tooLong - 1)
}
