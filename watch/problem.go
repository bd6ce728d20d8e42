package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"unicode"
)

// The kinds of Problem.
var (
	ErrNoFolder     = errors.New("there is no such folder")
	ErrNotFolder    = errors.New("it is not a folder")
	ErrOwnFolder    = errors.New("the app keeps its own files there")
	ErrNoAccess     = errors.New("it must not be read")
	ErrUnreadable   = errors.New("it can't be read")
	ErrNotAnswering = errors.New("its disk does not answer")
	ErrBadPattern   = errors.New("malformed pattern")
	ErrWatchLimit   = errors.New("the system's limit of watched folders is reached")
	ErrNoEvents     = errors.New("the system tells of no changes there")
)

// Problem is why a folder can't be watched, or not fully.
type Problem struct {
	Kind    error  // one of those above
	Path    string // of the folder
	Pattern string // with ErrBadPattern
	Err     error  // the system's; nil: none
}

// Error implements error.
func (p *Problem) Error() string {
	text := p.Kind.Error()
	if p.Pattern != "" {
		text += " " + p.Pattern
	}
	if p.Path != "" {
		text = p.Path + ": " + text
	}
	if p.Err != nil {
		text += ": " + p.Err.Error()
	}
	return text
}

// Unwrap returns the kind and the system's error.
func (p *Problem) Unwrap() []error {
	if p.Err == nil {
		return []error{p.Kind}
	}
	return []error{p.Kind, p.Err}
}

var sentences = map[error]string{
	ErrNoFolder:     "This folder does not exist. It may have been moved or renamed, or its disk is not connected.",
	ErrNotFolder:    "This is a file, not a folder.",
	ErrOwnFolder:    "Assay keeps its own files in this folder. Choose another one.",
	ErrNoAccess:     "You are not allowed to read this folder. Ask its owner, or choose another one.",
	ErrUnreadable:   "This folder can't be read: its disk reports an error.",
	ErrNotAnswering: "The disk or share with this folder does not answer. Check that it is connected.",
	ErrWatchLimit:   "This computer watches no more folders at once. New files are looked for every few seconds instead.",
	ErrNoEvents:     "This disk does not tell of new files. They are looked for every few seconds instead.",
}

// Sentence is what the person reads. It is shown beside the folder's path, and leaves that out.
func (p *Problem) Sentence() string {
	if errors.Is(p.Kind, ErrBadPattern) {
		return "The pattern “" + printable(p.Pattern) + "” can't be used. Write it like *.jpg or scan-*."
	}
	if sentence, ok := sentences[p.Kind]; ok {
		return sentence
	}
	return sentences[ErrUnreadable]
}

// printable is a text without characters that change direction or break the line.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// problemOf makes a Problem of a system's error for a folder. A *Problem is returned as it is.
func problemOf(path string, err error) *Problem {
	var known *Problem
	if errors.As(err, &known) {
		return known
	}
	p := &Problem{Kind: ErrUnreadable, Path: path, Err: err}
	switch {
	case errors.Is(err, errNoRoom):
		p.Kind = ErrWatchLimit
	case errors.Is(err, errNoEvents):
		p.Kind = ErrNoEvents
	case notAnswering(err):
		p.Kind = ErrNotAnswering
	case errors.Is(err, syscall.ENOTDIR):
		p.Kind = ErrNotFolder
	case errors.Is(err, fs.ErrNotExist):
		p.Kind = ErrNoFolder
	case errors.Is(err, fs.ErrPermission):
		p.Kind = ErrNoAccess
	}
	return p
}

// memoryError wraps an error of Memory.
type memoryError struct{ err error }

func (e *memoryError) Error() string { return "memory of a watched folder: " + e.err.Error() }
func (e *memoryError) Unwrap() error { return e.err }

// Sentence is what the person reads.
func (e *memoryError) Sentence() string {
	return "New files wait: what was taken from this folder can't be written down at the moment."
}

// announceError wraps an error of Announce that has no sentence of its own.
type announceError struct{ err error }

func (e *announceError) Error() string { return "hand over files: " + e.err.Error() }
func (e *announceError) Unwrap() error { return e.err }

// Sentence is what the person reads.
func (e *announceError) Sentence() string {
	return "New files wait: they can't be taken over at the moment. It is tried again."
}

// unreadableError says that files could not be read several times.
type unreadableError struct {
	files int
	err   error // of one of them
}

func (e *unreadableError) Error() string {
	return fmt.Sprintf("%d files can't be read: %v", e.files, e.err)
}
func (e *unreadableError) Unwrap() error { return e.err }

// Sentence is what the person reads.
func (e *unreadableError) Sentence() string {
	if e.files == 1 {
		return "One file can't be read. Another program may hold it, or it must not be read. It is tried again."
	}
	return fmt.Sprintf("%d files can't be read. Other programs may hold them, or they must not be read. They are tried again.", e.files)
}
