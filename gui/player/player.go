// Package player plays recordings through an Output. It imports neither the toolkit nor a sound device: gui/player/speaker is the real Output. The
// methods of Player return at once, on any goroutine.
package player

import (
	"context"
	"fmt"
	"sync"
	"time"

	"assay/client/i18n"
	"assay/client/media/sound"
)

// State is what a player does now.
type State int

// The states. A player begins Paused: no sound plays by itself.
const (
	Paused State = iota
	Playing
	Failed // Player.Err says why; Play tries again
)

// Options are what a player needs. Only Output must be set.
type Options struct {
	Output Output
	Clock  Clock // nil: the system's
	// OnChange is called after a change of the state, the loop or the volume, and after a jump, but not as the position advances: read Position at
	// each frame of the screen while State is Playing. OnEnd is called after OnChange when the recording was played to its end. Both are called
	// asynchronously on a goroutine of the player, one at a time: they must pass on to the UI thread without waiting for it. They may call any method
	// except Close.
	OnChange func()
	OnEnd    func()
}

// Clock tells the time and makes timers; tests have their own.
type Clock interface {
	Now() time.Time
	After(d time.Duration) <-chan time.Time
}

type systemClock struct{}

func (systemClock) Now() time.Time                         { return time.Now() }
func (systemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// Player plays one recording. Its methods may be called on any goroutine and never wait for a device or a disk. The goroutines that it starts end
// with Close.
//
// Three goroutines work together: decode fills the queue, the output's goroutine empties it, and direct controls the output and watches it.
type Player struct {
	recording *sound.Recording
	options   Options
	ctx       context.Context
	stop      context.CancelFunc
	running   sync.WaitGroup
	wake      chan struct{} // wakes direct

	mu       sync.Mutex
	room     *sync.Cond // wakes decode after any change
	state    State
	err      error
	volume   float64
	from, to int64 // the loop, in frames; none if they are equal
	queue    queue
	jumps    int   // number of jumps, to drop what was decoded before one
	target   int64 // of the last jump, in frames
	started  bool  // Play was called, so decoding may begin
	decoding error // why decoding stopped
	changed  bool  // OnChange is due
	closed   bool
	played   progress
}

// NewPlayer returns a player at the start of the recording, paused. Nothing is opened or decoded before Play.
func NewPlayer(r *sound.Recording, o Options) *Player {
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	p := &Player{recording: r, options: o, wake: make(chan struct{}, 1), volume: 1}
	p.room = sync.NewCond(&p.mu)
	p.ctx, p.stop = context.WithCancel(context.Background())
	p.queue.jump(0)
	p.running.Go(p.direct)
	p.running.Go(p.decode)
	return p
}

// Play plays from the position, from the start if that is the end, or from the loop's start if it is outside the loop. If no sound comes out, the
// state is Failed within two seconds.
func (p *Player) Play() {
	p.do(func() {
		if p.state == Playing {
			return
		}
		at := p.position()
		switch {
		case p.from < p.to && (at < p.from || at >= p.to):
			p.jump(p.from)
		case p.state == Failed:
			p.jump(at)
		case at >= p.recording.Frames():
			p.jump(0)
		}
		p.state, p.err, p.started, p.changed = Playing, nil, true, true
		p.played.start(p.options.Clock.Now())
	})
}

// Pause stops at the current position.
func (p *Player) Pause() {
	p.do(func() {
		if p.state == Playing {
			p.state, p.changed = Paused, true
			p.played.hold(p.options.Clock.Now(), &p.queue, float64(p.options.Output.Rate()))
		}
	})
}

// Toggle plays or pauses.
func (p *Player) Toggle() {
	if p.State() == Playing {
		p.Pause()
	} else {
		p.Play()
	}
}

// Seek moves the position, and goes on playing if it was playing. A position after the end means the end.
func (p *Player) Seek(to time.Duration) {
	p.do(func() {
		p.jump(min(p.recording.FrameAt(to), p.recording.Frames()))
		p.changed = true
	})
}

// Loop repeats from..to; if they are equal, there is no loop. If the position is outside while playing, it jumps to from.
func (p *Player) Loop(from, to time.Duration) {
	p.do(func() {
		total := p.recording.Frames()
		a, b := min(p.recording.FrameAt(from), total), min(p.recording.FrameAt(to), total)
		p.from, p.to, p.changed = a, max(a, b), true
		at := p.position()
		if a < b && (at < a || at >= b) && p.state != Playing {
			return // Play jumps
		}
		if a < b && (at < a || at >= b) {
			at = a
		}
		p.jump(at) // what is decoded already may extend beyond the loop
	})
}

// SetVolume sets the volume from 0 to 1, which is the default; other values are clamped.
func (p *Player) SetVolume(v float64) {
	p.do(func() {
		p.volume, p.changed = max(0, min(1, v)), true
		if p.state != Playing {
			p.jump(p.position()) // frames waiting in the output have the old volume
		}
	})
}

// Position is the position that is heard now.
func (p *Player) Position() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.recording.TimeAt(p.position())
}

// State returns what it does now.
func (p *Player) State() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state
}

// Err is why the state is Failed: a *Silent, or a *sound.Unreadable if the recording is damaged at the position. It is nil in other states.
func (p *Player) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Close stops the sound, releases the device's buffers and waits for the player's goroutines. No callback is called after it. It may be called twice.
func (p *Player) Close() {
	p.do(func() { p.closed = true })
	p.stop()
	p.running.Wait()
}

// do changes the player under its lock, and wakes its goroutines.
func (p *Player) do(change func()) {
	p.mu.Lock()
	change()
	p.mu.Unlock()
	p.nudge()
}

func (p *Player) nudge() {
	p.room.Broadcast()
	select {
	case p.wake <- struct{}{}:
	default: // it is about to look anyway
	}
}

// jump moves on from another frame. The lock must be held.
func (p *Player) jump(to int64) {
	p.jumps++
	p.target, p.decoding = to, nil
	p.queue.jump(float64(to))
	p.queue.held = true
	p.played.jump(p.options.Clock.Now(), p.queue.asked)
}

// position is the frame that is heard now. The lock must be held.
func (p *Player) position() int64 {
	now := p.options.Clock.Now()
	at := int64(p.queue.place(p.played.now(now, &p.queue, p.state == Playing, float64(p.options.Output.Rate()))))
	return max(0, min(at, p.recording.Frames()))
}

// Output plays sound. The real one is gui/player/speaker; tests have their own.
type Output interface {
	// Rate is how many frames it plays per second. It never changes.
	Rate() int
	// Open returns a paused voice, which will call fill for the frames to play, in order, on a goroutine of its own. It may take until ctx ends; the
	// error says why nothing can be heard.
	Open(ctx context.Context, fill Fill) (Voice, error)
}

// Fill writes the next frames into all of frames, left and right, each from -1 to 1. It never waits: if frames are not ready in time, it writes
// silence.
type Fill func(frames [][2]float32)

// Voice is a stream of sound to the output. Its methods return at once and are called by one goroutine at a time.
type Voice interface {
	Play()
	Pause()
	// Discard drops the frames that were asked for but not heard yet. A playing voice goes on playing.
	Discard()
	// Buffered is the number of frames that were asked for but not heard yet.
	Buffered() int
	// Err is not nil once nothing more will be heard.
	Err() error
	// Close ends the voice: after it has returned, fill is not called any more.
	Close() error
}

// Silent is the error of a computer that plays no sound: it has no device, or one that accepts none.
type Silent struct {
	Why   string // end of a sentence in the person's language, without full stop
	Cause error  // may be nil
}

// Error is the sentence with the driver's error.
func (s *Silent) Error() string {
	if s.Cause == nil {
		return s.Sentence()
	}
	return fmt.Sprintf("%s (%v)", s.Sentence(), s.Cause)
}

// Unwrap returns the driver's error.
func (s *Silent) Unwrap() error { return s.Cause }

// Sentence is the message for the person.
func (s *Silent) Sentence() string { return i18n.F("This computer can't play sound: %s.", s.Why) }
