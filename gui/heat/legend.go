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

// Legend is the text below a composite.
//
// It has no scale of colours: the service reports none for its heatmaps, and an invented one would claim to know what the colours mean.
type Legend struct {
	// Lines are shown below each other; a long one wraps.
	Lines []string
	// Fonts are TrueType or OpenType files; each character is drawn with the first font that has it. Three kinds of character are written as their
	// number, such as \u202E: those that no font has, those of right-to-left scripts (which need shaping), and invisible ones. Without fonts there is
	// no legend.
	Fonts [][]byte
}

// laidLegend is a legend broken into lines that fit.
type laidLegend struct {
	writer *fontWriter
	lines  []string
}

var legendInk = color.RGBA{26, 28, 33, 255}

// legendTextSize is the font size for a picture of that width, in pixels.
func legendTextSize(width int) int { return min(max(width/75, 13), 72) }

// layLegend wraps the lines to a width in pixels.
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

// height is the height of the legend in pixels; 0 if there is none.
func (l *laidLegend) height() int {
	if l.writer == nil {
		return 0
	}
	return len(l.lines)*l.writer.lineHeight() + 2*l.writer.size
}

// draw draws the legend from top downwards.
func (l *laidLegend) draw(to *image.RGBA, top int) {
	for i, line := range l.lines {
		l.writer.write(to, line, image.Pt(l.writer.size, top+l.writer.size+i*l.writer.lineHeight()), legendInk)
	}
}

// close releases the fonts.
func (l *laidLegend) close() {
	if l.writer != nil {
		l.writer.close()
	}
}

// wrap breaks a line into lines of at most width: between words, and within words that are too long.
func (f *fontWriter) wrap(line string, width int) []string {
	return wrap.Lines(strings.Join(strings.Fields(line), " "), float32(width), func(_ int, r rune) float32 {
		return float32(f.advance(r)) / 64
	}, wrap.AtSpaces)
}

// fontChain is a list of fonts, each the fallback for those before it.
type fontChain []*sfnt.Font

// parseFont parses a font file. A panic of the parser becomes an error.
func parseFont(file []byte) (font *sfnt.Font, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the parser panicked: %v", cause)
		}
	}()
	return opentype.Parse(file)
}

// parseFonts parses font files.
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

// holding returns the index of the first font that has a character, -1 if none does.
func (c fontChain) holding(r rune) int {
	var buffer sfnt.Buffer
	for i, one := range c {
		if glyph, err := one.GlyphIndex(&buffer, r); err == nil && glyph != 0 {
			return i
		}
	}
	return -1
}

// writable returns the text with characters that can't be drawn replaced by their numbers.
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

// escaped returns the number of a character, as in program sources.
func escaped(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08X`, r)
	}
	return fmt.Sprintf(`\u%04X`, r)
}

// isRightToLeft reports whether a character belongs to a script that is written from right to left.
func isRightToLeft(r rune) bool {
	return r >= 0x0590 && r <= 0x08ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfeff ||
		r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
}

// fontWriter draws text of one size.
type fontWriter struct {
	chain fontChain
	faces []font.Face
	size  int // font size in pixels
}

// writer returns a fontWriter for a size, which must be closed.
func (c fontChain) writer(size int) *fontWriter {
	w := &fontWriter{chain: c, size: size}
	for _, one := range c {
		// It can't fail after parseFonts succeeded.
		face, _ := opentype.NewFace(one, &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingNone})
		w.faces = append(w.faces, face)
	}
	return w
}

// close releases the faces.
func (f *fontWriter) close() {
	errs := make([]error, 0, len(f.faces))
	for _, face := range f.faces {
		errs = append(errs, face.Close())
	}
	_ = errors.Join(errs...) // nothing was written
}

// lineHeight is the distance between lines, in pixels.
func (f *fontWriter) lineHeight() int { return f.size * 3 / 2 }

// width returns the width of a text in pixels.
func (f *fontWriter) width(text string) int {
	var total fixed.Int26_6
	for _, r := range text {
		total += f.advance(r)
	}
	return total.Ceil()
}

// advance returns the width of a character.
func (f *fontWriter) advance(r rune) fixed.Int26_6 {
	advance, _ := f.face(r).GlyphAdvance(r)
	return advance
}

// face returns the face for drawing a character.
func (f *fontWriter) face(r rune) font.Face { return f.faces[max(0, f.chain.holding(r))] }

// write draws a line of text, of which at is the upper left corner.
func (f *fontWriter) write(to *image.RGBA, text string, at image.Point, c color.RGBA) {
	drawer := font.Drawer{Dst: to, Src: image.NewUniform(c), Dot: fixed.P(at.X, at.Y+f.size*11/10)}
	for _, r := range text {
		drawer.Face = f.face(r)
		drawer.DrawString(string(r))
	}
}
