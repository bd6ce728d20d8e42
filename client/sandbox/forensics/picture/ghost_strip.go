package picture

import "math"

// ghostStrip measures one row of cells at a time, so that the transform of the
// whole picture never has to be kept.
//
// Blocks begin at every pixel. What neighbours share is computed once: the sums of
// eight pixels across and down grow by one pixel and lose one, and of a row only what
// the blocks through it need is kept, until the eighth row after it.
type ghostStrip struct {
	p       *plane
	stride  int // every stride-th block of a grid position is taken
	tallies []cellTally
	added   *[5][tabledSizes]added
	inverse [5][rungs]float32

	columns []int32                 // sums of the last eight rows, by column
	across  [2][blockSide][]float32 // frequencies 0 (as a sum) and 1 of the eight pixels from each on, of the last eight rows
	values  [5][]float32            // the coefficients of the blocks that begin in a row, by frequency
	above   [5][]float32            // the coefficients one pixel higher up
	left    [5]float32              // the coefficients one pixel to the left
	cut     []int32                 // the last row in which one of the eight pixels from each on was clipped
}

func newGhostStrip(p *plane, cols int) *ghostStrip {
	s := &ghostStrip{p: p, stride: 1 + (p.w*p.h-1)/searchPositions, tallies: make([]cellTally, cols), added: sizesAdded()}
	for f, freq := range searchFrequencies {
		s.inverse[f] = inverseSteps(freq)
		s.above[f], s.values[f] = make([]float32, p.w), make([]float32, p.w)
	}
	for k := range s.across {
		for y := range s.across[k] {
			s.across[k][y] = make([]float32, p.w)
		}
	}
	s.columns = make([]int32, p.w)
	s.cut = make([]int32, p.w)
	for x := range s.cut {
		s.cut[x] = -1
	}
	return s
}

// measure fills the tallies of the row of cells that begins at the pixel row top. The rows
// of cells must be measured in order.
func (s *ghostStrip) measure(top int) {
	clear(s.tallies)
	if top == 0 {
		for y := range min(blockSide-1, s.p.h) {
			s.addRow(y)
		}
	}
	for y := top; y < top+cellSide && y+blockSide <= s.p.h; y++ {
		s.addRow(y + blockSide - 1)
		s.tallyRow(y)
	}
}

// addRow takes in a row, and lets go of the eighth before it.
func (s *ghostStrip) addRow(y int) {
	row := s.p.row(y)
	columns := s.columns[:len(row)]
	if y < blockSide {
		for x, v := range row {
			columns[x] += int32(v)
		}
	} else {
		gone := s.p.row(y - blockSide)[:len(row)]
		for x, v := range row {
			columns[x] += int32(v) - int32(gone[x])
		}
	}
	c0, c1, c2, c3 := cosines[1][0], cosines[1][1], cosines[1][2], cosines[1][3]
	sums, firsts := s.across[0][y%blockSide], s.across[1][y%blockSide]
	sums, firsts, cut := sums[:len(row)-7], firsts[:len(row)-7], s.cut[:len(row)-7]
	var sum int32
	lastCut := -1
	for x, v := range row[:7] {
		sum += int32(v)
		if clipped(v) {
			lastCut = x
		}
	}
	for x := range sums {
		eight := row[x : x+8 : x+8]
		sum += int32(eight[7])
		if clipped(eight[7]) {
			lastCut = x + 7
		}
		if lastCut >= x {
			cut[x] = int32(y) // #nosec G115 -- a picture has fewer rows
		}
		sums[x] = float32(sum)
		sum -= int32(eight[0])
		firsts[x] = c0*float32(int32(eight[0])-int32(eight[7])) + c1*float32(int32(eight[1])-int32(eight[6])) +
			c2*float32(int32(eight[2])-int32(eight[5])) + c3*float32(int32(eight[3])-int32(eight[4]))
	}
}

// transform computes the coefficients of the blocks that begin in row y at the columns
// from x on, in the order of searchFrequencies.
func (s *ghostStrip) transform(x, to, y int) {
	norm := cosines[0][0]
	c0, c1, c2, c3 := cosines[1][0], cosines[1][1], cosines[1][2], cosines[1][3]
	e0, e1 := cosines[2][0], cosines[2][1]
	columns := s.columns[x : to+7]
	n := to - x
	one, two := s.values[0][x:to], s.values[3][x:to][:n]
	for i := range one {
		c := columns[i : i+8 : i+8]
		one[i] = norm * (c0*float32(c[0]-c[7]) + c1*float32(c[1]-c[6]) + c2*float32(c[2]-c[5]) + c3*float32(c[3]-c[4]))
		two[i] = norm * (e0*float32(c[0]+c[7]-c[3]-c[4]) + e1*float32(c[1]+c[6]-c[2]-c[5]))
	}
	rows := func(k int) (r [blockSide][]float32) {
		for i := range r {
			r[i] = s.across[k][(y+i)%blockSide][x:to]
		}
		return r
	}
	r := rows(0)
	r0, r1, r2, r3, r4, r5, r6, r7 := r[0][:n], r[1][:n], r[2][:n], r[3][:n], r[4][:n], r[5][:n], r[6][:n], r[7][:n]
	one, two = s.values[1][x:to][:n], s.values[4][x:to][:n]
	for i := range n {
		one[i] = norm * (c0*(r0[i]-r7[i]) + c1*(r1[i]-r6[i]) + c2*(r2[i]-r5[i]) + c3*(r3[i]-r4[i]))
		two[i] = norm * (e0*(r0[i]+r7[i]-r3[i]-r4[i]) + e1*(r1[i]+r6[i]-r2[i]-r5[i]))
	}
	r = rows(1)
	r0, r1, r2, r3, r4, r5, r6, r7 = r[0][:n], r[1][:n], r[2][:n], r[3][:n], r[4][:n], r[5][:n], r[6][:n], r[7][:n]
	one = s.values[2][x:to][:n]
	for i := range n {
		one[i] = c0*(r0[i]-r7[i]) + c1*(r1[i]-r6[i]) + c2*(r2[i]-r5[i]) + c3*(r3[i]-r4[i])
	}
}

// repeats is how close a coefficient may come to that of the block one pixel to
// the left or above before it is left out. Drawn shapes and even gradients give
// the same coefficient over and over: a single observation, not hundreds.
const repeats = 0.02

// magnitude is the size of a number in a form that orders as the size does, which compares
// without a jump.
func magnitude(v float32) uint32 { return math.Float32bits(v) &^ (1 << 31) }

var repeatsMagnitude = magnitude(repeats)

// tallyRow counts the blocks that begin in a row. Of a large picture only every stride-th
// eight of them are transformed.
func (s *ghostStrip) tallyRow(y int) {
	blocks := s.p.w - 7
	s.left = [5]float32{}
	if s.stride == 1 {
		s.transform(0, blocks, y)
	}
	for x := 0; x < blocks; x += blockSide {
		to := min(x+blockSide, blocks)
		if s.stride > 1 {
			if (x/blockSide+y/blockSide)%s.stride != 0 {
				continue
			}
			s.transform(x, to, y)
		}
		s.tallyEight(x, to, y)
	}
}

// tallyEight counts the blocks that begin in row y at the columns from x on, all in one
// cell.
func (s *ghostStrip) tallyEight(x, to, y int) {
	t := &s.tallies[x/cellSide]
	var whole [blockSide]bool // no pixel of the block is clipped
	n := int32(0)
	for i, last := range s.cut[x:to] {
		if last < int32(y) { // #nosec G115 -- a picture has fewer rows
			whole[i&7] = true
			n++
		}
	}
	if n == 0 {
		return
	}
	t.blocks += n
	first := y % blockSide * blockSide
	positions := t.positions[first : first+blockSide : first+blockSide]
	within := repeatsMagnitude
	for f := range s.values {
		values, above := s.values[f][x:to], s.above[f][x:to]
		above = above[:len(values)]
		left := s.left[f]
		table := &s.added[f]
		for i, v := range values {
			if !whole[i&7] {
				continue
			}
			size := math.Float32frombits(magnitude(v))
			at := uint32(int32(size * sizeScale)) // #nosec G115 -- not negative
			if min(magnitude(v-left), magnitude(v-above[i])) < within {
				at = 0 // adds nothing
			}
			left, above[i] = v, v
			if at < tabledSizes {
				positions[i&7].add(&table[at])
			} else {
				a := addedBy(size, &s.inverse[f])
				positions[i&7].add(&a)
			}
		}
		s.left[f] = left
	}
}
