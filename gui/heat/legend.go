package heat

import (
	"image"
	"image/color"
	"strings"
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
	var lines []string
	current := ""
	for _, word := range strings.Fields(line) {
		if joined := strings.TrimPrefix(current+" "+word, " "); f.width(joined) <= width {
			current = joined
			continue
		}
		if current != "" {
			lines = append(lines, current)
		}
		current = ""
		for _, letter := range word {
			if current != "" && f.width(current+string(letter)) > width {
				lines = append(lines, current)
				current = ""
			}
			current += string(letter)
		}
	}
	return append(lines, current)
}
