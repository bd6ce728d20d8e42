package player

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
		first := p.of.frame(from)
		if to <= 0 || first >= p.frames {
			return
		}
		a := int(first / p.pyramid.bucket)
		b := int((p.of.frame(to) + p.pyramid.bucket - 1) / p.pyramid.bucket)
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
	return p.of.time(p.frames)
}

// Finest is the length of the shortest stretch that is kept apart. Where a column is to show less, Recording.Detail does.
func (p *Peaks) Finest() time.Duration {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.of.time(p.pyramid.bucket)
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
