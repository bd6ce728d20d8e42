package picture

import (
	"math"
	"slices"

	"assay/client/sandbox/forensics"
)

// Limits that distinguish a part's history from the whole picture's, and a
// reaction from chance. They were set on the photographs that testdata/README.md
// names, compressed, cropped and spliced in many ways.
const (
	wholeDip  = 0.30 // median dip over all cells from which a history is that of the whole picture
	strangers = 0.10 // median dip up to which a grid position is strange to the picture
	reactsAt  = 4.0  // deviations from like cells at which a cell reacts
	reactsTop = 10.0 // deviations beyond reactsAt that one cell can add
	leastDip  = 0.15 // difference in dip, from like cells, that a reaction needs
	ownMargin = 1.8  // steps of a rung in those of the file's own table, below which the rung tells nothing on the file's own grid
)

// suspect is a history that some cells share and their likes do not, or lack
// while their likes have it.
type suspect struct {
	history
	lacking  bool    // the region lacks what the picture has
	usual    float64 // median dip over the picture
	evidence float64 // deviations beyond reactsAt, summed over the region
	peak     float64 // largest deviation of any cell
	cells    int     // in the region
	region   []int   // its cells
}

// suspects returns the histories by evidence, strongest first, and at most most of
// them. own is the luma table that the file itself was compressed with, nil if
// it is no JPEG.
//
// A grid position that is strange to the picture is searched for cells that have
// a ghost there. On a grid position that the whole picture has a history on, only
// the deepest ghost is looked at, for cells that lack it; its other rungs follow
// the texture rather than the past. The remaining positions echo a neighbour's
// ghost and are left out.
func (g *ghostSearch) suspects(own *[64]int, most int) []suspect {
	var found []suspect
	for position := range gridPositions {
		h := history{px: position % 8, py: position / 8}
		deepest, depth, whole := 0, wholeDip, false
		usual := &g.usual[position]
		var tells [rungs]bool
		for h.rung = range rungs {
			if own != nil && position == 0 && ownRatio(own, h.rung) < ownMargin {
				continue
			}
			if usual[h.rung].n < 8 {
				continue
			}
			tells[h.rung] = true
			if usual[h.rung].median > depth {
				deepest, depth, whole = h.rung, usual[h.rung].median, true
			}
		}
		if whole && g.isPeak(history{h.px, h.py, deepest}, depth) {
			h.rung = deepest
			found = append(found, g.judge(h, depth, true))
		}
		for h.rung = range rungs {
			median := usual[h.rung].median
			if !tells[h.rung] || whole || median >= strangers {
				continue
			}
			if peak, cells := g.glance(h, median); cells > 0 {
				found = append(found, g.judge(h, median, false))
			} else {
				found = append(found, suspect{history: h, usual: median, peak: peak})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b suspect) int {
		switch {
		case a.strength() > b.strength():
			return -1
		case a.strength() < b.strength():
			return 1
		}
		return 0
	})
	return found[:min(most, len(found))]
}

// strength orders suspects and grows without steps: even where no cell reacts,
// the peak counts a little.
func (s *suspect) strength() float64 { return s.weighed() + s.peak/10 }

// ownRatio is how much longer a rung's steps are than the file's own, on average.
func ownRatio(own *[64]int, rung int) float64 {
	sum := 0.0
	for _, f := range searchFrequencies {
		sum += float64(stepAt(ladder[rung], f)) / float64(max(own[f.v*8+f.u], 1))
	}
	return sum / float64(len(searchFrequencies))
}

// glance compares every cell with the picture's median, which is far quicker
// than judge, and counts those for which judge is worth while.
func (g *ghostSearch) glance(h history, usual float64) (peak float64, cells int) {
	spreads := g.spreads(h.rung)
	for cell, dip := range g.of(h) {
		deviation := float64(dip) - usual
		at := deviation / float64(spreads[cell])
		if at > peak { // false where either is NaN
			peak = at
		}
		if deviation > leastDip && at > reactsAt {
			cells++
		}
	}
	return peak, cells
}

// dips appends the dips of the cells that have one, or of an evenly chosen part of the cells
// if there are very many.
func (g *ghostSearch) dips(dips []float64, h history) []float64 {
	const enough = 600
	stride := 1 + g.cols*g.rows/enough
	all := g.of(h)
	for cell := 0; cell < len(all); cell += stride {
		if d := float64(all[cell]); !math.IsNaN(d) {
			dips = append(dips, d)
		}
	}
	return dips
}

// isPeak reports whether the picture's dip at h is deeper than on the grid
// positions beside it, which echo it.
func (g *ghostSearch) isPeak(h history, depth float64) bool {
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if dx == 0 && dy == 0 {
				continue
			}
			if g.usual[(h.py+dy+8)%8*8+(h.px+dx+8)%8][h.rung].median >= depth {
				return false
			}
		}
	}
	return true
}

// judge compares each cell with the cells of like texture and sums the reactions
// over the strongest connected region.
func (g *ghostSearch) judge(h history, usual float64, lacking bool) suspect {
	s := suspect{history: h, lacking: lacking, usual: usual}
	z := make([]float64, g.cols*g.rows)
	for _, like := range g.byLikeness(h) {
		deviation := like.dip - like.expected
		if lacking {
			deviation = -deviation
		}
		at := deviation / like.spread
		s.peak = math.Max(s.peak, at)
		if deviation > leastDip && at > reactsAt {
			z[like.cell] = math.Min(at-reactsAt, reactsTop)
		}
	}
	for _, r := range regions(z, g.cols, func(v float64) bool { return v > 0 }) {
		sum := 0.0
		for _, cell := range r {
			sum += z[cell]
		}
		if sum > s.evidence {
			s.evidence, s.cells, s.region = sum, len(r), r
		}
	}
	return s
}

// likeCell is a cell beside what cells of like texture show.
type likeCell struct {
	cell                  int
	dip, expected, spread float64
}

// byLikeness orders the cells by texture and gives each the median dip and the
// spread of a window around its rank, itself included.
func (g *ghostSearch) byLikeness(h history) []likeCell {
	var cells []likeCell
	spreads, activity := g.spreads(h.rung), g.activity[h.rung*g.cols*g.rows:]
	for cell, dip := range g.of(h) {
		d, s := float64(dip), float64(spreads[cell])
		if !math.IsNaN(d) && !math.IsNaN(s) {
			cells = append(cells, likeCell{cell: cell, dip: d, spread: s})
		}
	}
	slices.SortStableFunc(cells, func(a, b likeCell) int {
		return compare(float64(activity[a.cell]), float64(activity[b.cell]))
	})
	half := max(len(cells)/10, 20)
	stride := max(half/8, 1)
	window := make([]float64, 0, 2*half+1)
	var expected, mad float64
	for i := range cells {
		if i%stride == 0 { // the window hardly changes from one rank to the next
			window = window[:0]
			for j := max(i-half, 0); j < min(i+half+1, len(cells)); j++ {
				window = append(window, cells[j].dip)
			}
			expected, mad = forensics.MedianAndMAD(window)
		}
		cells[i].expected = expected
		cells[i].spread = math.Max(cells[i].spread, mad)
	}
	return cells
}
