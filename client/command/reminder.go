package command

import "time"

// How often a person who waits is told what for.
const (
	remindTick  = 5 * time.Second  // how long a wait lasts before a word is said, and how often is looked whether one is due
	remindEvery = time.Minute      // between two words
	remindOften = 10               // after so many of them
	remindRare  = 10 * time.Minute // come so rarely
)

// reminder decides when it is said what is waited for. Its zero value has said nothing yet.
type reminder struct {
	cause string        // why all waited, as told last
	moved bool          // something came of the wait since it was looked at last
	told  bool          // a word was said
	since time.Duration // since then
	times int           // words, since something came of the wait
}

// ended notes that something came of the wait.
func (r *reminder) ended() { r.moved, r.times = true, 0 }

// said notes why all waits, where that was told at once.
func (r *reminder) said(cause string) { r.cause, r.told, r.since = cause, true, 0 }

// due is called each remindTick and reports whether it is time for a word. cause says why all waits, "" where it does not: when it
// changes, that is told without waiting for the time.
func (r *reminder) due(cause string) bool {
	every := remindEvery
	if r.times >= remindOften {
		every = remindRare
	}
	r.since += remindTick
	changed, moved := cause != "" && cause != r.cause, r.moved
	if r.moved = false; changed {
		r.cause = cause
	}
	if !changed && (moved || r.told && r.since < every) {
		return false
	}
	r.told, r.since = true, 0
	r.times++
	return true
}
