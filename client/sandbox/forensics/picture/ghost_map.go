package picture

import "math"

// blockSide is the side of a JPEG block, and of a square of the heatmaps.
const blockSide = 8

// mapReach is how many blocks to each side share in a block's dip: one block has
// too few coefficients to tell a ghost.
const mapReach = 2

// mapCoefficients is how many coefficients a block and its surroundings must have.
const mapCoefficients = 60

// ghostMap computes where a suspect's history is present: for each block of the
// heatmap the dip (see ghostSearch), row by row. It is NaN if
// flat or clipped surroundings leave too few coefficients.
//
// The reference is the error level on a grid half a block away, over the same
// surroundings.
func ghostMap(p *plane, h history) []float64 {
	cols, rows := (p.w+blockSide-1)/blockSide, (p.h+blockSide-1)/blockSide
	here := levelsOn(p, h.px, h.py, h.rung)
	beside := levelsOn(p, (h.px+4)%8, (h.py+4)%8, h.rung)
	dips := make([]float64, cols*rows)
	for row := range rows {
		for col := range cols {
			a, nA := here.around(col, row)
			b, nB := beside.around(col, row)
			if nA < mapCoefficients || nB < mapCoefficients || b <= 0 {
				dips[row*cols+col] = math.NaN()
				continue
			}
			dips[row*cols+col] = 1 - (a/nA)/(b/nB)
		}
	}
	return dips
}

// levels keeps running sums (integral images) of the squared moves and of how
// many there are, over the blocks of one grid.
type levels struct {
	cols, rows int
	sum, n     []float64 // (cols+1) × (rows+1)
}

func levelsOn(p *plane, px, py, rung int) *levels {
	l := &levels{cols: max((p.w-px)/blockSide, 0), rows: max((p.h-py)/blockSide, 0)}
	l.sum = make([]float64, (l.cols+1)*(l.rows+1))
	l.n = make([]float64, (l.cols+1)*(l.rows+1))
	var inverse [20]float32
	for f, freq := range mapFrequencies {
		inverse[f] = 1 / stepAt(ladder[rung], freq)
	}
	for row := range l.rows {
		var rowSum, rowN float64
		for col := range l.cols {
			moved, n := levelOf(p, px+col*blockSide, py+row*blockSide, &inverse)
			rowSum += moved
			rowN += n
			at, above := (row+1)*(l.cols+1)+col+1, row*(l.cols+1)+col+1
			l.sum[at] = l.sum[above] + rowSum
			l.n[at] = l.n[above] + rowN
		}
	}
	return l
}

// levelOf transforms the block at x, y and sums its coefficients' squared moves,
// in steps. A clipped block is not counted.
func levelOf(p *plane, x, y int, inverse *[20]float32) (moved, n float64) {
	var half [6][8]float32 // [frequency across][row]
	for i := range 8 {
		line := p.row(y + i)[x : x+8]
		for _, v := range line {
			if clipped(v) {
				return 0, 0
			}
		}
		for k := range half {
			half[k][i] = across(line, k)
		}
	}
	for f, freq := range mapFrequencies {
		h, c := &half[freq.u], &cosines[freq.v]
		v := h[0]*c[0] + h[1]*c[1] + h[2]*c[2] + h[3]*c[3] + h[4]*c[4] + h[5]*c[5] + h[6]*c[6] + h[7]*c[7]
		m := v * inverse[f]
		if m < 0 {
			m = -m
		}
		if m < 0.5 {
			continue
		}
		m -= float32(int32(m + 0.5))
		moved += float64(m * m)
		n++
	}
	return moved, n
}

// around sums over the blocks around one.
func (l *levels) around(col, row int) (sum, n float64) {
	x0, x1 := min(max(col-mapReach, 0), l.cols), min(max(col+mapReach+1, 0), l.cols)
	y0, y1 := min(max(row-mapReach, 0), l.rows), min(max(row+mapReach+1, 0), l.rows)
	a, b, c, d := y0*(l.cols+1)+x0, y0*(l.cols+1)+x1, y1*(l.cols+1)+x0, y1*(l.cols+1)+x1
	return l.sum[d] - l.sum[b] - l.sum[c] + l.sum[a], l.n[d] - l.n[b] - l.n[c] + l.n[a]
}

// cellTally sums the squared moves (in steps) of a cell's coefficients, by grid
// position and rung.
type cellTally struct {
	sum [gridPositions][rungs]float32
	n   [gridPositions][rungs]int32

	blocks int32 // transformed, on all grid positions together
}

// add counts a coefficient of size v in a grid position. Rungs whose step rounds
// it to nothing are left out: they would move it wholly, whatever its past.
func (t *cellTally) add(position int, v float32, inverse *[rungs]float32) {
	sum, n := &t.sum[position], &t.n[position]
	for r := rungs - 1; r >= 0; r-- {
		m := v * inverse[r]
		if m < 0.5 {
			return // lower rungs have longer steps still
		}
		m -= float32(int32(m + 0.5))
		sum[r] += m * m
		n[r]++
	}
}

// ghostStrip measures one row of cells at a time, so that the transform of the
// whole picture never has to be kept.
type ghostStrip struct {
	p       *plane
	stride  int // every stride-th block of a grid position is taken
	inverse [5][rungs]float32
	lines   [3][]float32 // cosines 0..2 across, cellSide+7 rows of w
	cut     []uint8      // 1: one of the eight pixels from here is clipped; rows like lines
	above   [5][]float32 // the coefficients one pixel higher up, by frequency and column
	tallies []cellTally  // by column of cells
}

func newGhostStrip(p *plane, cols int) *ghostStrip {
	s := &ghostStrip{p: p, stride: 1 + (p.w*p.h-1)/searchPositions, tallies: make([]cellTally, cols)}
	for f, freq := range searchFrequencies {
		for r, q := range ladder {
			s.inverse[f][r] = 1 / stepAt(q, freq)
		}
		s.above[f] = make([]float32, p.w)
	}
	for k := range s.lines {
		s.lines[k] = make([]float32, p.w*(cellSide+7))
	}
	s.cut = make([]uint8, p.w*(cellSide+7))
	return s
}

// measure fills the tallies of the row of cells that begins at the pixel row top.
func (s *ghostStrip) measure(top int) {
	clear(s.tallies)
	height := min(cellSide+7, s.p.h-top)
	for y := range height {
		s.transformRow(y, s.p.row(top+y))
	}
	for y := 0; y+8 <= height && y < cellSide; y++ {
		s.tallyRow(top, y)
	}
}

// transformRow transforms every eight pixels of a row.
func (s *ghostStrip) transformRow(y int, row []uint8) {
	good := 0
	for x, v := range row {
		good++
		if clipped(v) {
			good = 0
		}
		if x < 7 {
			continue
		}
		at := y*s.p.w + x - 7
		s.cut[at] = 0
		if good < 8 {
			s.cut[at] = 1
		}
		for k := range s.lines {
			s.lines[k][at] = across(row[x-7:], k)
		}
	}
}

// repeats is how close a coefficient may come to that of the block one pixel to
// the left or above before it is left out. Drawn shapes and even gradients give
// the same coefficient over and over: a single observation, not hundreds.
const repeats = 0.02

// tallyRow counts the blocks that begin in a row.
func (s *ghostStrip) tallyRow(top, y int) {
	w := s.p.w
	var left [5]float32
	for x := 0; x+8 <= w; x++ {
		if s.stride > 1 && (x/8+(top+y)/8)%s.stride != 0 {
			continue
		}
		at := y*w + x
		if s.cut[at]|s.cut[at+w]|s.cut[at+2*w]|s.cut[at+3*w]|s.cut[at+4*w]|s.cut[at+5*w]|s.cut[at+6*w]|s.cut[at+7*w] != 0 {
			continue
		}
		position := (top+y)%8*8 + x%8
		t := &s.tallies[x/cellSide]
		t.blocks++
		for f, freq := range searchFrequencies {
			l, c := s.lines[freq.u][at:], &cosines[freq.v]
			v := l[0]*c[0] + l[w]*c[1] + l[2*w]*c[2] + l[3*w]*c[3] +
				l[4*w]*c[4] + l[5*w]*c[5] + l[6*w]*c[6] + l[7*w]*c[7]
			repeated := near(v, left[f]) || near(v, s.above[f][x])
			left[f], s.above[f][x] = v, v
			if !repeated {
				t.add(position, max(v, -v), &s.inverse[f])
			}
		}
	}
}

func near(a, b float32) bool { return a-b < repeats && b-a < repeats }
