package watch

import (
	"errors"
	"io/fs"
	"syscall"
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
	ErrNotWritten   = errors.New("what is known of its files can't be read or written") // Memory's error
	ErrNotTaken     = errors.New("its files are not taken over")                        // Announce's error
	ErrFilesUnread  = errors.New("files in it can't be read")
)

// Problem is why a folder can't be watched, or not fully.
type Problem struct {
	Kind    error  // one of those above
	Path    string // of the folder
	Pattern string // with ErrBadPattern
	Files   int    // with ErrFilesUnread: how many
	Err     error  // what is behind it; nil: nothing
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
