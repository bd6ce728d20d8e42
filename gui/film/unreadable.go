package film

import "fmt"

// Unreadable is the error for a clip out of which no frame can be taken.
type Unreadable struct {
	Words string // a sentence for the person
	Cause error  // what ffmpeg said; may be nil
}

// Error gives the sentence and ffmpeg's words.
func (u *Unreadable) Error() string {
	if u.Cause == nil {
		return u.Words
	}
	return fmt.Sprintf("%s (%v)", u.Words, u.Cause)
}

// Unwrap gives ffmpeg's error.
func (u *Unreadable) Unwrap() error { return u.Cause }

// Sentence is for the person.
func (u *Unreadable) Sentence() string { return u.Words }
