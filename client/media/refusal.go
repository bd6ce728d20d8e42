package media

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"assay/client"
	"assay/client/i18n"
)

// Code is why a file is refused. Its text is stable: it may be stored and compared.
type Code string

// The codes: reasons to refuse a file before any request.
const (
	Missing     Code = "missing"     // nothing is there, or a link leads nowhere
	Unreadable  Code = "unreadable"  // not allowed, or the disk fails
	Folder      Code = "folder"      // a folder, not a file
	Special     Code = "special"     // a pipe, a device or a socket
	Unsupported Code = "unsupported" // an extension that the service does not take
	Empty       Code = "empty"       // not one byte
	TooLarge    Code = "too-large"   // over the cap of its media type
)

// Refusal is the error for a file that cannot be sent as it is. Its text is one or two full sentences for the person.
type Refusal struct {
	Code Code
	Path string
	Type client.MediaType // for TooLarge
	Size int64            // in bytes, for TooLarge
	Cap  int64            // in bytes, for TooLarge: the cap in force
	Err  error            // of the operating system; may be nil
}

// Error is the message in the language of the moment.
func (r *Refusal) Error() string { return r.UserMessage().String() }

// UserMessage is the message for the person.
func (r *Refusal) UserMessage() i18n.Message {
	switch r.Code {
	case Missing:
		return i18n.M("This file is not there: it was moved, renamed or deleted.")
	case Folder:
		return i18n.M("This is a folder: choose the files inside it.")
	case Special:
		return i18n.M("This is a pipe, a device or a socket, not a file.")
	case Unsupported:
		return i18n.M("Files of this type can't be checked. The service takes: %s.", strings.Join(Supported(), ", "))
	case Empty:
		return i18n.M("This file is empty.")
	case TooLarge:
		return r.tooLarge()
	}
	if errors.Is(r.Err, fs.ErrPermission) {
		return i18n.M("This file can't be read: its owner has not allowed it.")
	}
	return i18n.M("This file can't be read: %s.", cause(r.Err))
}

// Unwrap returns the operating system's error, which may be nil.
func (r *Refusal) Unwrap() error { return r.Err }

func (r *Refusal) tooLarge() i18n.Message {
	size, most := i18n.SizeMessage(r.Size), i18n.SizeMessage(r.Cap)
	if size.String() == most.String() { // rounded, the sizes look the same
		size, most = i18n.BytesMessage(r.Size), i18n.M("%s (%s)", most, i18n.BytesMessage(r.Cap))
	}
	switch r.Type {
	case client.Image:
		return i18n.M("This picture is %s; the service takes pictures up to %s.", size, most)
	case client.Audio:
		return i18n.M("This recording is %s; the service takes recordings up to %s.", size, most)
	case client.Video:
		return i18n.M("This video is %s; the service takes videos up to %s. Cut out the part that matters, and add that.", size, most)
	}
	return i18n.M("This text is %s; the service takes texts up to %s.", size, most)
}

// cause is the operating system's reason without the path, which the row shows already.
func cause(err error) i18n.Message {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if err == nil {
		return i18n.M("no reason was given")
	}
	return i18n.Verbatim(strings.TrimSuffix(err.Error(), "."))
}

// refusalFor makes a Refusal of the operating system's error for a path.
func refusalFor(path string, err error) *Refusal {
	// ENOTDIR: a part of the path that used to be a folder is not one any more.
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return &Refusal{Code: Missing, Path: path, Err: err}
	}
	return &Refusal{Code: Unreadable, Path: path, Err: err}
}
