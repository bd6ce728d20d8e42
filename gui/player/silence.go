package player

import (
	"time"
)

// Silence stands in for a Player where nothing is heard: for a clip without sound, or a computer without a sound device. Its position follows the clock.
// It starts no goroutine and calls nobody: whoever shows it reads State and Position at each frame of the screen. It must be used by one goroutine.
type Silence struct {
	clock    Clock
	length   time.Duration
	at       time.Duration // the position at since
	since    time.Time
	playing  bool
	from, to time.Duration // the loop; none if they are equal
}

// NewSilence returns a silence of a length, paused at its start. A nil clock is the system's.
func NewSilence(length time.Duration, clock Clock) *Silence {
	if clock == nil {
		clock = systemClock{}
	}
	return &Silence{clock: clock, length: max(0, length)}
}

// Play goes on from the position, from the start if that is the end, or from the loop's start if it is outside the loop.
func (s *Silence) Play() {
	if s.State() == Playing {
		return
	}
	switch {
	case s.from < s.to && (s.at < s.from || s.at >= s.to):
		s.at = s.from
	case s.at >= s.length:
		s.at = 0
	}
	s.since, s.playing = s.clock.Now(), true
}

// Pause stops at the position.
func (s *Silence) Pause() {
	s.settle()
	s.playing = false
}

// Toggle plays or pauses.
func (s *Silence) Toggle() {
	if s.State() == Playing {
		s.Pause()
	} else {
		s.Play()
	}
}

// Seek moves the position, and goes on if it was playing. A position after the end means the end.
func (s *Silence) Seek(to time.Duration) {
	s.at, s.since = min(max(0, to), s.length), s.clock.Now()
}

// Loop repeats from..to; if they are equal, there is no loop. If the position is outside while playing, it jumps to from.
func (s *Silence) Loop(from, to time.Duration) {
	s.settle()
	s.from, s.to = max(0, from), min(to, s.length)
	if s.playing && s.from < s.to && (s.at < s.from || s.at >= s.to) {
		s.at = s.from
	}
}

// SetVolume does nothing.
func (s *Silence) SetVolume(float64) {}

// Position is where it is now.
func (s *Silence) Position() time.Duration {
	s.settle()
	return s.at
}

// State is Playing or Paused; it is Paused at the end.
func (s *Silence) State() State {
	s.settle()
	if s.playing {
		return Playing
	}
	return Paused
}

// Err is always nil.
func (s *Silence) Err() error { return nil }

// settle moves the position on to now.
func (s *Silence) settle() {
	if !s.playing {
		return
	}
	now := s.clock.Now()
	s.at += now.Sub(s.since)
	s.since = now
	if s.from < s.to && s.at >= s.to {
		s.at = s.from + (s.at-s.to)%(s.to-s.from)
	}
	if s.at >= s.length {
		s.at, s.playing = s.length, false
	}
}
