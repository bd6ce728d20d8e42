package sound

import (
	"context"
	"math"
	"runtime"
	"sync"
	"time"
)

// Peaks are the lowest and highest samples of a recording in intervals of time, at several resolutions, so that any part of it can be
// drawn at any width in bounded memory (16 MB, whatever its length). Any goroutine may read them, also while they grow.
type Peaks struct {
	of *Recording // for its rate only

	mu      sync.RWMutex
	pyramid *pyramid
	frames  int64 // read so far
}

// Column is one column of a waveform: the lowest and the highest sample in its interval, over the channels that are decoded, each from -1
// to 1. Known is false before the recording's start, after its end, and where it has not been read yet.
type Column struct {
	Low, High float32
	Known     bool
}

// Columns fills columns with equal parts of the interval from..to. A column that is shorter than the finest interval stored shows the one
// that contains it.
func (p *Peaks) Columns(columns []Column, from, to time.Duration) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	known := len(p.pyramid.levels[0])
	part := float64(max(from, to)-from) / float64(max(1, len(columns)))
	for i := range columns {
		columns[i] = Column{}
		begin, end := from+time.Duration(float64(i)*part), from+time.Duration(float64(i+1)*part)
		first := p.of.FrameAt(begin)
		if end <= 0 || first >= p.frames {
			continue
		}
		a := int(first / p.pyramid.bucket)
		b := int((p.of.FrameAt(end) + p.pyramid.bucket - 1) / p.pyramid.bucket)
		if found, ok := p.pyramid.over(a, min(max(a+1, b), known)); ok {
			columns[i] = Column{Low: float32(found.low) / math.MaxInt16, High: float32(found.high) / math.MaxInt16, Known: true}
		}
	}
}

// Known is the length, from the recording's start, that has been read.
func (p *Peaks) Known() time.Duration {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.of.TimeAt(p.frames)
}

// add appends intervals with so many frames in all.
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

// bounds are the lowest and highest samples of an interval, in units of 1/32767.
type bounds struct{ low, high int16 }

func (b bounds) with(o bounds) bounds { return bounds{min(b.low, o.low), max(b.high, o.high)} }

const (
	// finestBucket is the number of frames in the shortest interval that is stored.
	finestBucket = 64
	// mostBuckets bounds how many of the shortest intervals are stored: 4 MB, and as much again for the coarser ones.
	mostBuckets = 1 << 20
)

// pyramid stores the bounds of intervals of equal length, of pairs of them, of pairs of those, and so on, so that the bounds of any interval
// can be computed from a few of them.
type pyramid struct {
	bucket int64 // frames in an interval of the lowest level
	levels [][]bounds
}

// newPyramid makes its intervals as short as the expected number of frames allows.
func newPyramid(frames int64) *pyramid {
	bucket := int64(finestBucket)
	for frames/bucket >= mostBuckets {
		bucket *= 2
	}
	return &pyramid{bucket: bucket, levels: make([][]bounds, 1)}
}

// add appends an interval.
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

// full reports whether the intervals must be widened before the next one is added.
func (p *pyramid) full() bool { return len(p.levels[0]) == mostBuckets }

// widen doubles the length of the intervals. It must be called only when full, because then every interval has its pair.
func (p *pyramid) widen() {
	p.levels = p.levels[1:]
	p.bucket *= 2
}

// over combines the intervals from a up to b, which must exist; ok is false where there are none.
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

const (
	// shortest is the length up to which recordings are read in one go; longer ones are read in parts, several at a time.
	shortest = time.Minute
	// partsPerReader is how many parts each reader gets.
	partsPerReader = 32
	// mostReaders bounds how many parts are read at a time, with enough processors.
	mostReaders = 4
)

// Peaks reads the whole recording, which takes seconds for hours of sound. It calls progress some dozens of times meanwhile and once at
// the end, on the calling goroutine, with the part done (0..1) and always the same growing Peaks: pass them to the UI thread and redraw.
// progress may be nil. Once ctx has ended it returns ctx's error. If the recording is damaged or breaks off, it returns the peaks up to
// there, and an *Unreadable.
func (r *Recording) Peaks(ctx context.Context, progress func(done float64, p *Peaks)) (*Peaks, error) {
	if progress == nil {
		progress = func(float64, *Peaks) {}
	}
	total := max(1, r.source.frames())
	p := &Peaks{of: r, pyramid: newPyramid(total)}
	var err error
	if r.source.exact() && total > r.FrameAt(shortest) {
		err = r.readParts(ctx, p, total, progress)
	} else {
		err = r.readThrough(ctx, p, total, progress)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil && r.source.cut():
		err = breaksOff(nil)
	}
	progress(1, p)
	return p, err
}

// readThrough reads from the start to the actual end.
func (r *Recording) readThrough(ctx context.Context, p *Peaks, total int64, progress func(float64, *Peaks)) error {
	said := int64(0)
	return r.stretches(ctx, 0, math.MaxInt64, func() int64 { return p.pyramid.bucket }, func(b bounds, frames int64) {
		p.add([]bounds{b}, frames)
		if p.frames-said > total/100 { // changed on this goroutine only
			said = p.frames
			progress(min(1, float64(said)/float64(total)), p)
		}
	})
}

// part is the result of reading a part of the recording.
type part struct {
	stretches []bounds
	frames    int64
	err       error
}

// readParts reads parts of the recording on a few goroutines, and joins them in order.
func (r *Recording) readParts(ctx context.Context, p *Peaks, total int64, progress func(float64, *Peaks)) error {
	ctx, stop := context.WithCancel(ctx)
	var reading sync.WaitGroup
	defer reading.Wait()
	defer stop()
	readers := min(mostReaders, runtime.GOMAXPROCS(0))
	bucket := p.pyramid.bucket
	size := (total/int64(readers*partsPerReader)/bucket + 1) * bucket
	read := make([]chan part, readers)
	for i := range read {
		read[i] = make(chan part)
		reading.Go(func() {
			for from := int64(i) * size; from < total; from += int64(readers) * size {
				select {
				case read[i] <- r.part(ctx, from, min(total, from+size), bucket):
				case <-ctx.Done():
					return
				}
			}
		})
	}
	for i := 0; int64(i)*size < total; i++ {
		select {
		case got := <-read[i%readers]:
			p.add(got.stretches, got.frames)
			if got.err != nil {
				return got.err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
		progress(float64(p.frames)/float64(total), p) // changed on this goroutine only
	}
	return nil
}

func (r *Recording) part(ctx context.Context, from, to, bucket int64) (read part) {
	read.stretches = make([]bounds, 0, (to-from)/bucket+1)
	read.err = r.stretches(ctx, from, to, func() int64 { return bucket }, func(b bounds, frames int64) {
		read.stretches = append(read.stretches, b)
		read.frames += frames
	})
	return read
}

// stretches reads from one frame up to another or to the end, and returns the bounds of each interval of bucket frames.
func (r *Recording) stretches(ctx context.Context, from, to int64, bucket func() int64, each func(b bounds, frames int64)) error {
	reading, err := r.source.open(ctx, from)
	if err != nil {
		return err
	}
	block := make([][2]float64, 2048)
	var low, high float64
	frames, full := int64(0), bucket()
	flush := func() {
		if frames > 0 {
			each(bounds{level(low), level(high)}, frames)
			frames, full = 0, bucket()
		}
	}
	for at := from; at < to; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := reading.Read(block[:min(int64(len(block)), to-at)])
		if err != nil {
			flush()
			if Ended(err) {
				return nil
			}
			return err
		}
		at += int64(n)
		for _, f := range block[:n] {
			below, above := min(f[0], f[1]), max(f[0], f[1])
			if frames == 0 {
				low, high = below, above
			} else {
				low, high = min(low, below), max(high, above)
			}
			if frames++; frames == full {
				flush()
			}
		}
	}
	flush()
	return nil
}

// level converts a sample to the unit of bounds.
func level(v float64) int16 { return int16(math.Round(v * math.MaxInt16)) }
