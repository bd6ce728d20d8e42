package heat

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"strings"
	"unicode"

	"assay/gui/wrap"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Legend is what a composite says beneath the picture.
//
// A scale of colours is not among it: the service gives none for its heatmaps, and one made up would claim to know what
// a colour stands for.
type Legend struct {
	// Lines are shown one beneath the other, each wrapped where it is too long.
	Lines []string
	// Fonts are TrueType or OpenType files; each character is taken from the first that has it. What none has, what is
	// written from right to left (it takes more than a font to set that), and what cannot be seen at all appears as its
	// number: \u202E. Without a font there is no legend.
	Fonts [][]byte
}

// laidLegend is a legend in lines that fit.
type laidLegend struct {
	writer *fontWriter
	lines  []string
}

var legendInk = color.RGBA{26, 28, 33, 255}

// legendTextSize is the size of the letters beneath a picture of that width, in pixels.
func legendTextSize(width int) int { return min(max(width/75, 13), 72) }

// layLegend wraps the lines for a legend of that width.
func layLegend(fonts fontChain, lines []string, width int) *laidLegend {
	if len(fonts) == 0 || len(lines) == 0 {
		return &laidLegend{}
	}
	legend := &laidLegend{writer: fonts.writer(legendTextSize(width))}
	for _, line := range lines {
		legend.lines = append(legend.lines, legend.writer.wrap(writable(fonts, line), width-2*legend.writer.size)...)
	}
	return legend
}

// height is the whole legend's in pixels; 0 where there is none.
func (l *laidLegend) height() int {
	if l.writer == nil {
		return 0
	}
	return len(l.lines)*l.writer.lineHeight() + 2*l.writer.size
}

// draw writes the legend from top on.
func (l *laidLegend) draw(to *image.RGBA, top int) {
	for i, line := range l.lines {
		l.writer.write(to, line, image.Pt(l.writer.size, top+l.writer.size+i*l.writer.lineHeight()), legendInk)
	}
}

// close frees the fonts.
func (l *laidLegend) close() {
	if l.writer != nil {
		l.writer.close()
	}
}

// wrap breaks a line so that none is wider than width: between words, and within what is too long for a line.
func (f *fontWriter) wrap(line string, width int) []string {
	return wrap.Lines(strings.Join(strings.Fields(line), " "), float32(width), func(_ int, r rune) float32 {
		return float32(f.advance(r)) / 64
	}, wrap.AtSpaces)
}

// fontChain are fonts of which each stands in for what those before it lack.
type fontChain []*sfnt.Font

// parseFont reads a font file. A parser's panic is an error.
func parseFont(file []byte) (font *sfnt.Font, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the parser panicked: %v", cause)
		}
	}()
	return opentype.Parse(file)
}

// parseFonts reads font files.
func parseFonts(files [][]byte) (fontChain, error) {
	var chain fontChain
	for _, file := range files {
		parsed, err := parseFont(file)
		if err != nil {
			return nil, fmt.Errorf("read a font: %w", err)
		}
		if _, err := opentype.NewFace(parsed, nil); err != nil {
			return nil, fmt.Errorf("use a font: %w", err)
		}
		chain = append(chain, parsed)
	}
	return chain, nil
}

// holding is the place of the first font that has a character, -1 where none does.
func (c fontChain) holding(r rune) int {
	var buffer sfnt.Buffer
	for i, one := range c {
		if glyph, err := one.GlyphIndex(&buffer, r); err == nil && glyph != 0 {
			return i
		}
	}
	return -1
}

// writable gives a text in which every character can be seen as it stands: others are written as their numbers.
func writable(fonts fontChain, text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == ' ' || unicode.IsGraphic(r) && !isRightToLeft(r) && fonts.holding(r) >= 0 {
			b.WriteRune(r)
		} else {
			b.WriteString(escaped(r))
		}
	}
	return b.String()
}

// escaped is a character's number, as programs write it.
func escaped(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08X`, r)
	}
	return fmt.Sprintf(`\u%04X`, r)
}

// isRightToLeft says whether a character belongs to a script that runs from right to left.
func isRightToLeft(r rune) bool {
	return r >= 0x0590 && r <= 0x08ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfeff ||
		r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
}

// fontWriter draws letters of one size.
type fontWriter struct {
	chain fontChain
	faces []font.Face
	size  int // of the letters, in pixels
}

// writer makes the letters of that size; close it.
func (c fontChain) writer(size int) *fontWriter {
	w := &fontWriter{chain: c, size: size}
	for _, one := range c {
		// It cannot fail where it did not for parseFonts.
		face, _ := opentype.NewFace(one, &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingNone})
		w.faces = append(w.faces, face)
	}
	return w
}

// close frees the letters.
func (f *fontWriter) close() {
	errs := make([]error, 0, len(f.faces))
	for _, face := range f.faces {
		errs = append(errs, face.Close())
	}
	_ = errors.Join(errs...) // nothing was written
}

// lineHeight is from one line to the next, in pixels.
func (f *fontWriter) lineHeight() int { return f.size * 3 / 2 }

// width is that of a text in pixels.
func (f *fontWriter) width(text string) int {
	var total fixed.Int26_6
	for _, r := range text {
		total += f.advance(r)
	}
	return total.Ceil()
}

// advance is a character's width.
func (f *fontWriter) advance(r rune) fixed.Int26_6 {
	advance, _ := f.face(r).GlyphAdvance(r)
	return advance
}

// face is the one to draw a character with.
func (f *fontWriter) face(r rune) font.Face { return f.faces[max(0, f.chain.holding(r))] }

// write draws a text in one line, whose upper left corner is given.
func (f *fontWriter) write(to *image.RGBA, text string, at image.Point, c color.RGBA) {
	drawer := font.Drawer{Dst: to, Src: image.NewUniform(c), Dot: fixed.P(at.X, at.Y+f.size*11/10)}
	for _, r := range text {
		drawer.Face = f.face(r)
		drawer.DrawString(string(r))
	}
}
