package player

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"assay/client/media/sound"
)

// manualClock is a clock that tests move.
type manualClock struct {
	mu    sync.Mutex
	now   time.Time
	waits map[chan time.Time]time.Time
}

func newManualClock() *manualClock {
	return &manualClock{now: time.Unix(1e9, 0), waits: map[chan time.Time]time.Time{}}
}

func (c *manualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *manualClock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	due := make(chan time.Time, 1)
	c.waits[due] = c.now.Add(d)
	return due
}

func (c *manualClock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	for due, at := range c.waits {
		if !at.After(c.now) {
			due <- c.now
			delete(c.waits, due)
		}
	}
}

// tape is an output that records what it is given, as far as the test lets it.
type tape struct {
	rate   int
	opens  func(ctx context.Context) error // what opening meets; nil: nothing
	mu     sync.Mutex
	fill   Fill
	on     bool
	closed int
	broken error
	asked  [][2]float32 // not heard yet
	heard  [][2]float32
}

func (o *tape) Rate() int { return o.rate }

func (o *tape) Open(ctx context.Context, fill Fill) (Voice, error) {
	if o.opens != nil {
		if err := o.opens(ctx); err != nil {
			return nil, err
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.fill = fill
	return o, nil
}

func (o *tape) set(on bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.on = on
}

func (o *tape) Play()  { o.set(true) }
func (o *tape) Pause() { o.set(false) }

func (o *tape) Discard() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked = nil
}

func (o *tape) Buffered() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.asked)
}

func (o *tape) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.broken
}

func (o *tape) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed++
	o.fill, o.on = nil, false
	return nil
}

func (o *tape) playing() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.on
}

func (o *tape) frames() [][2]float32 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([][2]float32(nil), o.heard...)
}

// ask takes n frames, and hears what it took before but for the last keep ones.
func (o *tape) ask(n, keep int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.fill == nil || !o.on {
		return
	}
	frames := make([][2]float32, n)
	o.fill(frames)
	o.asked = append(o.asked, frames...)
	if more := len(o.asked) - keep; more > 0 {
		o.heard = append(o.heard, o.asked[:more]...)
		o.asked = o.asked[more:]
	}
}

// fixture is a player on a tape, with a clock that the test moves.
type fixture struct {
	*Player
	t     *testing.T
	clock *manualClock
	tape  *tape
	calls chan string
}

func setup(t *testing.T, r *sound.Recording, rate int) *fixture {
	t.Helper()
	s := &fixture{t: t, clock: newManualClock(), tape: &tape{rate: rate}, calls: make(chan string, 1000)}
	s.Player = NewPlayer(r, Options{
		Output: s.tape, Clock: s.clock,
		OnChange: func() { s.calls <- "change" }, OnEnd: func() { s.calls <- "end" },
	})
	t.Cleanup(s.Close)
	return s
}

// until lets time pass by the tick, without sound, until something holds.
func (s *fixture) until(what string, holds func() bool) {
	s.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for !holds() {
		if time.Now().After(deadline) {
			s.t.Fatalf("never: %s", what)
		}
		s.nudge()
		runtime.Gosched() // to the player's goroutines
	}
}

// ready waits until enough is decoded to play n frames.
func (s *fixture) ready(n int) {
	s.t.Helper()
	s.until("enough is decoded", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.tape.playing() && !s.queue.held && (s.queue.size >= n || s.queue.last)
	})
}

// play hears so much, in steps of 20 ms.
func (s *fixture) play(d time.Duration) {
	s.t.Helper()
	step := s.tape.rate / 50
	for range int(d / (20 * time.Millisecond)) {
		s.ready(step)
		s.tape.ask(step, 0)
		s.clock.move(20 * time.Millisecond)
		s.until("it was noticed", func() bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.played.heard >= s.queue.asked || s.state != Playing
		})
	}
}
