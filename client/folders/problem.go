package folders

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/watch"
)

// Problem is why a folder can't be watched or changed as asked.
type Problem struct {
	Text string // a sentence for the person
	Err  error
}

// Error implements error.
func (p *Problem) Error() string { return p.Text }

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// Sentence is what the person reads.
func (p *Problem) Sentence() string { return p.Text }

// problemOf makes a *Problem of an error: with its own sentence if it has one, else with otherwise. nil and the error of an ended context are
// returned as they are.
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

// sentenceOf is what the person reads of an error.
func sentenceOf(err error, otherwise string) string {
	var spoken interface{ Sentence() string }
	if errors.As(err, &spoken) {
		return translated(err, spoken.Sentence())
	}
	return otherwise
}

// shown is a path as it is quoted in a sentence.
func shown(path string) string { return quoted(filepath.Clean(path)) }

// quoted is a text that the person typed, as it is quoted in a sentence.
func quoted(text string) string { return i18n.F("“%s”", plain.From(text).String()) }

// watchSentences are the sentences of package watch, which does not import i18n.
var watchSentences = []i18n.Key{
	"This folder does not exist. It may have been moved or renamed, or its disk is not connected.",
	"This is a file, not a folder.",
	"Assay keeps its own files in this folder. Choose another one.",
	"You are not allowed to read this folder. Ask its owner, or choose another one.",
	"This folder can't be read: its disk reports an error.",
	"The disk or share with this folder does not answer. Check that it is connected.",
	"This computer watches no more folders at once. New files are looked for every few seconds instead.",
	"This disk does not tell of new files. They are looked for every few seconds instead.",
	"New files wait: what was taken from this folder can't be written down at the moment.",
	"New files wait: they can't be taken over at the moment. It is tried again.",
	"One file can't be read. Another program may hold it, or it must not be read. It is tried again.",
}

// translated is an error's sentence in the person's language, if it is one of watch's; others are returned as they are.
func translated(err error, sentence string) string {
	for _, words := range watchSentences {
		if string(words) == sentence {
			return i18n.T(words)
		}
	}
	var problem *watch.Problem
	if errors.As(err, &problem) && errors.Is(problem.Kind, watch.ErrBadPattern) {
		return i18n.F("The pattern %s can't be used. Write it like *.jpg or scan-*.", quoted(problem.Pattern))
	}
	files := 0
	if _, err := fmt.Sscanf(sentence, "%d files can't be read.", &files); err == nil && files > 1 {
		return i18n.N(files, "%s file can't be read. Other programs may hold them, or they must not be read. They are tried again.",
			"%s files can't be read. Other programs may hold them, or they must not be read. They are tried again.")
	}
	return sentence
}
