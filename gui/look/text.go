package look

import (
	"sort"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// For each text style the toolkit loads fallback fonts: emoji, symbols, the system's fonts, about 9 MB a style. To save that, texts whose characters
// are all in Inter are drawn with Inter alone, as most are.

// inInter are the characters that Inter has in every weight; a test compares it with the fonts.
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

// FontSource returns the font for drawing a text in a style; nil if the toolkit is to choose among all of them.
func FontSource(text string, style fyne.TextStyle) fyne.Resource {
	var font fyne.Resource
	switch style {
	case WeightBold.Style():
		font = interSemiBold
	case WeightMedium.Style():
		font = interMedium
	case WeightRegular.Style():
		font = interRegular
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

// ReadFonts makes the toolkit read the fonts of all weights, which takes some hundredths of a second. Call it on any goroutine while no other
// measures or draws text.
func ReadFonts() {
	for _, weight := range []Weight{WeightRegular, WeightMedium, WeightBold} {
		Measure("M", sizes[SizeText], weight.Style())
	}
}

// SetText changes the text and the style of a line. The caller must refresh it.
func SetText(line *canvas.Text, text string, style fyne.TextStyle) {
	line.Text, line.TextStyle, line.FontSource = drawn(text), style, FontSource(text, style)
	if isTall(text) && !style.Monospace {
		line.TextStyle.TabWidth = tallWidth
	}
}

// Measure returns the size of a text on one line, drawn as SetText does.
func Measure(text string, size float32, style fyne.TextStyle) fyne.Size {
	measured, _ := fyne.CurrentApp().Driver().RenderedTextSize(drawn(text), size, style, FontSource(text, style))
	return measured
}

// Ellipsis is where a text is cut that is too long for its line.
type Ellipsis int

// The places. Middle is for file names, which differ at their ends.
const (
	EllipsisNone Ellipsis = iota
	EllipsisEnd
	EllipsisMiddle
)

// Fit returns the text if it fits the width, or as much as fits, with "…" where it is cut; "" where there is no room even for
// that. Width and size are in device-independent pixels.
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
		return strings.TrimRight(string(runes[:keep]), " .,;:·") + "…" // not "leads to.…"
	}
	// The first length that does not fit. Kerning makes widths not quite monotonic, which costs at most a pixel.
	tooLong := sort.Search(len(runes), func(keep int) bool { return !fits(cut(keep)) })
	if tooLong == 0 {
		return ""
	}
	return cut(tooLong - 1)
}

// Ruler has the widths of characters in a style, each of which is measured once. Adding them up is a hundred times faster than shaping whole texts;
// if letters join, the sum is slightly too large. It must be used on the UI thread.
type Ruler struct {
	style fyne.TextStyle
	ascii [128]float32 // for a size of 1; 0: not measured yet
	other map[rune]float32
}

// ruledAt is a font size at which rounding does not matter.
const ruledAt float32 = 64

var rulers = map[rulerOf]*Ruler{}

type rulerOf struct {
	font  fyne.Resource // the theme's
	style fyne.TextStyle
}

// RulerOf returns the shared ruler of a style.
func RulerOf(style fyne.TextStyle) *Ruler {
	of := rulerOf{fyne.CurrentApp().Settings().Theme().Font(style), style}
	r := rulers[of]
	if r == nil {
		r = &Ruler{style: style, other: map[rune]float32{}}
		rulers[of] = r
	}
	return r
}

// Width is the width of a character at a font size of 1.
func (r *Ruler) Width(c rune) float32 {
	if c >= 0 && c < rune(len(r.ascii)) {
		if r.ascii[c] == 0 {
			r.ascii[c] = r.measure(c)
		}
		return r.ascii[c]
	}
	if IsMark(c) {
		return 0
	}
	width, known := r.other[c]
	if !known {
		width = r.measure(c)
		r.other[c] = width
	}
	return width
}

func (r *Ruler) measure(c rune) float32 { return Measure(string(c), ruledAt, r.style).Width / ruledAt }

// IsMark reports whether a character is drawn on the one before it, without a width of its own.
func IsMark(c rune) bool { return unicode.In(c, unicode.Mn, unicode.Me) }

// Figures draws a number with digits of equal width, so that numbers align in columns. It uses one text per character, since Fyne can't select a
// font's tabular digits. It is part of a renderer, not an object: add Objects to the renderer's.
type Figures struct {
	cells []*canvas.Text
	width []float32
}

// Set changes text and style, and with them the objects.
func (f *Figures) Set(text string, size fyne.ThemeSizeName, style fyne.TextStyle, colour fyne.ThemeColorName) {
	f.cells, f.width = f.cells[:0], f.width[:0]
	points := Size(size)
	for _, c := range text {
		cell := canvas.NewText("", Color(colour))
		SetText(cell, string(c), style)
		cell.TextSize, cell.Alignment = points, fyne.TextAlignCenter
		f.cells = append(f.cells, cell)
		f.width = append(f.width, cellWidth(c, points, style))
	}
}

// Objects returns what to draw.
func (f *Figures) Objects() []fyne.CanvasObject {
	objects := make([]fyne.CanvasObject, len(f.cells))
	for i, cell := range f.cells {
		objects[i] = cell
	}
	return objects
}

// Width is their width together.
func (f *Figures) Width() float32 {
	sum := float32(0)
	for _, w := range f.width {
		sum += w
	}
	return sum
}

// Place puts their left end at x, vertically in the middle of a line that begins at y.
func (f *Figures) Place(x, y, height float32) {
	for i, cell := range f.cells {
		cell.Move(fyne.NewPos(x, y))
		cell.Resize(fyne.NewSize(f.width[i], height))
		x += f.width[i]
	}
}

// cellWidth is the width for a character: for every digit that of zero, one of Inter's widest.
func cellWidth(c rune, size float32, style fyne.TextStyle) float32 {
	if c >= '0' && c <= '9' {
		c = '0'
	}
	return Measure(string(c), size, style).Width
}

// FiguresWidth is the width of a number as Figures draws it.
func FiguresWidth(text string, size float32, style fyne.TextStyle) float32 {
	sum := float32(0)
	for _, c := range text {
		sum += cellWidth(c, size, style)
	}
	return sum
}
