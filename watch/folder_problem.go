package watch

import "fmt"

// memoryError is Memory's.
type memoryError struct{ err error }

func (e *memoryError) Error() string { return "memory of a watched folder: " + e.err.Error() }
func (e *memoryError) Unwrap() error { return e.err }

// Sentence is what the person reads of it.
func (e *memoryError) Sentence() string {
	return "New files wait: what was taken from this folder can't be written down at the moment."
}

// handOverError is Announce's, where that has no sentence of its own.
type handOverError struct{ err error }

func (e *handOverError) Error() string { return "hand over files: " + e.err.Error() }
func (e *handOverError) Unwrap() error { return e.err }

// Sentence is what the person reads of it.
func (e *handOverError) Sentence() string {
	return "New files wait: they can't be taken over at the moment. It is tried again."
}

// unreadableError is of files that could not be read several times.
type unreadableError struct {
	files int
	err   error // of one of them
}

func (e *unreadableError) Error() string {
	return fmt.Sprintf("%d files can't be read: %v", e.files, e.err)
}
func (e *unreadableError) Unwrap() error { return e.err }

// Sentence is what the person reads of it.
func (e *unreadableError) Sentence() string {
	if e.files == 1 {
		return "One file can't be read. Another program may hold it, or it must not be read. It is tried again."
	}
	return fmt.Sprintf("%d files can't be read. Other programs may hold them, or they must not be read. They are tried again.", e.files)
}
