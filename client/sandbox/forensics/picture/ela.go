package picture

import (
	"context"
	"errors"
	"math"
	"slices"

	"assay/client/media/container"
	"assay/client/sandbox/forensics"
)

// errorLevels is the error level analyser. It asks of every part of a picture
// what a further JPEG compression would change in it: little, where that same
// compression has been before. A part whose compression history is another than
// that of the picture around it was put there or worked on separately.
//
// The compression is repeated at each quality of the ladder and on each of the
// 64 positions that the 8 × 8 grid can have (a pasted part brings its own), on
// luma, in the domain of the cosine transform: what an encoder does, less the
// rounding of the pixels. Repeating at many qualities to find the one at which the
// error level dips is known as the JPEG ghost method (H. Farid, Exposing Digital
// Forgeries from JPEG Ghosts, IEEE TIFS 4(1), 2009).
//
// The score follows the evidence e of the strongest history: over its largest
// connected region of 64-pixel cells, the sum of how far each cell's dip lies from
// that of cells of like texture, in robust standard deviations (1.4826 MAD), less
// 4, at most 10 a cell. A region of one cell counts half. raw = e² / (e² + 16), so
// that 4 makes half, 3.3 is SUSPICIOUS and 6.2 FAKE.
//
// It applies to a JPEG, and to a PNG or WebP in which a JPEG past can be
// found; where no part of a lossless picture has one, error levels say nothing.
type errorLevels struct{}

// Below these the analyser doesn't apply.
const (
	leastSide   = 128  // pixels
	leastCells  = 12   // cells with enough texture
	ghostFound  = 1.0  // evidence from which a lossless picture counts as having a JPEG past in some part
	mapsDrawn   = 3    // histories that share the heatmap
	mapsFrom    = 3.0  // evidence that a further one needs for that
	fullDip     = 0.55 // difference in dip at which the heat is full
	halfTheCell = 0.5  // weight of a region of a single cell
)

func (errorLevels) name() string { return elaName }

func (errorLevels) analyse(ctx context.Context, pic *picture) (forensics.Model, []BBox, error) {
	if why := pic.unfit(); why != "" {
		return forensics.NotApplicableModel(elaName, why, nil), nil, nil
	}
	g, err := searchGhosts(ctx, pic.luma)
	if err != nil {
		return forensics.Model{}, nil, err
	}
	if g.telling() < leastCells {
		return forensics.NotApplicableModel(elaName, "Too little of the picture has texture enough to measure error levels.", nil), nil, nil
	}
	found := g.suspects(pic.ownTable, mapsDrawn)
	if len(found) == 0 {
		return forensics.Model{}, nil, errors.New("no grid position could be compared")
	}
	if err := ctx.Err(); err != nil {
		return forensics.Model{}, nil, err
	}
	top := found[0]
	past, depth := g.past()
	if pic.format != container.JPEG && depth < wholeDip && top.weighed() < ghostFound {
		return forensics.NotApplicableModel(elaName, "No part of the picture shows an earlier JPEG compression, so its error levels say nothing.", nil), nil, nil
	}
	e := top.weighed() + math.Min(top.peak, 40)/40 // the peak alone tells two clean pictures apart
	m := forensics.ScoredModel(elaName, e*e/(e*e+16), map[string]any{
		"evidence":      e,
		"region_cells":  top.cells,
		"peak":          top.peak,
		"grid_x":        top.px,
		"grid_y":        top.py,
		"quality":       ladder[top.rung],
		"region_lacks":  top.lacking,
		"usual_dip":     top.usual,
		"picture_ghost": depth,
	})
	if depth >= wholeDip {
		m.Data["picture_quality"] = ladder[past.rung]
	}
	h := newHeat(pic.luma.w, pic.luma.h)
	for i, s := range found {
		if i == 0 || s.weighed() >= mapsFrom {
			if err := ctx.Err(); err != nil {
				return forensics.Model{}, nil, err
			}
			s.warm(h, pic.luma)
		}
	}
	m.Heatmap = h.draw(pic.luma.w, pic.luma.h)
	if m.Status == forensics.Authentic {
		return m, nil, nil
	}
	return m, boxOf(top.region, g.cols, cellSide, pic.luma, m), nil
}

// weighed is the evidence, halved where a single cell gave all of it.
func (s *suspect) weighed() float64 {
	if s.cells < 2 {
		return s.evidence * halfTheCell
	}
	return s.evidence
}

// telling is the number of cells that can be compared at the quality at which most can.
func (g *ghostSearch) telling() int {
	most := 0
	for rung := range rungs {
		n := 0
		for _, spread := range g.spreads(rung) {
			if !math.IsNaN(float64(spread)) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// past returns the deepest ghost of the picture as a whole.
func (g *ghostSearch) past() (history, float64) {
	var deepest history
	depth := 0.0
	for position := range gridPositions {
		for rung := range rungs {
			if usual := g.usual[position][rung]; usual.n >= leastCells && usual.median > depth {
				deepest, depth = history{position % 8, position / 8, rung}, usual.median
			}
		}
	}
	return deepest, depth
}

// warm adds a suspect's map to the heat.
func (s *suspect) warm(h *heat, p *plane) {
	dips := ghostMap(p, s.history)
	usual := forensics.Median(slices.DeleteFunc(slices.Clone(dips), math.IsNaN))
	for i, dip := range dips {
		difference := dip - usual
		if s.lacking {
			difference = -difference
		}
		if reaction := (difference - leastDip) / (fullDip - leastDip); reaction > h.of[i] {
			h.of[i] = math.Min(reaction, 1)
		}
	}
}
