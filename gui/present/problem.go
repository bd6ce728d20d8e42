package present

import (
	"errors"
	"io"
	"os"
)

// Problem says in a sentence why something can't be shown.
func Problem(err error) string {
	var said interface {
		error
		Sentence() string
	}
	switch {
	case errors.As(err, &said):
		return said.Sentence()
	case errors.Is(err, os.ErrNotExist):
		return "The file is no longer where it was."
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "The file breaks off before its end."
	}
	return err.Error() // the decoders' and the files' own errors are sentences
}

// Lasting reports whether something that can't be shown never will be, so that trying again is no help.
func Lasting(err error) bool {
	var lasting interface {
		error
		Lasting() bool
	}
	return errors.As(err, &lasting) && lasting.Lasting()
}
