// Package media examines a local file before it is sent: its kind, its cap, the name it is sent under and its SHA-256. It may import the standard
// library, assay/client and assay/client/i18n; nothing else of Assay.
//
// Functions that touch the disk block, so they belong on workers. A dead network share may hold one of them for as long as the operating system does:
// ctx is checked between system calls, not within.
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
	Copied   bool             // the service takes no files of this extension: a copy must be sent in another format
	TooLarge bool             // a clip over the service's cap: only a part of it can be sent

	identity fs.FileInfo // for os.SameFile; nil in a File that was read back from the store
}

// Inspect examines the file at a path and says whether it may be sent; with nil Limits, the interface's own caps hold. A link is followed. For a file
// that may not be sent, the error is a *Refusal, whose text is for the person; for an ended ctx, its error. Only a regular file is ever opened: a
// pipe would block.
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

	// Only opening it shows for certain whether it can be read; and an open file can't be replaced any more.
	opened, err := open(absolute)
	if err != nil {
		return File{}, refusalFor(absolute, err)
	}
	defer opened.Close() //nolint:errcheck // nothing was written
	if info, err = opened.Stat(); err != nil {
		return File{}, refusalFor(absolute, err)
	}
	file, err := l.admit(absolute, info)
	if err != nil {
		return File{}, err
	}

	name := filepath.Base(absolute)
	file.Path, file.Name, file.SendName = absolute, plain.From(name).String(), sendName(name)
	file.Size, file.ModTime, file.identity = info.Size(), info.ModTime(), info
	if file.Type == client.Text {
		file.Warning = l.TextNotice(file.Size)
	}
	return file, nil
}

// admit decides by what is known without reading the file: it sets Type, Copied and TooLarge.
func (l Limits) admit(path string, info fs.FileInfo) (file File, err error) {
	mediaType, copied, supported := Accepted(path)
	most := l.Cap(mediaType)
	file = File{Type: mediaType, Copied: copied, TooLarge: mediaType == client.Video && info.Size() > most}
	if file.Copied || file.TooLarge {
		most = mostConverted[mediaType]
	}
	switch {
	case info.IsDir():
		return File{}, &Refusal{Code: Folder, Path: path}
	case !info.Mode().IsRegular():
		return File{}, &Refusal{Code: Special, Path: path}
	case !supported:
		return File{}, &Refusal{Code: Unsupported, Path: path}
	case info.Size() == 0:
		return File{}, &Refusal{Code: Empty, Path: path}
	case info.Size() > most:
		return File{}, &Refusal{Code: TooLarge, Path: path, Type: mediaType, Size: info.Size(), Cap: l.Cap(mediaType)}
	}
	return file, nil
}

// Open opens the file for reading if it is still the one that was inspected. Else the error is a *Changed, or a *Refusal if it is gone or can't be
// read. The caller closes it.
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

// StillSame checks that the open file is the one that was inspected, with the same size and modification time; else the error is a *Changed. Call it
// after hashing and after sending, too: the file may have changed meanwhile. For a File that was read back from the store, only size and time are
// compared.
func StillSame(f File, opened *os.File) error {
	info, err := opened.Stat()
	if err != nil {
		return refusalFor(f.Path, err)
	}
	return f.compare(info)
}

// compare returns a *Changed if info is not that of the file as it was inspected.
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

// Unchanged checks, without opening it, that the file at the path is the one that was inspected: else the error is a *Changed, or a *Refusal if it is
// gone. StillSame checks the same for a file that is open.
func Unchanged(f File) error {
	info, err := os.Stat(f.Path)
	if err != nil {
		return refusalFor(f.Path, err)
	}
	return f.compare(info)
}

// Changed is the error for a file that is no longer the one that was inspected: it grew, was rewritten or was replaced. Its text is for the person.
type Changed struct {
	Path             string
	SizeWas, SizeIs  int64 // in bytes
	TimeWas, TimeIs  time.Time
	AnotherFileThere bool // another file took the path's place
}

// Error is the message in the language of the moment.
func (c *Changed) Error() string { return c.UserMessage().String() }

// UserMessage is the message for the person.
func (c *Changed) UserMessage() i18n.Message {
	switch {
	case c.AnotherFileThere:
		return i18n.M("Another file has taken this one's place since it was added. Add it again to send the new one.")
	case c.SizeWas != c.SizeIs && SizeText(c.SizeWas) != SizeText(c.SizeIs):
		return i18n.M("This file has changed since it was added: it was %s and is now %s. Add it again to send it as it is now.",
			i18n.SizeMessage(c.SizeWas), i18n.SizeMessage(c.SizeIs))
	default:
		return i18n.M("This file has changed since it was added. Add it again to send it as it is now.")
	}
}
