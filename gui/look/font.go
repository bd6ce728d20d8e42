package look

import (
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// The toolkit keeps, for each style of text, fonts of its own to fall back on: emoji, symbols, those of the system. They take about 9 MB
// a style. Inter alone draws what our words and most names consist of, and where it does, the medium and bold styles ask for it alone.

// inInter are characters that Inter has in every weight; a test holds them against the fonts.
var inInter = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x0020, Hi: 0x007e, Stride: 1}, // Latin
		{Lo: 0x00a0, Hi: 0x0148, Stride: 1},
		{Lo: 0x014a, Hi: 0x017f, Stride: 1},
		{Lo: 0x0400, Hi: 0x045f, Stride: 1}, // Cyrillic
		{Lo: 0x2013, Hi: 0x2014, Stride: 1}, // – —
		{Lo: 0x2018, Hi: 0x201e, Stride: 1}, // quotation marks
		{Lo: 0x2026, Hi: 0x2026, Stride: 1}, // …
		{Lo: 0x2039, Hi: 0x203a, Stride: 1}, // ‹ ›
		{Lo: 0x20ac, Hi: 0x20ac, Stride: 1}, // €
		{Lo: 0x2190, Hi: 0x2193, Stride: 1}, // arrows
		{Lo: 0x2212, Hi: 0x2212, Stride: 1}, // −
	},
	LatinOffset: 2,
}

// FontSource is the font that draws a text in a style by itself; nil where the toolkit is to choose among all of them.
func FontSource(text string, style fyne.TextStyle) fyne.Resource {
	var font fyne.Resource
	switch style {
	case WeightBold.Style():
		font = interSemiBold
	case WeightMedium.Style():
		font = interMedium
	default:
		return nil
	}
	for _, r := range text {
		if !unicode.Is(inInter, r) {
			return nil
		}
	}
	return font
}

// ReadFonts has the toolkit read the fonts of all weights, which takes some hundredths of a second. It may run on any goroutine, while
// nothing else measures or draws a text.
func ReadFonts() {
	for _, weight := range []Weight{WeightRegular, WeightMedium, WeightBold} {
		Measure("M", sizes[SizeText], weight.Style())
	}
}

// SetText changes what a line says, and in which style. The caller refreshes it.
func SetText(line *canvas.Text, text string, style fyne.TextStyle) {
	line.Text, line.TextStyle, line.FontSource = text, style, FontSource(text, style)
}

// Measure is the size of a text on one line, as SetText has it drawn.
func Measure(text string, size float32, style fyne.TextStyle) fyne.Size {
	measured, _ := fyne.CurrentApp().Driver().RenderedTextSize(text, size, style, FontSource(text, style))
	return measured
}
