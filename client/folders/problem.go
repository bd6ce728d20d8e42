package folders

import (
	"context"
	"errors"
	"path/filepath"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/watch"
)

// Problem is why a folder can't be watched or changed as asked.
type Problem struct {
	Message i18n.Message
	Err     error
}

// Error implements error.
func (p *Problem) Error() string { return p.Message.String() }

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// UserMessage is what the person reads.
func (p *Problem) UserMessage() i18n.Message { return p.Message }

// problemOf makes a *Problem of an error: with its own message if it has one, else with otherwise. nil and the error of an ended context are
// returned as they are.
func problemOf(err error, otherwise i18n.Message) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &Problem{Message: messageOf(err, otherwise), Err: err}
}

// messageOf is what the person reads of an error, and otherwise where it has no message of its own.
func messageOf(err error, otherwise i18n.Message) i18n.Message {
	var own *Problem
	var watched *watch.Problem
	switch {
	case errors.As(err, &own):
		return own.Message
	case errors.As(err, &watched):
		return watchMessage(watched)
	}
	return i18n.MessageOf(err, otherwise)
}

// CaseGone is the problem of a folder whose case is not there any more.
var CaseGone = i18n.M("The case for its files is gone. New files are in the inbox alone: choose another case for the folder, or none.")

// shown is a path as it is quoted in a sentence.
func shown(path string) i18n.Message { return quoted(filepath.Clean(path)) }

// quoted is a text that the person typed, as it is quoted in a sentence.
func quoted(text string) i18n.Message { return i18n.M("“%s”", plain.From(text)) }

// watchMessage is what the person reads of a problem of the watcher, which does not import i18n.
func watchMessage(p *watch.Problem) i18n.Message {
	//nolint:errorlint // it is one of these itself, and never wrapped
	switch p.Kind {
	case watch.ErrNoFolder:
		return i18n.M("This folder does not exist. It may have been moved or renamed, or its disk is not connected.")
	case watch.ErrNotFolder:
		return i18n.M("This is a file, not a folder.")
	case watch.ErrOwnFolder:
		return i18n.M("Assay keeps its own files in this folder. Choose another one.")
	case watch.ErrNoAccess:
		return i18n.M("You are not allowed to read this folder. Ask its owner, or choose another one.")
	case watch.ErrNotAnswering:
		return i18n.M("The disk or share with this folder does not answer. Check that it is connected.")
	case watch.ErrBadPattern:
		return i18n.M("The pattern %s can't be used. Write it like *.jpg or scan-*.", quoted(p.Pattern))
	case watch.ErrWatchLimit:
		return i18n.M("This computer can't watch more folders at once. Assay looks for new files every few seconds instead.")
	case watch.ErrNoEvents:
		return i18n.M("This disk does not report new files. Assay looks for them every few seconds instead.")
	case watch.ErrNotWritten:
		return i18n.M("New files wait: Assay can't save its list of this folder's files at the moment.")
	case watch.ErrNotTaken:
		return i18n.M("New files wait: Assay can't add them at the moment. It tries again.")
	case watch.ErrFilesUnread:
		if p.Files == 1 {
			return i18n.M("One file can't be read. Another program may have it open, or you may not read it. Assay tries again.")
		}
		return i18n.MN(p.Files, "%s file can't be read. Other programs may have it open, or you may not read it. Assay tries again.",
			"%s files can't be read. Other programs may have them open, or you may not read them. Assay tries again.")
	}
	return i18n.M("This folder can't be read: its disk reports an error.")
}
