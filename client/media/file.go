// Package media knows a local file before it is sent: its kind, cap, the name it is sent under and its SHA-256.
// It may import the standard library, assay/client and assay/client/i18n; nothing else of Assay.
//
// Functions that touch the disk block, so they belong on workers. A dead network share may hold one of them for as long
// as the operating system does: ctx is looked at between system calls, not within.
package media

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
)

// File is a local file that may be sent, as it was when it was inspected.
type File struct {
	Path     string           // absolute
	Name     string           // its own name, safe on screen: see DisplayName
	SendName string           // the name that the service gets: see SendName
	Type     client.MediaType // by its extension
	Size     int64            // in bytes
	ModTime  time.Time        // keep all of its digits: Open compares them
	SHA256   string           // lower-case hex; "" until Hash was called, whose result belongs here
	Warning  i18n.Message     // a sentence to show before it is sent; usually none

	identity fs.FileInfo // for os.SameFile; nil in a File that was stored and read back
}

// Inspect looks at one path and says whether its file may be sent; where l is nil, the interface's own caps count. A link is followed. A
// file that may not be sent gives a *Refusal, whose text is for the person; an ended ctx gives its error. Nothing but a regular file is
// ever opened: a pipe would hang.
func (l Limits) Inspect(ctx context.Context, path string) (File, error) {
	return l.inspect(ctx, path, openFile)
}

func (l Limits) inspect(ctx context.Context, path string, open func(string) (*os.File, error)) (File, error) {
	if err := ctx.Err(); err != nil {
		return File{}, fmt.Errorf("inspect a file: %w", err)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return File{}, refusalFor(path, err)
	}
	info, err := os.Stat(absolute)
	if err != nil {
		return File{}, refusalFor(absolute, err)
	}
	if _, err := l.admit(absolute, info); err != nil {
		return File{}, err
	}
	if err := ctx.Err(); err != nil {
		return File{}, fmt.Errorf("inspect a file: %w", err)
	}

	// Whether it can be read is known for certain only by opening it; and what is open cannot be exchanged any more.
	opened, err := open(absolute)
	if err != nil {
		return File{}, refusalFor(absolute, err)
	}
	defer opened.Close() //nolint:errcheck // nothing was written
	if info, err = opened.Stat(); err != nil {
		return File{}, refusalFor(absolute, err)
	}
	mediaType, err := l.admit(absolute, info)
	if err != nil {
		return File{}, err
	}

	name := filepath.Base(absolute)
	file := File{
		Path: absolute, Name: plain.From(name).String(), SendName: sendName(name), Type: mediaType,
		Size: info.Size(), ModTime: info.ModTime(), identity: info,
	}
	if mediaType == client.Text {
		file.Warning = l.TextNotice(file.Size)
	}
	return file, nil
}

// admit decides by what is known without reading the file.
func (l Limits) admit(path string, info fs.FileInfo) (client.MediaType, error) {
	mediaType, supported := TypeOf(path)
	switch {
	case info.IsDir():
		return "", &Refusal{Code: Folder, Path: path}
	case !info.Mode().IsRegular():
		return "", &Refusal{Code: Special, Path: path}
	case !supported:
		return "", &Refusal{Code: Unsupported, Path: path}
	case info.Size() == 0:
		return "", &Refusal{Code: Empty, Path: path}
	case info.Size() > l.Cap(mediaType):
		return "", &Refusal{Code: TooLarge, Path: path, Type: mediaType, Size: info.Size(), Cap: l.Cap(mediaType)}
	}
	return mediaType, nil
}

// Open opens the file for reading if it is still the one that was inspected. Else it gives a *Changed, or a *Refusal
// where it is gone or cannot be read. The caller closes it.
func Open(f File) (*os.File, error) {
	opened, err := openFile(f.Path)
	if err != nil {
		return nil, refusalFor(f.Path, err)
	}
	if err := StillSame(f, opened); err != nil {
		opened.Close() //nolint:errcheck,gosec // nothing was written
		return nil, err
	}
	return opened, nil
}

// StillSame says whether the open file is the one that was inspected, and its size and time of change have stayed; else
// it gives a *Changed. Call it after hashing and after sending, too: the file may have changed meanwhile. A File that
// was stored and read back is compared by size and time alone.
func StillSame(f File, opened *os.File) error {
	info, err := opened.Stat()
	if err != nil {
		return refusalFor(f.Path, err)
	}
	return f.compare(info)
}

// compare gives a *Changed where info is not that of the file as it was inspected.
func (f File) compare(info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return &Changed{Path: f.Path, SizeWas: f.Size, TimeWas: f.ModTime, TimeIs: info.ModTime(), AnotherFileThere: true}
	}
	replaced := f.identity != nil && !os.SameFile(f.identity, info)
	if replaced || info.Size() != f.Size || !info.ModTime().Equal(f.ModTime) {
		return &Changed{
			Path: f.Path, SizeWas: f.Size, SizeIs: info.Size(), TimeWas: f.ModTime, TimeIs: info.ModTime(),
			AnotherFileThere: replaced,
		}
	}
	return nil
}

// Unchanged says whether the file that now stands at the path is the one that was inspected, without opening it: a
// *Changed where it is not, a *Refusal where it is gone. StillSame asks the same of a file that is still open.
func Unchanged(f File) error {
	info, err := os.Stat(f.Path)
	if err != nil {
		return refusalFor(f.Path, err)
	}
	return f.compare(info)
}

// Changed is the error for a file that is no longer the one that was inspected: it grew, was rewritten or was replaced.
// Its text is for the person.
type Changed struct {
	Path             string
	SizeWas, SizeIs  int64 // in bytes
	TimeWas, TimeIs  time.Time
	AnotherFileThere bool // another file took the path's place
}

// Error gives the sentences in the language of the moment.
func (c *Changed) Error() string { return c.UserMessage().String() }

// UserMessage gives the sentences.
func (c *Changed) UserMessage() i18n.Message {
	switch {
	case c.AnotherFileThere:
		return i18n.M("Another file has taken this one's place since it was added. Add it again to send the new one.")
	case c.SizeWas != c.SizeIs && SizeText(c.SizeWas) != SizeText(c.SizeIs):
		return i18n.M("This file has changed since it was added: it was %s and is %s now. Add it again to send what it holds now.",
			i18n.SizeMessage(c.SizeWas), i18n.SizeMessage(c.SizeIs))
	default:
		return i18n.M("This file has changed since it was added. Add it again to send what it holds now.")
	}
}
