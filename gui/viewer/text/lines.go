package text

import (
	"context"
	"slices"

	"assay/gui/look"
	"assay/gui/wrap"
)

// line is a line on screen: a range of bytes of a block, and where it is drawn.
type line struct {
	block      int
	start, end int
	y          float32 // its top
}

// lines is a whole text broken for a width. It does not change once it is made.
type lines struct {
	width  float32
	face   face
	all    []line
	first  []int // index of each block's first line; one more at the end
	height float32
}

// face is the font sizes of a text, in device-independent pixels.
type face struct{ text, heading float32 }

func (f face) of(b *ProseBlock) float32 {
	if b.Kind == ProseHeading {
		return f.heading
	}
	return f.text
}

// leading is the height of a line in relation to the font size.
const leading = 1.55

const (
	itemIndent float32 = 4.5 * look.Space
	edge       float32 = 3 * look.Space // left and right of the text, above and below it
)

func indentOf(b *ProseBlock) float32 {
	if b.Kind == ProseItem {
		return itemIndent
	}
	return 0
}

// gapBefore is the room above a block.
func gapBefore(blocks []ProseBlock, i int) float32 {
	b := &blocks[i]
	switch {
	case i == 0 || b.Joined:
		return 0
	case b.Kind == ProseHeading:
		return 4 * look.Space
	case b.Kind != ProseParagraph && blocks[i-1].Kind == b.Kind:
		return look.Space
	}
	return 2 * look.Space
}

// breakLines breaks a text into lines of a width. It does not use the toolkit; the result is nil once ctx has ended.
func breakLines(ctx context.Context, blocks []ProseBlock, w *widths, f face, width float32) *lines {
	out := &lines{width: width, face: f, first: make([]int, 0, len(blocks)+1)}
	y := edge
	for i := range blocks {
		if i%512 == 0 && ctx.Err() != nil {
			return nil
		}
		b := &blocks[i]
		y += gapBefore(blocks, i)
		out.first = append(out.first, len(out.all))
		room := max(width-2*edge-indentOf(b), 4*look.Space)
		for start := 0; start < len(b.Text); {
			end, next := lineEnd(b, start, room, w, f.of(b))
			out.all = append(out.all, line{block: i, start: start, end: end, y: y})
			y += f.of(b) * leading
			if start = next; len(out.all)%4096 == 0 && ctx.Err() != nil {
				return nil
			}
		}
	}
	out.first = append(out.first, len(out.all))
	out.height = y + edge
	return out
}

// lineEnd returns where a line of a block ends, and where the next begins. Bold runs are wider.
func lineEnd(b *ProseBlock, start int, room float32, w *widths, size float32) (end, next int) {
	const spare = 0.98 // kerning and ligatures make words slightly narrower or wider than the sum of their characters
	run := firstRun(b, start)
	return wrap.Line(b.Text, start, room*spare/size, func(at int, r rune) float32 {
		for run < len(b.Runs) && b.Runs[run].End <= at {
			run++
		}
		if b.Kind == ProseHeading || run < len(b.Runs) && b.Runs[run].Start <= at && b.Runs[run].Bold {
			return w.of(r, 1)
		}
		return w.of(r, 0)
	}, wrap.Prose)
}

// firstRun is the index of the first of a block's runs that ends after a byte.
func firstRun(b *ProseBlock, at int) int {
	i, _ := slices.BinarySearchFunc(b.Runs, at, func(r ProseRun, at int) int { return r.End - at - 1 })
	return i
}

// at returns the index of the line at a height, or of the nearest one.
func (l *lines) at(y float32) int {
	low, high := 0, len(l.all)
	for low < high {
		middle := (low + high) / 2
		if l.all[middle].y <= y {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return max(low-1, 0)
}

// of returns the index of the line with a byte of a block; -1 if there is none.
func (l *lines) of(block, at int) int {
	if block < 0 || block+1 >= len(l.first) {
		return -1
	}
	for i := l.first[block+1] - 1; i >= l.first[block]; i-- {
		if l.all[i].start <= at {
			return i
		}
	}
	return -1
}

// widths has the widths of characters for a font size of 1, so that lines can be broken off the UI thread: the toolkit can only measure on it, and
// would block it for minutes with a text of 5 MB.
type widths struct {
	ascii [2][128]float32 // regular, bold
	other [2]map[rune]float32
}

// measuredAt is a font size at which rounding does not matter.
const measuredAt float32 = 64

// mostMeasured limits the characters that are measured; others are assumed to be wide.
const mostMeasured = 600

// newWidths measures the characters of ASCII. Call it, and extend, on the UI thread.
func newWidths() *widths {
	w := &widths{other: [2]map[rune]float32{{}, {}}}
	for weight := range w.ascii {
		for r := ' '; r < 0x7f; r++ {
			w.ascii[weight][r] = measureRune(r, weight)
		}
	}
	return w
}

// extend returns widths that include more characters, each of which is measured once.
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

// of returns the width of a character at a font size of 1.
func (w *widths) of(r rune, weight int) float32 {
	if r < 128 {
		return w.ascii[weight][r]
	}
	switch {
	case wrap.HasNoWidth(r):
		return 0
	case wrap.IsWide(r):
		return 1
	}
	if width, known := w.other[weight][r]; known {
		return width
	}
	return 1
}

// measurable adds the characters of a text that must be measured to a set.
func measurable(text string, into map[rune]bool) {
	for _, r := range text {
		if r >= 128 && !wrap.HasNoWidth(r) && !wrap.IsWide(r) {
			into[r] = true
		}
	}
}
