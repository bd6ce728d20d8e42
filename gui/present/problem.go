package present

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"assay/client/explain"
	"assay/client/i18n"
	"assay/client/plain"
)

// Problem says in a sentence why something can't be shown.
func Problem(err error) string {
	var said interface {
		error
		Sentence() string
	}
	var file *fs.PathError
	switch {
	case errors.As(err, &said):
		return said.Sentence()
	case errors.Is(err, explain.ErrNoText):
		return i18n.T("There is no text in it.")
	case errors.Is(err, os.ErrNotExist):
		return i18n.T("The file is no longer where it was.")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return i18n.T("The file breaks off before its end.")
	case errors.Is(err, os.ErrPermission):
		return i18n.T("This computer does not allow Assay to use the file.")
	case errors.As(err, &file):
		return i18n.F("The disk answered: %s.", file.Err.Error()) // without the path, which may be one of Assay's own
	}
	return plain.From(err.Error()).String() // the decoders' and the files' own errors are sentences
}

// Lasting reports whether something that can't be shown never will be, so that trying again is no help.
func Lasting(err error) bool {
	var lasting interface {
		error
		Lasting() bool
	}
	return errors.As(err, &lasting) && lasting.Lasting()
}
