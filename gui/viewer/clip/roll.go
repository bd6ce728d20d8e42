package clip

import (
	"context"
	"errors"
	"image"
	"math"
	"sync/atomic"
	"time"

	"assay/client/i18n"
	"assay/gui/careful"
	"assay/gui/present"
)

const (
	// early is by how many seconds a frame may be shown before its moment is heard, late after which it is dropped.
	early, late = 0.02, 0.12
	// behind is how many seconds the frames may fall behind the sound before they begin again at its moment.
	behind = 3.0
)

// roll is one run of frames that are played in step with the sound: the sound leads, and frames that come too late are dropped.
type roll struct {
	stop    context.CancelFunc
	ticked  chan struct{} // has a value after heard changed
	heard   atomic.Uint64 // the bits of the moment that is heard, in seconds
	reached atomic.Uint64 // of the moment of the latest frame
	waiting atomic.Bool   // whether a frame waits for the UI thread
	preview present.Preview
	side    int
	failed  bool // its frames can't be played; the sound goes on
}

func load(v *atomic.Uint64) float64          { return math.Float64frombits(v.Load()) }
func store(v *atomic.Uint64, second float64) { v.Store(math.Float64bits(second)) }

// roll plays frames from a moment on, or tells the frames that play already what is heard. It reports whether frames are played.
func (p *Pane) roll(seconds float64) bool {
	if p.info == nil {
		return false
	}
	if r := p.rolling; r != nil {
		if r.failed {
			return true
		}
		ahead := seconds - load(&r.reached)
		if seconds >= load(&r.heard)-late && ahead < behind && r.preview == p.preview && r.side == p.sideWanted() {
			store(&r.heard, seconds)
			select {
			case r.ticked <- struct{}{}:
			default:
			}
			return true
		}
		p.stopRoll()
	}
	p.cancelFrame()
	p.fetching = -1
	ctx, stop := context.WithCancel(context.Background())
	r := &roll{stop: stop, ticked: make(chan struct{}, 1), preview: p.preview, side: p.sideWanted()}
	store(&r.heard, seconds)
	store(&r.reached, seconds)
	p.rolling = r
	path := p.path
	p.rolls.Go(func() {
		err := p.Frames.Play(ctx, path, time.Duration(seconds*float64(time.Second)), r.side, func(at time.Duration, frame *image.RGBA) error {
			return p.inStep(ctx, r, at.Seconds(), frame)
		})
		if err != nil && !errors.Is(err, context.Canceled) {
			p.UI(func() {
				if p.rolling == r {
					r.failed = true
					p.noFrames(i18n.F("The frame at %s can't be shown. %s", present.Clock(load(&r.reached)), present.Problem(err)))
				}
			})
		}
	})
	return true
}

// inStep waits for the moment of a frame and shows it, unless it has passed. It runs on the goroutine that reads the frames.
func (p *Pane) inStep(ctx context.Context, r *roll, at float64, frame *image.RGBA) error {
	store(&r.reached, at)
	if load(&r.heard) > at+late {
		return nil
	}
	seen := careful.Seen(frame, r.preview)
	for load(&r.heard) < at-early {
		select {
		case <-r.ticked:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if r.waiting.CompareAndSwap(false, true) {
		p.UI(func() {
			r.waiting.Store(false)
			if p.rolling == r {
				p.setStill(frame, seen, r.preview, at)
			}
		})
	}
	return ctx.Err()
}

// stopRoll ends the frames that are played, and ffmpeg with them.
func (p *Pane) stopRoll() {
	if p.rolling != nil {
		p.rolling.stop()
		p.rolling = nil
	}
}

// playState follows the sound's player: where that stops, so do the frames, at the moment that was heard last.
func (p *Pane) playState() {
	if p.rolling != nil && !p.sound.Playing() {
		failed := p.rolling.failed
		p.stopRoll()
		if !failed && p.info != nil && math.Abs(p.stillAt-p.moment) > late {
			p.want(p.moment)
		}
	}
}
