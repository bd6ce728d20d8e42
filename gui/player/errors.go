package player

import (
	"fmt"

	"assay/client/i18n"
)

// Unreadable is the error for what cannot be opened or decoded as a recording.
type Unreadable struct {
	Words string // a sentence for the person
	Cause error  // what the decoder said; may be nil
}

// Error gives the sentence and the decoder's words.
func (u *Unreadable) Error() string {
	if u.Cause == nil {
		return u.Words
	}
	return fmt.Sprintf("%s (%v)", u.Words, u.Cause)
}

// Unwrap gives the decoder's error.
func (u *Unreadable) Unwrap() error { return u.Cause }

// Sentence is for the person.
func (u *Unreadable) Sentence() string { return u.Words }

// NeedsFFmpeg is the error for a recording that only ffmpeg reads, where there is none.
type NeedsFFmpeg struct {
	Format string // as Recording.Format
	Cause  error
}

// Error gives the sentence.
func (n *NeedsFFmpeg) Error() string { return n.Sentence() }

// Unwrap gives the reason for which ffmpeg was not found.
func (n *NeedsFFmpeg) Unwrap() error { return n.Cause }

// Sentence is for the person.
func (n *NeedsFFmpeg) Sentence() string {
	return i18n.F("Assay plays %s recordings through ffmpeg, which is not installed on this computer.", n.Format)
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
