package forensics

import (
	"context"
	"math"
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
	dip        []float32 // [cell][grid position][rung]; NaN: too few coefficients
	spread     []float32 // [cell][rung]: robust spread of the dip over the grid positions
	activity   []float32 // [cell][rung]: coefficients that the rung leaves, of all: how textured the cell is
}

func (g *ghostSearch) at(cell int, h history) float32 {
	return g.dip[(cell*gridPositions+h.py*8+h.px)*rungs+h.rung]
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
	return g, nil
}

// setDips turns the tallies of a cell into dips.
func (g *ghostSearch) setDips(cell int, t *cellTally) {
	for rung := range ladder {
		var sumAll float64
		var nAll int32
		for ph := range gridPositions {
			sumAll += float64(t.sum[ph][rung])
			nAll += t.n[ph][rung]
		}
		g.activity[cell*rungs+rung] = float32(nAll) / float32(max(t.blocks, 1))
		var told [gridPositions]float64
		seen := told[:0]
		for ph := range gridPositions {
			i := (cell*gridPositions+ph)*rungs + rung
			n := t.n[ph][rung]
			rest, nRest := sumAll-float64(t.sum[ph][rung]), nAll-n
			if n < minCoefficients || nRest < minCoefficients || rest <= 0 {
				g.dip[i] = float32(math.NaN())
				continue
			}
			dip := 1 - float64(t.sum[ph][rung])/float64(n)*float64(nRest)/rest
			g.dip[i] = float32(dip)
			seen = append(seen, dip)
		}
		s := &g.spread[cell*rungs+rung]
		*s = float32(math.NaN())
		if len(seen) >= gridPositions/2 {
			_, mad := medianAndMAD(seen)
			*s = float32(math.Max(mad, 0.03))
		}
	}
}
