package picture

import "sync"

// cellTally is what ghostStrip measures of a cell.
type cellTally struct {
	positions [gridPositions]positionTally
	blocks    int32 // transformed, on all grid positions together
}

// positionTally sums the squared moves (in steps) of a cell's coefficients on one grid
// position, by rung.
//
// A sum is a whole number of 16 bits, and four of them share a word: one addition
// then serves four rungs. A cell has 64 blocks of five coefficients on a grid position,
// each of which adds at most largestMove, so that no sum runs into its neighbour's.
type positionTally struct {
	moves [tallyWords]uint64
	kept  [rungs + 1]uint16 // coefficients, by how many rungs do not round them to nothing
}

const (
	tallyWords  = (rungs + 3) / 4
	largestMove = 204             // what the largest squared move, that of half a step, adds; 5 × 64 of it fit into 16 bits
	moveScale   = largestMove * 4 // what a squared move of a whole step would add
	sizeScale   = 256             // coefficients are told apart by this part of a grey level
	tabledSizes = 64 * sizeScale  // sizes for which what they add is kept; most are much smaller
)

// added is what a coefficient of one size adds to a tally.
type added struct {
	moves [tallyWords]uint64
	kept  int // rungs that do not round it to nothing; they are the last ones, whose steps are the shortest
}

// addedBy computes what a coefficient of size v adds. Rungs whose step rounds it to
// nothing are left out: they would move it wholly, whatever its past.
func addedBy(v float32, inverse *[rungs]float32) (a added) {
	for r := rungs - 1; r >= 0; r-- {
		m := v * inverse[r]
		if m < 0.5 {
			break // lower rungs have longer steps still
		}
		m -= float32(int32(m + 0.5))
		a.moves[r/4] += uint64(m*m*moveScale+0.5) << (r % 4 * 16)
		a.kept++
	}
	return a
}

// sizesAdded is addedBy for each of searchFrequencies and each size up to tabledSizes,
// in parts of sizeScale, taken at the middle of the part: half a step, at which a coefficient
// begins to count, then lies between two parts.
var sizesAdded = sync.OnceValue(func() *[5][tabledSizes]added {
	var all [5][tabledSizes]added
	for f := range all {
		inverse := inverseSteps(searchFrequencies[f])
		for size := range all[f] {
			all[f][size] = addedBy((float32(size)+0.5)/sizeScale, &inverse)
		}
	}
	return &all
})

// inverseSteps is one through the step of each rung.
func inverseSteps(f frequency) (inverse [rungs]float32) {
	for r, q := range ladder {
		inverse[r] = 1 / stepAt(q, f)
	}
	return inverse
}

// add counts what a coefficient adds.
func (t *positionTally) add(a *added) {
	t.moves[0] += a.moves[0]
	t.moves[1] += a.moves[1]
	t.moves[2] += a.moves[2]
	t.moves[3] += a.moves[3]
	t.moves[4] += a.moves[4]
	t.kept[a.kept]++
}

// sums returns, for each grid position, the sum of the squared moves at a rung and the
// number of coefficients behind it.
func (t *cellTally) sums(rung int) (sum [gridPositions]float64, n [gridPositions]int) {
	for i := range t.positions {
		p := &t.positions[i]
		sum[i] = float64(p.moves[rung/4]>>(rung%4*16)&0xffff) / moveScale
		for _, count := range p.kept[rungs-rung:] {
			n[i] += int(count)
		}
	}
	return sum, n
}
