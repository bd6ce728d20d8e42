package player

import (
	"context"
	"fmt"

	"assay/client/i18n"
)

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
