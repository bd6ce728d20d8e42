package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"assay/client/durable"
	"assay/client/i18n"
	"assay/client/submission"
)

// The kinds of the store's errors, for errors.Is. After ErrFull and ErrIO the store works again as soon as the disk does.
var (
	ErrFull     = errors.New("the disk is full")
	ErrIO       = errors.New("the disk cannot be read or written")
	ErrDamaged  = errors.New("the file is damaged")
	ErrNewer    = errors.New("the file was made by a newer Assay")
	ErrReadOnly = errors.New("the file was made by a newer Assay and is only read")
	ErrUnknown  = errors.New("there is no such submission")
	ErrNoFolder = errors.New("the folder is not watched")
	ErrNoCase   = submission.ErrNoCase // the queue tells it from a fault of the disk
	ErrNoDesk   = errors.New("this computer has joined no desk")
	// ErrNeverShared is for what never leaves this computer.
	ErrNeverShared = errors.New("it never leaves this computer")
	// ErrNoOriginal is for a file that can't be shared: see ShareOriginal.
	ErrNoOriginal = errors.New("the file can't be shared")
	// ErrOnlyReads is for what a member does not do whose role is reader.
	ErrOnlyReads  = errors.New("the member only reads at the desk")
	ErrNoQuestion = errors.New("there is no such question")
	// ErrNoDay is for a day that is none.
	ErrNoDay = errors.New("there is no such day")
	// The next are of sign-offs: see SignOff and ChangeCase.
	ErrNotShared    = errors.New("the case is not shared")
	ErrNoJudgement  = errors.New("there is no such judgement")
	ErrOwnJudgement = errors.New("it is one's own judgement")
	ErrNotOwner     = errors.New("only the case's owner chooses that")
	ErrNoReviewer   = errors.New("only reviewers sign off")
	ErrNotAsSeen    = errors.New("the judgement or its result is not what was seen")
	ErrNotSignedOff = errors.New("a judgement is not signed off")
	// The next are of what is removed for everybody: see MayRedact.
	ErrNoEntry     = errors.New("there is no such entry")
	ErrNothingSaid = errors.New("the entry shares nothing")
	ErrNotYours    = errors.New("only its author and the owner of the case remove it")
	ErrKept        = errors.New("what has an answer, is under way or is shown by another is not removed")
	ErrClosed      = errors.New("the store is closed")
)

// Error is a failure of the store. It holds nothing of what was to be stored.
type Error struct {
	Op      string       // what was tried, such as "keep the submission"
	Message i18n.Message // one or two sentences for the person, with what they can do
	Kind    error        // one of the errors above, nil for none of them
	Err     error        // the cause, nil where Kind says it all
}

func (e *Error) Error() string {
	text := e.Op + ": " + e.Sentence()
	if e.Err != nil {
		text += " (" + e.Err.Error() + ")"
	}
	return text
}

// UserMessage is the message for the person.
func (e *Error) UserMessage() i18n.Message { return e.Message }

// Sentence is the message in the language of the moment.
func (e *Error) Sentence() string { return e.Message.String() }

// Unwrap lets errors.Is find the kind and the cause.
func (e *Error) Unwrap() []error {
	var causes []error
	for _, cause := range []error{e.Kind, e.Err} {
		if cause != nil {
			causes = append(causes, cause)
		}
	}
	return causes
}

// Refused is the error of an operation for one of the kinds above, with its sentence.
func Refused(op string, kind error) error { return failure(op, kind) }

// failure makes an *Error of any error, nil of nil. The error of an ended context is returned as it is.
func failure(op string, err error) error {
	var already *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &already):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	e := &Error{Op: op, Kind: kindOf(err), Err: err}
	if e.Kind == err { //nolint:errorlint // the kind itself: its text need not come twice
		e.Err = nil
	}
	e.Message = sentences[e.Kind]
	if newer := (*Newer)(nil); errors.As(err, &newer) {
		e.Message = newer.UserMessage()
	}
	return e
}

// kindOf is the kind of an error of SQLite or of the system.
func kindOf(err error) error {
	for _, kind := range []error{ErrFull, ErrIO, ErrDamaged, ErrNewer, ErrReadOnly, ErrUnknown, ErrNoFolder, ErrNoCase, ErrNoDesk, ErrNeverShared, ErrNoOriginal, ErrOnlyReads, ErrNoQuestion, ErrNoDay,
		ErrNotShared, ErrNoJudgement, ErrOwnJudgement, ErrNoReviewer, ErrNotAsSeen, ErrNotSignedOff, ErrNoEntry, ErrNothingSaid, ErrNotYours, ErrNotOwner, ErrKept, ErrClosed} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	var database *sqlite.Error
	if errors.As(err, &database) {
		switch code := database.Code(); {
		case code == sqlite3.SQLITE_IOERR_SHORT_READ:
			return ErrDamaged
		case code&0xff == sqlite3.SQLITE_FULL, code == sqlite3.SQLITE_IOERR_SHMSIZE: // no room for a few KB beside the file
			return ErrFull
		case code&0xff == sqlite3.SQLITE_CORRUPT, code&0xff == sqlite3.SQLITE_NOTADB:
			return ErrDamaged
		case code&0xff == sqlite3.SQLITE_IOERR, code&0xff == sqlite3.SQLITE_CANTOPEN, code&0xff == sqlite3.SQLITE_READONLY,
			code&0xff == sqlite3.SQLITE_PERM:
			return ErrIO
		}
		return nil
	}
	var system *os.PathError
	var link *os.LinkError
	switch {
	case durable.IsFull(err):
		return ErrFull
	case errors.Is(err, sql.ErrConnDone), strings.Contains(err.Error(), "database is closed"):
		return ErrClosed
	case errors.As(err, &system), errors.As(err, &link), errors.Is(err, fs.ErrPermission):
		return ErrIO
	}
	return nil
}

// sentences are the messages of each kind for the person.
var sentences = map[error]i18n.Message{
	nil:             i18n.M("Something unexpected went wrong with Assay's history."),
	ErrFull:         i18n.M("The disk with Assay's folder is full. Free some space. Assay then goes on by itself."),
	ErrIO:           i18n.M("Assay can't read or write its folder. Check that the disk is connected and that you may write to the folder."),
	ErrDamaged:      i18n.M("Assay's history is damaged. Start Assay again: it sets the damaged file aside and begins a new one."),
	ErrNewer:        i18n.M("Assay's history was made by a newer Assay. Install that version again; nothing in the file was changed."),
	ErrReadOnly:     i18n.M("Assay's history was made by a newer Assay. This version can show and export it, but changes nothing. Install the newer version to go on."),
	ErrUnknown:      i18n.M("There is no such submission."),
	ErrNoFolder:     i18n.M("This folder is not watched any more."),
	ErrNoCase:       i18n.M("There is no such case."),
	ErrNoDesk:       i18n.M("Join a desk first, under Settings → Desk."),
	ErrNoOriginal:   i18n.M("Only the file of a result that you have shared in the case can be shared, and only with the service's answer. Share that first."),
	ErrNeverShared:  i18n.M("This never leaves your computer, so it can't be shared."),
	ErrOnlyReads:    i18n.M("You can read at the desk, but not share cases. Ask your IT for another role."),
	ErrNoQuestion:   i18n.M("There is no such question in the case."),
	ErrNoDay:        i18n.M("There is no such day. Write it as year, month and day: 2026-11-27."),
	ErrNotShared:    i18n.M("Share the case with the desk first."),
	ErrNoJudgement:  i18n.M("There is no such judgement in the case."),
	ErrOwnJudgement: i18n.M("This is your own judgement. A second person has to sign it off."),
	ErrNotOwner:     i18n.M("Only the owner of a case can choose for how long the desk keeps it."),
	ErrNoReviewer:   i18n.M("You can't sign off in this case: only reviewers can. Ask the owner of the case, or the desk's admin, to make you one."),
	ErrNotAsSeen:    i18n.M("The judgement or the answer has changed since you looked. Look at it again before you sign off."),
	ErrNotSignedOff: i18n.M("This case can't be concluded yet: a second person has to sign off every judgement in it."),
	ErrNoEntry:      i18n.M("There is no such entry in the case. assay case show --json lists the entries."),
	ErrNothingSaid:  i18n.M("There is nothing in this entry to remove: it was removed already, or the desk never had it."),
	ErrNotYours:     i18n.M("Only who wrote this, and the owner of the case, can have it removed. Ask one of them."),
	ErrKept:         i18n.M("This can't be removed: it has an answer, is being sent, or another one shows its answer."),
	ErrClosed:       i18n.M("Assay is closing."),
}
