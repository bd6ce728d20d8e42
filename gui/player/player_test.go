package player

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/media/sound"
	"assay/client/media/sound/soundtest"
)

// opened opens bytes as a recording until the test ends.
func opened(t *testing.T, data []byte) *sound.Recording {
	t.Helper()
	path := filepath.Join(t.TempDir(), "recording")
	assert.NoError(t, os.WriteFile(path, data, 0o600))
	r, err := sound.Open(t.Context(), path)
	assert.NoError(t, err)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// ramp is a recording whose samples tell their place.
func ramp(t *testing.T, rate, n int) *sound.Recording {
	t.Helper()
	var data []byte
	for i := range n {
		data = binary.LittleEndian.AppendUint16(data, uint16(i%(1<<15)))
	}
	return opened(t, soundtest.WAV(1, 1, rate, 16, uint32(len(data)), data))
}

// heardAt is the place in a ramp that a frame comes from.
func heardAt(frame [2]float32) int { return int(math.Round(float64(frame[0]) * (1 << 15))) }

func near(got, want time.Duration) bool {
	return got > want-2*time.Millisecond && got < want+2*time.Millisecond
}

func TestNoSoundPlaysByItself(t *testing.T) {
	s := setup(t, ramp(t, 8000, 8000), 8000)
	s.clock.move(time.Minute)
	s.Seek(200 * time.Millisecond)
	s.until("the jump was told", func() bool { return len(s.calls) > 0 })
	if s.State() != Paused || s.tape.playing() || s.tape.fill != nil {
		t.Errorf("state %v, playing %v", s.State(), s.tape.playing())
	}
	if got := s.Position(); got != 200*time.Millisecond {
		t.Errorf("position %v", got)
	}
}

func TestPlaying(t *testing.T) {
	t.Run("gives the samples in order, and ends at the end", func(t *testing.T) {
		s := setup(t, ramp(t, 8000, 8000), 8000)
		s.Play()
		s.play(500 * time.Millisecond)
		if got := s.Position(); !near(got, 500*time.Millisecond) {
			t.Errorf("position %v after half a second", got)
		}
		s.play(500 * time.Millisecond)
		s.until("the end", func() bool { return s.State() == Paused })
		for i, f := range s.tape.frames() {
			if i > 200 && i < 8000 && heardAt(f) != i {
				t.Fatalf("frame %d is sample %d", i, heardAt(f))
			}
		}
		if s.Position() != time.Second {
			t.Errorf("position %v at the end", s.Position())
		}
		s.until("the end was told", func() bool {
			for len(s.calls) > 0 {
				if <-s.calls == "end" {
					return true
				}
			}
			return false
		})
		t.Run("and begins again from the start", func(t *testing.T) {
			s.Play()
			s.play(100 * time.Millisecond)
			if got := s.Position(); !near(got, 100*time.Millisecond) {
				t.Errorf("position %v", got)
			}
		})
	})
	t.Run("at another rate keeps its pitch and its length", func(t *testing.T) {
		s := setup(t, opened(t, soundtest.Mono(11025, soundtest.Tone(11025, 440, 1, 0.5)...)), 48000)
		s.Play()
		s.play(900 * time.Millisecond)
		crossings := 0
		frames := s.tape.frames()
		for i := range frames[1:] {
			if frames[i][0] < 0 && frames[i+1][0] >= 0 {
				crossings++
			}
		}
		if got := float64(crossings) / 0.9; math.Abs(got-440) > 5 {
			t.Errorf("%v Hz", got)
		}
		if got := s.Position(); !near(got, 900*time.Millisecond) {
			t.Errorf("position %v", got)
		}
	})
	t.Run("stands still in a pause, and goes on where it was", func(t *testing.T) {
		s := setup(t, ramp(t, 8000, 24000), 8000)
		s.Play()
		s.play(200 * time.Millisecond)
		s.Pause()
		at := s.Position()
		s.clock.move(time.Hour)
		if s.State() != Paused || s.Position() != at {
			t.Errorf("%v at %v, want a pause at %v", s.State(), s.Position(), at)
		}
		s.until("silence", func() bool { return !s.tape.playing() })
		s.Play()
		s.play(200 * time.Millisecond)
		frames := s.tape.frames()
		if got := heardAt(frames[len(frames)-1]); got != len(frames)-1 {
			t.Errorf("the last of %d frames is sample %d", len(frames), got)
		}
	})
	t.Run("what the output holds is not heard yet", func(t *testing.T) {
		s := setup(t, ramp(t, 8000, 24000), 8000)
		s.Play()
		s.ready(1600)
		s.tape.ask(1600, 1200)
		s.clock.move(20 * time.Millisecond)
		s.until("it was noticed", func() bool { return s.Position() > 0 })
		if got := s.Position(); got > 50*time.Millisecond+ahead {
			t.Errorf("position %v, of which 50 ms were heard", got)
		}
	})
}

func TestSeeking(t *testing.T) {
	t.Run("is heard from there", func(t *testing.T) {
		s := setup(t, ramp(t, 8000, 24000), 8000)
		s.Play()
		s.play(100 * time.Millisecond)
		s.tape.ask(800, 800) // waits in the output
		s.Seek(2 * time.Second)
		if got := s.Position(); got != 2*time.Second {
			t.Errorf("position %v at once", got)
		}
		before := len(s.tape.frames())
		s.play(100 * time.Millisecond)
		for i, f := range s.tape.frames()[before+200:] {
			if heardAt(f) < 16000 {
				t.Fatalf("%d frames after the jump there is sample %d", i+200, heardAt(f))
			}
		}
		if got := s.Position(); !near(got, 2100*time.Millisecond) {
			t.Errorf("position %v", got)
		}
	})
	t.Run("beyond the end is the end, before the start the start", func(t *testing.T) {
		s := setup(t, ramp(t, 8000, 8000), 8000)
		s.Seek(time.Hour)
		if s.Position() != time.Second {
			t.Errorf("position %v", s.Position())
		}
		s.Seek(-time.Hour)
		if s.Position() != 0 {
			t.Errorf("position %v", s.Position())
		}
	})
}

func TestALoopGoesRound(t *testing.T) {
	s := setup(t, ramp(t, 8000, 24000), 8000)
	s.Loop(time.Second, 1200*time.Millisecond)
	s.Play()
	s.play(time.Second)
	frames := s.tape.frames()
	for i, f := range frames[200:] {
		if want := 8000 + (i+200)%1600; heardAt(f) != want {
			t.Fatalf("frame %d is sample %d, want %d", i+200, heardAt(f), want)
		}
	}
	if got := s.Position(); got < time.Second || got > 1200*time.Millisecond {
		t.Errorf("position %v", got)
	}
	s.Loop(0, 0)
	s.play(400 * time.Millisecond)
	if got := s.Position(); got < 1300*time.Millisecond {
		t.Errorf("position %v without the loop", got)
	}
}

func TestVolume(t *testing.T) {
	s := setup(t, opened(t, soundtest.Mono(8000, soundtest.Tone(8000, 400, 2, 1)...)), 8000)
	s.SetVolume(0.25)
	s.Play()
	s.play(300 * time.Millisecond)
	loudest := func(from int) (loud float32) {
		for _, f := range s.tape.frames()[from:] {
			loud = max(loud, f[0])
		}
		return loud
	}
	if loud := loudest(400); loud < 0.2 || loud > 0.26 {
		t.Errorf("the loudest sample is %v at a volume of a quarter", loud)
	}
	s.SetVolume(7)
	s.play(200 * time.Millisecond)
	before := len(s.tape.frames())
	s.play(300 * time.Millisecond)
	if loud := loudest(before); loud < 0.8 || loud > 1 {
		t.Errorf("the loudest sample is %v at the full volume", loud)
	}
}

func TestAComputerWithoutSoundIsSaidWithinTwoSeconds(t *testing.T) {
	fails := func(t *testing.T, s *fixture, why string) {
		t.Helper()
		var moved time.Duration
		s.until("it is said", func() bool {
			if s.State() != Failed && moved < 1990*time.Millisecond {
				s.clock.move(5 * time.Millisecond)
				moved += 5 * time.Millisecond
				for range 50 {
					s.State() // lets the player see the time pass
				}
			}
			return s.State() == Failed
		})
		var silent *Silent
		if !errors.As(s.Err(), &silent) || !strings.HasPrefix(silent.Sentence(), "This computer can't play sound: ") || !strings.Contains(silent.Sentence(), why) {
			t.Errorf("error %v, want %q in it", s.Err(), why)
		}
		if s.tape.playing() {
			t.Error("it still plays")
		}
	}
	t.Run("the device takes nothing", func(t *testing.T) {
		s := setup(t, ramp(t, 8000, 24000), 8000)
		s.Seek(time.Second)
		s.Play()
		s.until("it plays", s.tape.playing)
		fails(t, s, "accepts no sound")
		if s.Position() != time.Second {
			t.Errorf("position %v", s.Position())
		}
		t.Run("and another try may go well", func(t *testing.T) {
			s.Play()
			s.play(100 * time.Millisecond)
			if s.State() != Playing || s.Err() != nil || !near(s.Position(), 1100*time.Millisecond) {
				t.Errorf("%v, %v, %v", s.State(), s.Err(), s.Position())
			}
		})
	})
	t.Run("the device fills its buffer and takes no more", func(t *testing.T) {
		s := setup(t, ramp(t, 8000, 24000), 8000)
		s.Play()
		s.ready(800)
		s.tape.ask(800, 800)
		fails(t, s, "accepts no sound")
		if s.Position() != 0 {
			t.Errorf("position %v, though nothing was heard", s.Position())
		}
	})
	t.Run("it stops in the middle", func(t *testing.T) {
		s := setup(t, ramp(t, 8000, 24000), 8000)
		s.Play()
		s.play(200 * time.Millisecond)
		fails(t, s, "accepts no sound")
	})
	t.Run("there is no device", func(t *testing.T) {
		s := setup(t, ramp(t, 8000, 24000), 8000)
		s.tape.opens = func(context.Context) error { return errors.New("no such device") }
		s.Play()
		s.until("it is said", func() bool { return s.State() == Failed })
		fails(t, s, "can't be opened")
	})
	t.Run("the device never answers", func(t *testing.T) {
		s := setup(t, ramp(t, 8000, 24000), 8000)
		opening := make(chan struct{})
		s.tape.opens = func(ctx context.Context) error { close(opening); <-ctx.Done(); return ctx.Err() }
		s.Play()
		<-opening
		fails(t, s, "does not answer")
	})
	t.Run("the device breaks", func(t *testing.T) {
		s := setup(t, ramp(t, 8000, 24000), 8000)
		s.Play()
		s.play(100 * time.Millisecond)
		s.tape.mu.Lock()
		s.tape.broken = errors.New("unplugged")
		s.tape.mu.Unlock()
		fails(t, s, "has failed")
	})
}

func TestDamageOnTheWayStopsWithASentence(t *testing.T) {
	data, err := os.ReadFile("../../client/media/sound/testdata/tone.flac")
	assert.NoError(t, err)
	for i := 10_500; i < 10_600; i++ { // within the third of its five frames
		data[i] ^= 0x55
	}
	s := setup(t, opened(t, data), 8000)
	s.Play()
	s.until("it plays", s.tape.playing)
	s.until("it is said", func() bool {
		s.tape.ask(160, 0)
		s.clock.move(20 * time.Millisecond)
		return s.State() == Failed
	})
	var unreadable *sound.Unreadable
	if !errors.As(s.Err(), &unreadable) {
		t.Errorf("error %v", s.Err())
	}
}

func TestClosing(t *testing.T) {
	t.Run("releases the output, and no call comes after it", func(t *testing.T) {
		s := setup(t, ramp(t, 8000, 24000), 8000)
		s.Play()
		s.play(100 * time.Millisecond)
		s.Close()
		for len(s.calls) > 0 {
			<-s.calls
		}
		s.Seek(time.Second)
		s.Close()
		if s.tape.closed != 1 || len(s.calls) != 0 {
			t.Errorf("closed %d times, %d calls", s.tape.closed, len(s.calls))
		}
	})
	t.Run("does not wait for a device that does not answer", func(t *testing.T) {
		s := setup(t, ramp(t, 8000, 24000), 8000)
		opening := make(chan struct{})
		s.tape.opens = func(ctx context.Context) error { close(opening); <-ctx.Done(); return nil }
		s.Play()
		<-opening
		s.Close()
		if s.tape.closed != 1 {
			t.Errorf("a voice that came too late was closed %d times", s.tape.closed)
		}
	})
}
