package player

// bounds are the lowest and highest samples of a stretch, in steps of 1/32767.
type bounds struct{ low, high int16 }

func (b bounds) with(o bounds) bounds { return bounds{min(b.low, o.low), max(b.high, o.high)} }

const (
	// finestBucket is the number of frames in the shortest stretch that is kept apart.
	finestBucket = 64
	// mostBuckets is how many of the shortest stretches are kept: 4 MB, and as much again for the coarser ones.
	mostBuckets = 1 << 20
)

// pyramid keeps bounds by stretches of equal length, by pairs of those, by pairs of these, and so on: any stretch is put together from
// a few of them.
type pyramid struct {
	bucket int64 // frames in a stretch of the lowest level
	levels [][]bounds
}

// newPyramid has stretches as short as the number of frames that are expected allows.
func newPyramid(frames int64) *pyramid {
	bucket := int64(finestBucket)
	for frames/bucket >= mostBuckets {
		bucket *= 2
	}
	return &pyramid{bucket: bucket, levels: make([][]bounds, 1)}
}

// add appends a stretch.
func (p *pyramid) add(b bounds) {
	for level := 0; ; level++ {
		if level == len(p.levels) {
			p.levels = append(p.levels, nil)
		}
		p.levels[level] = append(p.levels[level], b)
		n := len(p.levels[level])
		if n%2 == 1 {
			return
		}
		b = p.levels[level][n-2].with(b)
	}
}

// full reports that the next stretch shall be twice as long: widen.
func (p *pyramid) full() bool { return len(p.levels[0]) == mostBuckets }

// widen makes stretches twice as long. It must be called when full, and then alone: no stretch is left without its pair.
func (p *pyramid) widen() {
	p.levels = p.levels[1:]
	p.bucket *= 2
}

// over puts together the stretches from a up to b, which must exist; ok is false where there are none.
func (p *pyramid) over(a, b int) (all bounds, ok bool) {
	take := func(level, i int) {
		if !ok {
			all, ok = p.levels[level][i], true
			return
		}
		all = all.with(p.levels[level][i])
	}
	for level := 0; a < b; level++ {
		if a%2 == 1 {
			take(level, a)
			a++
		}
		if b%2 == 1 {
			b--
			take(level, b)
		}
		a, b = a/2, b/2
	}
	return all, ok
}
