package player_test

import (
	"testing"
	"time"

	"assay/gui/player"
)

// hand is a clock that a test turns.
type hand struct{ now time.Time }

func (h *hand) Now() time.Time                       { return h.now }
func (h *hand) After(time.Duration) <-chan time.Time { return nil }
func (h *hand) turn(d time.Duration)                 { h.now = h.now.Add(d) }

func TestSilenceFollowsTheClock(t *testing.T) {
	clock := &hand{now: time.Unix(1000, 0)}
	s := player.NewSilence(10*time.Second, clock)
	want := func(when string, at time.Duration, state player.State) {
		t.Helper()
		if s.Position() != at || s.State() != state {
			t.Errorf("%s: at %v in state %v, want %v in %v", when, s.Position(), s.State(), at, state)
		}
	}
	clock.turn(time.Second)
	want("before it plays", 0, player.Paused)
	s.Play()
	clock.turn(2 * time.Second)
	want("playing", 2*time.Second, player.Playing)
	s.Toggle()
	clock.turn(5 * time.Second)
	want("paused", 2*time.Second, player.Paused)
	s.Seek(8 * time.Second)
	s.Toggle()
	clock.turn(5 * time.Second)
	want("at the end", 10*time.Second, player.Paused)
	s.Play()
	clock.turn(time.Second)
	want("again from the start", time.Second, player.Playing)
	s.Loop(4*time.Second, 6*time.Second)
	want("outside of the loop", 4*time.Second, player.Playing)
	clock.turn(5 * time.Second)
	want("in the loop", 5*time.Second, player.Playing)
	s.Loop(0, 0)
	s.Seek(time.Hour)
	want("beyond the end", 10*time.Second, player.Paused)
}

func TestSilenceOfNoLengthEndsAtOnce(t *testing.T) {
	clock := &hand{now: time.Unix(1000, 0)}
	s := player.NewSilence(-time.Second, clock)
	s.Play()
	clock.turn(time.Second)
	if s.Position() != 0 || s.State() != player.Paused {
		t.Errorf("at %v in state %v", s.Position(), s.State())
	}
}
