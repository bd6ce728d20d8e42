// Package player plays recordings through an Output. It knows neither the window toolkit nor a sound device: gui/player/speaker is the
// real Output. The methods of Player return at once, on any goroutine.
package player

import (
	"context"
	"fmt"
	"sync"
	"time"

	"assay/client/i18n"
	"assay/client/media/sound"
)

// State is what a player does.
type State int

// A player begins Paused: no sound plays by itself.
const (
	Paused State = iota
	Playing
	Failed // Player.Err says why; Play tries again
)

// Options are what a player needs. Only Output must be set.
type Options struct {
	Output Output
	Clock  Clock // nil: the computer's
	// OnChange is called after a change of state, loop, volume, or a jump of the position; not for every moment that is played: ask
	// for Position at each frame of the screen while State is Playing. OnEnd is called when the recording was played to its end, after
	// OnChange. Both are called on the player's own goroutine, one at a time, a moment after the method that caused them: hand them to
	// the UI thread without waiting for it. They may call any method but Close.
	OnChange func()
	OnEnd    func()
}

// Clock tells the time and waits; tests have their own.
type Clock interface {
	Now() time.Time
	After(d time.Duration) <-chan time.Time
}

type systemClock struct{}

func (systemClock) Now() time.Time                         { return time.Now() }
func (systemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// Player plays one recording. Its methods may be called on any goroutine and never wait for a device or a disk. The goroutines that
// it starts end with Close.
//
// Three goroutines work together: decode fills the queue, the output's empties it, and direct tells the output what to do and
// watches it.
type Player struct {
	recording *sound.Recording
	options   Options
	ctx       context.Context
	stop      context.CancelFunc
	running   sync.WaitGroup
	wake      chan struct{} // for direct

	mu       sync.Mutex
	room     *sync.Cond // for decode: something changed
	state    State
	err      error
	volume   float64
	from, to int64 // the loop, in frames; none where they are equal
	queue    queue
	jumps    int   // counts jumps, so that what was decoded before one is dropped
	target   int64 // where the last one went
	started  bool  // there was a Play: decode may begin
	decoding error // why decode gave up
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

// Play plays from where the position is, from the start if that is the end, or from the loop's start if it lies outside the loop.
// Where nothing can be heard, the state is Failed within two seconds.
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
		p.played.rest(p.options.Clock.Now())
	})
}

// Pause stops where the position is.
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

// Seek moves the position, and goes on playing if it was. A place beyond the end is the end.
func (p *Player) Seek(to time.Duration) {
	p.do(func() {
		p.jump(min(p.recording.FrameAt(to), p.recording.Frames()))
		p.changed = true
	})
}

// Loop makes playing go round from..to; a stretch without length ends it. While playing outside of it, it jumps to its start.
func (p *Player) Loop(from, to time.Duration) {
	p.do(func() {
		total := p.recording.Frames()
		a, b := min(p.recording.FrameAt(from), total), min(p.recording.FrameAt(to), total)
		p.from, p.to, p.changed = a, max(a, b), true
		at := p.position()
		if a < b && (at < a || at >= b) && p.state != Playing {
			return // Play does
		}
		if a < b && (at < a || at >= b) {
			at = a
		}
		p.jump(at) // what is decoded already may reach beyond it
	})
}

// Looping gives the loop; ok is false where there is none.
func (p *Player) Looping() (from, to time.Duration, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.recording.TimeAt(p.from), p.recording.TimeAt(p.to), p.from < p.to
}

// SetVolume sets how loud it plays, from 0 to 1, which it begins with.
func (p *Player) SetVolume(v float64) {
	p.do(func() {
		p.volume, p.changed = max(0, min(1, v)), true
		if p.state != Playing {
			p.jump(p.position()) // what waits in the output is of the old volume
		}
	})
}

// Volume is from 0 to 1.
func (p *Player) Volume() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.volume
}

// Position is what is being heard now.
func (p *Player) Position() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.recording.TimeAt(p.position())
}

// State tells whether it plays.
func (p *Player) State() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state
}

// Err is the reason for Failed: a *Silent, or a *sound.Unreadable where the recording is damaged there. It is nil in other states.
func (p *Player) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Close stops the sound, releases the device's buffers and waits for the player's goroutines. No callback comes after it. It may be
// called twice.
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

// jump goes on from another frame. The lock is held.
func (p *Player) jump(to int64) {
	p.jumps++
	p.target, p.decoding = to, nil
	p.queue.jump(float64(to))
	p.queue.held = true
	p.played.jump(p.options.Clock.Now(), p.queue.asked)
}

// position is the frame that is heard now. The lock is held.
func (p *Player) position() int64 {
	now := p.options.Clock.Now()
	at := int64(p.queue.place(p.played.now(now, &p.queue, p.state == Playing, float64(p.options.Output.Rate()))))
	return max(0, min(at, p.recording.Frames()))
}

// Output is a way for sound to be heard. The real one is gui/player/speaker; tests have their own.
type Output interface {
	// Rate is the number of frames per second that it plays. It never changes.
	Rate() int
	// Open gets a voice that will ask fill for the frames it plays, on a goroutine of its own, in order. It is paused. It may take
	// until ctx ends; an error says why nothing can be heard.
	Open(ctx context.Context, fill Fill) (Voice, error)
}

// Fill writes the next frames to be heard into all of frames, left and right, each from -1 to 1. It never waits: what isn't ready in
// time is silence.
type Fill func(frames [][2]float32)

// Voice is one stream of sound on its way out. Its methods return at once and are called by one goroutine at a time.
type Voice interface {
	Play()
	Pause()
	// Discard forgets the frames that were asked for and not heard yet. It leaves playing as it was.
	Discard()
	// Buffered is the number of frames that were asked for and not heard yet.
	Buffered() int
	// Err is not nil once nothing will be heard any more.
	Err() error
	// Close ends it: fill is not called any more once it returned.
	Close() error
}

// Silent is the error for a computer that plays nothing: no device, or one that takes no sound.
type Silent struct {
	Why   string // the end of the sentence, without a full stop, in the person's language
	Cause error  // may be nil
}

// Error gives the sentence and what the device's driver said.
func (s *Silent) Error() string {
	if s.Cause == nil {
		return s.Sentence()
	}
	return fmt.Sprintf("%s (%v)", s.Sentence(), s.Cause)
}

// Unwrap gives the driver's error.
func (s *Silent) Unwrap() error { return s.Cause }

// Sentence is for the person.
func (s *Silent) Sentence() string { return i18n.F("No sound comes out of this computer: %s.", s.Why) }
