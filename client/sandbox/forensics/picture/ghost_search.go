package picture

import (
	"context"
	"math"

	"assay/client/sandbox/forensics"
)

// cellSide is the side of a search cell in pixels: 64 blocks for each of the 64
// grid positions.
const cellSide = 64

// minCoefficients is how many coefficients a contrast needs to be told.
const minCoefficients = 24

// searchPositions bounds the blocks that the search transforms; larger pictures
// are searched on an even part of theirs.
const searchPositions = 2_000_000

// history is one thing that may have happened to a part of a picture: a JPEG
// compression at a quality of the ladder on an 8 × 8 grid that begins px, py
// pixels from the picture's corner.
type history struct {
	px, py int
	rung   int // index into ladder
}

// gridPositions is how many px, py pairs there are.
const gridPositions = 64

// ghostSearch holds, for each cell and history, how deep the error level dips
// when that compression is repeated.
//
// A coefficient that was once quantised with a step lies near a multiple of the
// step and moves little when that is done again; any other coefficient moves by
// a twelfth of the step's square on average. The error level of a cell is the
// mean square move in units of that twelfth, over the coefficients that are not
// rounded to nothing. The dip, 0 for none and 1 for total, compares the error
// level on one grid position with that of the 63 others in the same cell, so that
// edges and texture, which all of them share, cancel out.
type ghostSearch struct {
	cols, rows int
	dip        []float32 // [grid position][rung][cell]; NaN: too few coefficients
	spread     []float32 // [rung][cell]: robust spread of the dip over the grid positions
	activity   []float32 // [rung][cell]: coefficients that the rung leaves, of all: how textured the cell is

	usual [gridPositions][rungs]usualDip
}

// usualDip is the median of the dips that ghostSearch.dips returns for a history, and how many there are.
type usualDip struct {
	median float64
	n      int
}

// of returns the dips of all cells.
func (g *ghostSearch) of(h history) []float32 {
	cells := g.cols * g.rows
	return g.dip[((h.py*8+h.px)*rungs+h.rung)*cells:][:cells]
}

// spreads returns the spreads of all cells at a rung.
func (g *ghostSearch) spreads(rung int) []float32 {
	cells := g.cols * g.rows
	return g.spread[rung*cells:][:cells]
}

// searchGhosts measures all cells of a picture. It stops with ctx's error.
func searchGhosts(ctx context.Context, p *plane) (*ghostSearch, error) {
	g := &ghostSearch{cols: (p.w + cellSide - 1) / cellSide, rows: (p.h + cellSide - 1) / cellSide}
	g.dip = make([]float32, g.cols*g.rows*gridPositions*rungs)
	g.spread = make([]float32, g.cols*g.rows*rungs)
	g.activity = make([]float32, g.cols*g.rows*rungs)
	strip := newGhostStrip(p, g.cols)
	for row := range g.rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		strip.measure(row * cellSide)
		for col := range g.cols {
			g.setDips(row*g.cols+col, &strip.tallies[col])
		}
	}
	var dips []float64
	for position := range gridPositions {
		for rung := range rungs {
			dips = g.dips(dips[:0], history{position % 8, position / 8, rung})
			g.usual[position][rung] = usualDip{forensics.Median(dips), len(dips)}
		}
	}
	return g, nil
}

// setDips turns the tallies of a cell into dips.
func (g *ghostSearch) setDips(cell int, t *cellTally) {
	cells := g.cols * g.rows
	for rung := range ladder {
		sum, n := t.sums(rung)
		sumAll, nAll := 0.0, 0
		for ph := range gridPositions {
			sumAll += sum[ph]
			nAll += n[ph]
		}
		g.activity[rung*cells+cell] = float32(nAll) / float32(max(t.blocks, 1))
		var told [gridPositions]float64
		seen := told[:0]
		for ph := range gridPositions {
			i := (ph*rungs+rung)*cells + cell
			rest, nRest := sumAll-sum[ph], nAll-n[ph]
			if n[ph] < minCoefficients || nRest < minCoefficients || rest <= 0 {
				g.dip[i] = float32(math.NaN())
				continue
			}
			dip := 1 - sum[ph]/float64(n[ph])*float64(nRest)/rest
			g.dip[i] = float32(dip)
			seen = append(seen, dip)
		}
		s := &g.spread[rung*cells+cell]
		*s = float32(math.NaN())
		if len(seen) >= gridPositions/2 {
			_, mad := forensics.MedianAndMAD(seen)
			*s = float32(math.Max(mad, 0.03))
		}
	}
}

// lumaSteps is the luma quantisation table of ISO/IEC 10918-1 (JPEG), annex K.1,
// row by row: the step of coefficient (u across, v down) is lumaSteps[v*8+u].
var lumaSteps = [64]int{
	16, 11, 10, 16, 24, 40, 51, 61,
	12, 12, 14, 19, 26, 58, 60, 55,
	14, 13, 16, 24, 40, 57, 69, 56,
	14, 17, 22, 29, 51, 87, 80, 62,
	18, 22, 37, 56, 68, 109, 103, 77,
	24, 35, 55, 64, 81, 104, 113, 92,
	49, 64, 78, 87, 103, 121, 120, 101,
	72, 92, 95, 98, 112, 100, 103, 99,
}

// frequency names one coefficient of an 8 × 8 block: u cycles across, v down, in
// halves of a cycle per block.
type frequency struct{ u, v int }

// searchFrequencies are those that a search over all 64 grid positions looks at:
// most of what survives a compression is here.
var searchFrequencies = [5]frequency{{1, 0}, {0, 1}, {1, 1}, {2, 0}, {0, 2}}

// mapFrequencies are those that the map of one ghost is drawn from: the first 20
// in zigzag order after the mean.
var mapFrequencies = [20]frequency{
	{1, 0}, {0, 1}, {0, 2}, {1, 1}, {2, 0}, {3, 0}, {2, 1}, {1, 2}, {0, 3}, {0, 4},
	{1, 3}, {2, 2}, {3, 1}, {4, 0}, {5, 0}, {4, 1}, {3, 2}, {2, 3}, {1, 4}, {0, 5},
}

// ladder is the qualities that are tried, in the scale of libjpeg (which Go,
// phones and most web services use). Their steps differ by a sixth from rung to
// rung, so that a quality in between still meets one within a twelfth.
var ladder = [rungs]int{20, 26, 30, 35, 41, 47, 53, 60, 65, 70, 75, 78, 81, 84, 86, 88, 90, 92, 94}

// rungs is how many qualities the ladder has.
const rungs = 19

// stepAt is the step that libjpeg's rule gives a coefficient at a quality.
func stepAt(quality int, f frequency) float32 {
	scale := 200 - 2*quality
	if quality < 50 {
		scale = 5000 / quality
	}
	return float32(min(max((lumaSteps[f.v*8+f.u]*scale+50)/100, 1), 255))
}

// cosines holds the orthonormal basis of the 8-point cosine transform:
// cosines[k][i] weighs sample i for frequency k, so that a coefficient has the
// scale that JPEG quantises.
var cosines = func() (c [8][8]float32) {
	for k := range c {
		norm := 0.5
		if k == 0 {
			norm = math.Sqrt(0.125)
		}
		for i := range c[k] {
			c[k][i] = float32(norm * math.Cos(float64(2*i+1)*float64(k)*math.Pi/16))
		}
	}
	return c
}()
