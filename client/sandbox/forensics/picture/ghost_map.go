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
		line := p.row(y + i)[x : x+8 : x+8]
		for _, v := range line {
			if clipped(v) {
				return 0, 0
			}
		}
		// Cosines of even frequencies are the same on both sides of the middle, those of odd
		// ones the opposite, so that sums and differences of two pixels serve several.
		s0, s1, s2, s3 := float32(int(line[0])+int(line[7])), float32(int(line[1])+int(line[6])), float32(int(line[2])+int(line[5])), float32(int(line[3])+int(line[4]))
		d0, d1, d2, d3 := float32(int(line[0])-int(line[7])), float32(int(line[1])-int(line[6])), float32(int(line[2])-int(line[5])), float32(int(line[3])-int(line[4]))
		for k, c := range cosines[:len(half)] {
			if k%2 == 0 {
				half[k][i] = s0*c[0] + s1*c[1] + s2*c[2] + s3*c[3]
			} else {
				half[k][i] = d0*c[0] + d1*c[1] + d2*c[2] + d3*c[3]
			}
		}
	}
	var paired [2][len(half)][4]float32 // the sums of opposite rows, and their differences
	for k := range half {
		for i := range 4 {
			paired[0][k][i], paired[1][k][i] = half[k][i]+half[k][7-i], half[k][i]-half[k][7-i]
		}
	}
	for f, freq := range &mapFrequencies {
		h, c := &paired[freq.v&1][freq.u%len(half)], &cosines[freq.v&7]
		m := (h[0]*c[0] + h[1]*c[1] + h[2]*c[2] + h[3]*c[3]) * inverse[f]
		// Without a jump: which way it would go can't be guessed. Less than half a step is rounded to nothing, and not counted.
		m = math.Float32frombits(magnitude(m))
		steps := int32(m + 0.5)
		counted := float32(min(steps, 1))
		m -= float32(steps)
		moved += float64(m * m * counted)
		n += float64(counted)
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
