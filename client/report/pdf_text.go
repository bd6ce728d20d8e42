package report

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Fonts are the fonts of a PDF, as TrueType; the file embeds the part of them that it uses.
type Fonts struct{ Regular, Bold, Mono []byte }

var fonts atomic.Pointer[func() ([]*typeface, error)]

// UseFonts sets the fonts of all PDFs that this process writes later; without it, it writes none. main calls it at the start: the fonts come
// with the toolkit, which client does not import.
func UseFonts(f Fonts) {
	read := sync.OnceValues(func() (faces []*typeface, err error) {
		for i, data := range [][]byte{f.Regular, f.Bold, f.Mono} {
			parsed, err := sfnt.Parse(data)
			if err != nil {
				return nil, fmt.Errorf("read a font: %w", err)
			}
			faces = append(faces, &typeface{family: []string{"text", "bold", "mono"}[i], data: data, font: parsed})
		}
		return faces, nil
	})
	fonts.Store(&read)
}

// typefaces are the fonts, in the order of Fonts.
func typefaces() ([]*typeface, error) {
	read := fonts.Load()
	if read == nil {
		return nil, errors.New("write a PDF: no fonts were set")
	}
	return (*read)()
}

// typeface is a font with information about its glyphs.
type typeface struct {
	family string
	data   []byte
	font   *sfnt.Font // safe for many goroutines, each with a buffer of its own
}

// style is the look of a text.
type style struct {
	face  int     // in Fonts' order
	size  float64 // points
	color rgb
}

const (
	faceText = iota
	faceBold
	faceMono
)

type rgb struct{ r, g, b int }

// The colours on paper.
var (
	ink   = rgb{0x1A, 0x1D, 0x23}
	muted = rgb{0x5C, 0x64, 0x70}
	line  = rgb{0xC9, 0xCE, 0xD6}
	sunk  = rgb{0xEC, 0xEE, 0xF1}
	fill  = rgb{0x3A, 0x3F, 0x48}
)

// mm is a typographic point in millimetres.
const mm = 25.4 / 72

// lineHeight is the height of a line in millimetres.
func (s style) lineHeight() float64 { return s.size * 1.36 * mm }

// letters measures texts and breaks them into lines, and finds the font for a character.
type letters struct {
	faces   []*typeface
	buffer  sfnt.Buffer
	widths  map[letter]float64 // of characters, in thousandths of the size; below 0: the font has none
	missing bool               // a character was written by its number
}

type letter struct {
	face int
	r    rune
}

// width is a character's width in a font, in thousandths of its size, and whether the font has the character.
func (l *letters) width(face int, r rune) (float64, bool) {
	key := letter{face, r}
	w, known := l.widths[key]
	if !known {
		w = -1
		f := l.faces[face].font
		if glyph, err := f.GlyphIndex(&l.buffer, r); err == nil && glyph != 0 && drawable(r) {
			if advance, err := f.GlyphAdvance(&l.buffer, glyph, fixed.I(1000), font.HintingNone); err == nil {
				w = float64(advance) / 64
			}
		}
		l.widths[key] = w
	}
	return max(w, 0), w >= 0
}

// drawable reports whether a character is drawn right one beside the other, from left to right, as this file draws. Others would be shown in a wrong order or shape,
// or not be seen.
func drawable(r rune) bool {
	return r <= 0xFFFF && unicode.IsGraphic(r) && unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Georgian, unicode.Common, unicode.Inherited)
}

// run is a text in one font.
type run struct {
	face int
	text string
}

// written is a text in which each character that no font has is replaced by its number: "[U+1F642]". Line breaks stay.
func (l *letters) written(text string, face int) string {
	var b strings.Builder
	for i, r := range text {
		switch r {
		case '\n', '\r', '\t':
			if r != '\r' || !strings.HasPrefix(text[i+1:], "\n") {
				b.WriteByte(map[rune]byte{'\n': '\n', '\r': '\n', '\t': ' '}[r])
			}
			continue
		case '\u202f': // a narrow no-break space
			r = '\u00a0'
		}
		if l.faceOf(r, face) < 0 {
			l.missing = true
			fmt.Fprintf(&b, "[U+%04X]", r) //nolint:forbidigo // in memory
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// faceOf is the font that a character is drawn in: the wanted one, else another that has it; below 0 for none.
func (l *letters) faceOf(r rune, wanted int) int {
	for _, face := range []int{wanted, faceText, faceMono} {
		if _, has := l.width(face, r); has {
			return face
		}
	}
	return -1
}

// runs are the parts of a written text, each in one font.
func (l *letters) runs(text string, s style) (all []run) {
	start, current := 0, -1
	for i, r := range text {
		if face := l.faceOf(r, s.face); face != current {
			if i > start {
				all = append(all, run{current, text[start:i]})
			}
			start, current = i, face
		}
	}
	if start < len(text) {
		all = append(all, run{current, text[start:]})
	}
	return all
}

// measure is the width of a written text in millimetres.
func (l *letters) measure(text string, s style) (width float64) {
	for _, r := range text {
		w, _ := l.width(l.faceOf(r, s.face), r)
		width += w
	}
	return width / 1000 * s.size * mm
}

// smallest is the size, in points, down to which a hash or a field is reduced to fit on one line.
const smallest = 6

// fit is a style in which a text without spaces stays whole in width, if there is a size for it.
func (l *letters) fit(text string, s style, width float64) style {
	if wide := l.measure(l.written(text, s.face), s); wide > width && s.face == faceMono && !strings.Contains(text, " ") {
		if size := s.size * width / wide * 0.999; size >= smallest {
			s.size = size
		}
	}
	return s
}

// lines breaks a text into lines of a width in millimetres: at spaces, or anywhere inside a wider word.
func (l *letters) lines(text string, s style, width float64) (all []string) {
	for paragraph := range strings.SplitSeq(l.written(text, s.face), "\n") {
		current, wide, space := "", 0.0, l.measure(" ", s)
		for word := range strings.SplitSeq(paragraph, " ") {
			w := l.measure(word, s)
			if current != "" && wide+space+w <= width {
				current, wide = current+" "+word, wide+space+w
				continue
			}
			if current != "" {
				all = append(all, current)
			}
			for w > width {
				head := l.fitting(word, s, width)
				all = append(all, head)
				word = word[len(head):]
				w = l.measure(word, s)
			}
			current, wide = word, w
		}
		all = append(all, current)
	}
	return all
}

// fitting is as much of a word as goes into width, at least one character, and not a part of a character's number; a hash is halved.
func (l *letters) fitting(word string, s style, width float64) string {
	if half := len(word) / 2; len(word) == 64 && s.face == faceMono && l.measure(word[:half], s) <= width {
		return word[:half]
	}
	wide, end, open := 0.0, 0, 0
	for i, r := range word {
		n := utf8.RuneLen(r)
		wide += l.measure(word[i:i+n], s)
		if wide > width && i > 0 {
			break
		}
		if strings.HasPrefix(word[i:], "[U+") {
			open = i
		}
		end = i + n
	}
	if cut := word[open:end]; open > 0 && strings.HasPrefix(cut, "[U+") && !strings.Contains(cut, "]") || open > 0 && (cut == "[" || cut == "[U") {
		end = open
	}
	return word[:end]
}

// draw writes a line with its top left corner at x, y.
func (l *letters) draw(doc *fpdf.Fpdf, text string, s style, x, y float64) {
	doc.SetTextColor(s.color.r, s.color.g, s.color.b)
	baseline := y + s.lineHeight()/2 + s.size*mm*0.35
	for _, r := range l.runs(text, s) {
		doc.SetFont(l.faces[r.face].family, "", s.size)
		doc.Text(x, baseline, r.text)
		x += l.measure(r.text, style{face: r.face, size: s.size})
	}
}
