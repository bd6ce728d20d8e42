package sound

import (
	"context"
	"math"
	"runtime"
	"sync"
	"time"
)

const (
	// shortest is the length of the recordings that are read in one go: others are read in parts, several at a time.
	shortest = time.Minute
	// partsPerReader is how many parts each reader gets.
	partsPerReader = 32
	// mostReaders is how many parts are read at a time, where there are so many processors.
	mostReaders = 4
)

// Peaks reads the whole recording, which takes seconds for hours of sound. It calls progress some dozens of times on the way and
// once at the end, on the goroutine that called it, with the part done (0..1) and always the same Peaks, which grow: hand them to
// the UI thread and redraw. progress may be nil. Once ctx has ended it returns ctx's error. Where the recording is damaged on the way or
// breaks off, it returns the peaks up to there, and an *Unreadable.
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
	case err == nil:
		p.finish()
	}
	progress(1, p)
	return p, err
}

// readThrough reads from the start to the end, wherever that is.
func (r *Recording) readThrough(ctx context.Context, p *Peaks, total int64, progress func(float64, *Peaks)) error {
	said := int64(0)
	return r.stretches(ctx, 0, math.MaxInt64, func() int64 { return p.pyramid.bucket }, func(b bounds, frames int64) {
		p.add([]bounds{b}, frames)
		if p.frames-said > total/100 { // changed on this goroutine alone
			said = p.frames
			progress(min(1, float64(said)/float64(total)), p)
		}
	})
}

// part is a part of a recording that was read.
type part struct {
	stretches []bounds
	frames    int64
	err       error
}

// readParts has a few goroutines read parts of the recording, and puts them together in order.
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
		progress(float64(p.frames)/float64(total), p) // changed on this goroutine alone
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

// stretches reads from one frame up to another or to the end, and gives the bounds of each stretch of bucket frames.
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

// level is a sample in the steps of bounds.
func level(v float64) int16 { return int16(math.Round(v * math.MaxInt16)) }

// Detail is Columns read from the recording itself, for stretches in which a column is shorter than Peaks.Finest. It decodes what
// lies between from and to: call it on a worker, for seconds and not for hours.
func (r *Recording) Detail(ctx context.Context, columns []Column, from, to time.Duration) error {
	reading, err := r.source.open(ctx, r.FrameAt(from))
	if err != nil {
		return err
	}
	var (
		block = make([][2]float64, 2048)
		left  [][2]float64
		at    = r.FrameAt(from) // of the next frame
		now   [2]float64        // the frame before
		ended error
	)
	next := func() bool {
		if len(left) == 0 && ended == nil {
			var n int
			if ended = ctx.Err(); ended == nil {
				n, ended = reading.Read(block)
			}
			left = block[:n]
		}
		if len(left) == 0 {
			return false
		}
		now, left = left[0], left[1:]
		at++
		return true
	}
	eachColumn(len(columns), from, to, func(i int, begin, end time.Duration) {
		columns[i] = Column{}
		first := r.FrameAt(begin)
		last := max(first+1, r.FrameAt(end))
		add := func() {
			c, below, above := &columns[i], float32(min(now[0], now[1])), float32(max(now[0], now[1]))
			if !c.Known {
				*c = Column{Low: below, High: above, Known: true}
				return
			}
			c.Low, c.High = min(c.Low, below), max(c.High, above)
		}
		if end <= 0 {
			return
		}
		if first == at-1 && first >= 0 && at > r.FrameAt(from) {
			add() // several columns share a sample
		}
		for at < last && next() {
			if at > first {
				add()
			}
		}
	})
	if Ended(ended) {
		return nil
	}
	return ended
}
