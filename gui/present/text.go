// Package present holds what several view models share, and the view model of the viewer: what is shown, in which words and order. It has no side
// effects: it imports the packages of client and never the toolkit, and nothing in it blocks.
package present

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/client/explain"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/submission"
)

// Joined joins the parts of a detail that are not empty.
func Joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " · ")
}

// OfThing is the sentence for a file or for a link.
func OfThing(s submission.Submission, file, link i18n.Key) string {
	if s.Link != "" {
		return i18n.T(link)
	}
	return i18n.T(file)
}

// SourceText says where a submission came from. folder is a watched folder's path, "" where that is not known.
func SourceText(s submission.Source, folder string) string {
	switch s {
	case submission.Watched:
		return i18n.F("from %s", FolderName(folder))
	case submission.Dropped:
		return i18n.T("dropped")
	case submission.Chosen:
		return i18n.T("chosen")
	case submission.Pasted:
		return i18n.T("pasted")
	case submission.Started:
		return i18n.T("opened")
	case submission.Scanned:
		return i18n.T("from the command line")
	case submission.Service:
		return i18n.T("another device")
	case submission.Desk:
		return i18n.T("from a colleague")
	}
	return string(s)
}

// folderNameMost is how many characters of a folder's name are shown.
const folderNameMost = 32

// FolderName is a short name of a watched folder: the last part of its path, safe to show.
func FolderName(path string) string {
	if path == "" {
		return i18n.T("a watched folder")
	}
	name := []rune(plain.From(filepath.Base(path)).String())
	if len(name) > folderNameMost {
		name = append(name[:folderNameMost-1], '…')
	}
	return string(name)
}

// PastTime says when something was: by its age on the same day, then "Yesterday" with its time, and a date from two days
// on. Days are those of now's time zone.
func PastTime(at, now time.Time) string {
	if at.IsZero() {
		return i18n.T("at an unknown time")
	}
	at = at.In(now.Location())
	age := now.Sub(at)
	switch day := daysBetween(at, now); {
	case day == 0 && age < 0:
		return i18n.T("now") // the clocks differ a little
	case day == 0:
		return ago(age)
	case day == 1:
		return i18n.F("Yesterday, %s", i18n.Clock(at))
	}
	return i18n.DayTime(at, now)
}

// dateTime is a date with its time of day, and with its year where that is not the present one.
func dateTime(at, now time.Time) string { return i18n.DayTime(at, now) }

// daysBetween counts midnights; both times are in one zone.
func daysBetween(from, to time.Time) int {
	day := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC) }
	return int(day(to).Sub(day(from)) / (24 * time.Hour))
}

func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return i18n.T("now")
	case d < 90*time.Second:
		return i18n.T("1 min ago") // seconds do not matter for the past
	}
	return i18n.F("%s ago", i18n.Wait(d))
}

// PlainPath is a path without characters that could mislead.
func PlainPath(path string) string {
	if path == "" {
		return ""
	}
	return plain.From(path).String()
}

// Languages are the languages that Assay speaks, by code and in their own names.
func Languages() (codes, names []string) {
	for _, name := range i18n.All() {
		codes, names = append(codes, name.Code), append(names, name.Text)
	}
	return codes, names
}

// Action is an action that a row offers.
type Action string

// The actions. Retry takes a cancellation back.
const (
	Open          Action = "open"
	Retry         Action = "retry"
	Cancel        Action = "cancel"
	Remove        Action = "remove"
	Pause         Action = "pause"
	Resume        Action = "resume"
	ScanAgain     Action = "scan-again"
	MarkGraphic   Action = "mark-graphic"   // covers its picture until somebody wants to see it
	UnmarkGraphic Action = "unmark-graphic" // takes that away
	Report        Action = "report"         // opens the sheet in which a report is made
	Recheck       Action = "recheck"        // opens the sheet that says what it would use to scan many again
	AddToCase     Action = "add-to-case"    // asks for the case
	Judge         Action = "judge"          // asks for one judgement of many
	Annotate      Action = "annotate"       // asks for a note for many
	TagResults    Action = "tag"            // asks for their tags
	Approve       Action = "allow"          // opens the sheet that shows what would be sent, and how
	Withhold      Action = "withhold"       // keeps it on this computer; Approve takes that back
	SendCopy      Action = "send-copy"      // makes a copy in a format that the service takes, and sends it
	TakeOver      Action = "take-over"      // uses a colleague's answer, and sends nothing
	SendAnyway    Action = "send-anyway"    // sends what a colleague has checked, without the sheet
	OpenCase      Action = "open-case"      // shows the case in which a colleague shared its answer
	AlwaysCopy    Action = "always-copy"    // SendCopy, now and for all that come
)

// Shortcut is one line of the list of keys.
type Shortcut struct {
	Keys string // as a person reads them: "Space", "[ ]", "Ctrl+S"
	Does string // "Play or pause"
}

// Option is one of a few choices, with what it means.
type Option struct{ Words, Means string }

// Problem says in a sentence why something can't be shown.
func Problem(err error) string {
	var file *fs.PathError
	switch own := i18n.MessageOf(err, i18n.Message{}); {
	case !own.IsZero():
		return own.String()
	case errors.Is(err, explain.ErrNoText):
		return i18n.T("The file contains no text.")
	case errors.Is(err, os.ErrNotExist):
		return i18n.T("The file is no longer where it was.")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return i18n.T("The file is cut off.")
	case errors.Is(err, os.ErrPermission):
		return i18n.T("Assay is not allowed to read the file.")
	case errors.As(err, &file):
		return i18n.F("The disk answered: %s.", file.Err.Error()) // without the path, which may be one of Assay's own
	}
	return plain.From(err.Error()).String() // the errors of decoders and of files are sentences
}

// Lasting reports whether an error will never pass, so that trying again is no help.
func Lasting(err error) bool {
	var lasting interface {
		error
		Lasting() bool
	}
	return errors.As(err, &lasting) && lasting.Lasting()
}
