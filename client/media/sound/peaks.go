package sound

import (
	"math"
	"sync"
	"time"
)

// Peaks are the lowest and highest samples of a recording by stretches of time, coarser and coarser, so that any part of it can be
// drawn at any width in bounded memory (16 MB, whatever its length). They may be read on any goroutine, also while they grow.
type Peaks struct {
	of *Recording // for its rate alone

	mu      sync.RWMutex
	pyramid *pyramid
	frames  int64 // read so far
	whole   bool
}

// Column is what one column of a waveform shows: the lowest and the highest sample in its stretch of time, over the channels that are
// heard, each from -1 to 1. Known is false where the recording has no sound: before its start, after its end, and where it was not read
// yet.
type Column struct {
	Low, High float32
	Known     bool
}

// Columns fills columns with equal parts of the stretch from..to. A column that is shorter than Finest shows the stretch of that
// length in which it lies.
func (p *Peaks) Columns(columns []Column, from, to time.Duration) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	known := len(p.pyramid.levels[0])
	eachColumn(len(columns), from, to, func(i int, from, to time.Duration) {
		columns[i] = Column{}
		first := p.of.FrameAt(from)
		if to <= 0 || first >= p.frames {
			return
		}
		a := int(first / p.pyramid.bucket)
		b := int((p.of.FrameAt(to) + p.pyramid.bucket - 1) / p.pyramid.bucket)
		if found, ok := p.pyramid.over(a, min(max(a+1, b), known)); ok {
			columns[i] = Column{Low: float32(found.low) / math.MaxInt16, High: float32(found.high) / math.MaxInt16, Known: true}
		}
	})
}

// eachColumn divides a stretch of time into n parts.
func eachColumn(n int, from, to time.Duration, do func(i int, from, to time.Duration)) {
	if to < from {
		to = from
	}
	part := float64(to-from) / float64(max(1, n))
	for i := range n {
		do(i, from+time.Duration(float64(i)*part), from+time.Duration(float64(i+1)*part))
	}
}

// Known is how much of the recording, from its start, has been read.
func (p *Peaks) Known() time.Duration {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.of.TimeAt(p.frames)
}

// Finest is the length of the shortest stretch that is kept apart. Where a column is to show less, Recording.Detail does.
func (p *Peaks) Finest() time.Duration {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.of.TimeAt(p.pyramid.bucket)
}

// Whole reports whether the recording was read to its end.
func (p *Peaks) Whole() bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.whole
}

// add appends stretches of some frames altogether.
func (p *Peaks) add(stretches []bounds, frames int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, b := range stretches {
		p.pyramid.add(b)
	}
	p.frames += frames
	if p.pyramid.full() {
		p.pyramid.widen()
	}
}

func (p *Peaks) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.whole = true
}

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
