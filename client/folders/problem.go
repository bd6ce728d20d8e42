package folders

import (
	"context"
	"errors"
	"path/filepath"

	"assay/client/i18n"
	"assay/client/plain"
)

// Problem is why a folder can't be watched or changed as asked.
type Problem struct {
	Text string // a sentence for the person
	Err  error
}

// Error implements error.
func (p *Problem) Error() string { return p.Text }

// Unwrap gives what is behind it.
func (p *Problem) Unwrap() error { return p.Err }

// Sentence is what a person reads of it.
func (p *Problem) Sentence() string { return p.Text }

// problemOf makes a *Problem of an error that has a sentence, and of any other with the words given. A context's end stays what
// it is, and so does nil.
func problemOf(err error, otherwise string) error {
	var spoken interface{ Sentence() string }
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &spoken):
		return &Problem{Text: translated(err, spoken.Sentence()), Err: err}
	}
	return &Problem{Text: otherwise, Err: err}
}

// sentenceOf is what a person reads of an error.
func sentenceOf(err error, otherwise string) string {
	var spoken interface{ Sentence() string }
	if errors.As(err, &spoken) {
		return translated(err, spoken.Sentence())
	}
	return otherwise
}

// shown is a folder's or file's path as it stands in a sentence.
func shown(path string) string { return quoted(filepath.Clean(path)) }

// quoted is what a person typed, as it stands in a sentence.
func quoted(text string) string { return i18n.F("“%s”", plain.From(text).String()) }
