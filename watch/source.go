package watch

import "errors"

// hint is what an event of the system says of a path: a reason to look there, never more.
type hint struct {
	path string // absolute; "" with overflow
	kind hintKind
}

type hintKind uint8

const (
	changed  hintKind = iota // something is new or other there, file or folder
	closed                   // a writer has closed the file
	arrived                  // a file or folder was renamed to this
	left                     // it is there no more
	overflow                 // events were lost: look everywhere
	// dead: this folder, added before, is watched no more, nor are those below it: removed, renamed or unmounted, or another
	// stands under its name now. Look at it again: what is there has to be added anew.
	dead
)

// source gives hints of folders, not of those in them: those are added one by one. Its methods are safe on any goroutine.
type source interface {
	// add begins to watch a folder; what happens after it has returned gives a hint. It may block for as long as the disk does
	// not answer, and holds up nobody else meanwhile. Adding one that is watched changes nothing: one remove ends it.
	// errNoRoom: the system's limit is reached; errNoEvents: no events come from there.
	add(dir string) error
	// remove ends it; it does nothing where the folder is not watched. Hints that are under way may still come.
	remove(dir string)
	// closes reports whether a hint of kind closed comes when a file's writer closes it.
	closes() bool
	// close ends all and waits until emit is called no more; emit must not call it.
	close() error
}

// newSource opens a source, which calls emit for each hint, on a goroutine of its own that reads the system's queue and does
// nothing else: emit must return at once.
type newSource func(emit func(hint)) (source, error)

// Both may be wrapped.
var (
	errNoRoom   = errors.New("the system watches no more folders")
	errNoEvents = errors.New("the system tells of no changes there")
)
