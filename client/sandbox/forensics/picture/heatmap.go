package picture

import (
	"image"
	"image/color"

	"assay/client/sandbox/forensics"
)

// heat is a reaction of 0..1 for each square of 8 pixels, in rows of cols.
type heat struct {
	cols, rows int
	of         []float64
}

func newHeat(w, h int) *heat {
	t := &heat{cols: (w + blockSide - 1) / blockSide, rows: (h + blockSide - 1) / blockSide}
	t.of = make([]float64, t.cols*t.rows)
	return t
}

// draw paints the reactions at w × h pixels: from amber over red to a dark
// magenta, the more opaque the stronger. No reaction is fully transparent.
// Squares keep their edges, since smooth ones would suggest a precision that
// the reactions don't have.
func (t *heat) draw(w, h int) *image.Paletted {
	m := image.NewPaletted(image.Rect(0, 0, w, h), hot)
	for row := range t.rows {
		first := m.Pix[row*blockSide*m.Stride:][:m.Stride]
		for col := range t.cols {
			c := uint8(min(max(t.of[row*t.cols+col], 0), 1)*hottest + 0.5)
			if c == 0 {
				continue // as the row is already
			}
			square := first[col*blockSide : min((col+1)*blockSide, w)]
			for x := range square {
				square[x] = c
			}
		}
		for y := row*blockSide + 1; y < min((row+1)*blockSide, h); y++ {
			copy(m.Pix[y*m.Stride:][:m.Stride], first)
		}
	}
	return m
}

// hot is the colours of the reactions from 0 to 1, in steps finer than those of their opacity.
// A palette keeps a heatmap at a byte per pixel, and its PNG is made in a tenth of the time.
var hot = func() (colours color.Palette) {
	mix := func(a, b, at float64) uint8 { return uint8(a + (b-a)*at + 0.5) }
	for i := range hottest + 1 {
		v := float64(i) / hottest
		c := color.NRGBA{R: mix(255, 235, 2*v), G: mix(200, 60, 2*v), B: mix(40, 30, 2*v)}
		if v >= 0.5 {
			c = color.NRGBA{R: mix(235, 150, 2*v-1), G: mix(60, 0, 2*v-1), B: mix(30, 90, 2*v-1)}
		}
		c.A = uint8(230*v + 0.5)
		colours = append(colours, c)
	}
	return colours
}()

// hottest is the index of the full reaction in hot.
const hottest = 255

// regions returns the connected regions (eight neighbours) of the values in rows
// of cols for which in holds, as indices, in the order of their first cell.
func regions(values []float64, cols int, in func(float64) bool) [][]int {
	var all [][]int
	seen := make([]bool, len(values))
	for start := range values {
		if seen[start] || !in(values[start]) {
			continue
		}
		seen[start] = true
		region := []int{start}
		for i := 0; i < len(region); i++ {
			x, y := region[i]%cols, region[i]/cols
			for ny := max(y-1, 0); ny <= y+1 && ny*cols < len(values); ny++ {
				for nx := max(x-1, 0); nx <= min(x+1, cols-1); nx++ {
					n := ny*cols + nx
					if n < len(values) && !seen[n] && in(values[n]) {
						seen[n] = true
						region = append(region, n)
					}
				}
			}
		}
		all = append(all, region)
	}
	return all
}

// BBox frames a region to which a model reacted, in stored pixels; X1 and Y1 are
// exclusive.
type BBox struct {
	X0, Y0, X1, Y1 float64
	Model          string
	Decision       string
}

// boxOf frames a region of a model, given as indices of squares of side pixels in
// rows of cols. An empty region returns no box.
func boxOf(region []int, cols, side int, p *plane, m forensics.Model) []BBox {
	if len(region) == 0 {
		return nil
	}
	x0, y0, x1, y1 := p.w, p.h, 0, 0
	for _, at := range region {
		x, y := at%cols*side, at/cols*side
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x+side), max(y1, y+side)
	}
	decision, _ := m.Data["decision"].(string)
	return []BBox{{
		X0: float64(x0), Y0: float64(y0), X1: float64(min(x1, p.w)), Y1: float64(min(y1, p.h)),
		Model: m.Name, Decision: decision,
	}}
}
