package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"assay/client/i18n"
)

// Newer is the error of a file that a newer Assay wrote; errors.Is finds ErrNewer. Nothing of it was changed.
type Newer struct {
	Version  string // of that Assay, "" where the file does not say it
	Readable bool   // OpenReadOnly opens it
	known    string // for logs: the versions of the file
}

func (n *Newer) Error() string { return ErrNewer.Error() + ": " + n.known }

// Is lets errors.Is find the kind.
func (n *Newer) Is(kind error) bool { return kind == ErrNewer } //nolint:errorlint // as errors.Is asks for it

// UserMessage is the message for the person.
func (n *Newer) UserMessage() i18n.Message {
	if n.Version == "" {
		return sentences[ErrNewer]
	}
	return i18n.M("Assay's history was made by a newer Assay (%s). Install that version again; nothing in the file was changed.", i18n.Verbatim(n.Version))
}

// CheckVersion returns an *Error of the kind ErrNewer, with a *Newer in it, where a newer Assay wrote the file in a folder, and else nil, also where it can't
// tell. It changes nothing, and its cost does not grow with the file.
func CheckVersion(ctx context.Context, folder string) error {
	newer := checkVersion(ctx, filepath.Join(folder, fileName))
	if newer == nil {
		return nil
	}
	return failure("open the history", newer)
}

// checkVersion is CheckVersion for the file's path. What is wrong with the file otherwise is found when it is opened.
func checkVersion(ctx context.Context, path string) *Newer {
	known, err := versions()
	if err != nil || peekVersion(path) <= int64(len(known)) {
		return nil
	}
	seen, forget, err := look(ctx, path) // a write-ahead log may also hold what was never committed
	if err != nil {
		return nil
	}
	defer forget()
	return seen.newer(ctx, int64(len(known)))
}

// newer says what a file of a newer Assay says of itself, nil where it is none.
func (c *connection) newer(ctx context.Context, known int64) *Newer {
	version, err := c.number(ctx, "PRAGMA user_version")
	if err != nil || version <= known {
		return nil
	}
	n := &Newer{known: fmt.Sprintf("version %d, known up to %d", version, known)}
	var since int64
	if found, err := c.one(ctx, []any{&since, &n.Version}, "SELECT readable_since, version FROM written"); err == nil && found {
		n.Readable = since <= known
	}
	if len(n.Version) > longestVersion {
		n.Version = ""
	}
	return n
}

// longestVersion is how long a version may be that is shown.
const longestVersion = 40

// Parts of SQLite's files, in bytes: see its file format.
const (
	headerSize     = 100
	versionAt      = 60 // of user_version, in the header
	walHeaderSize  = 32
	frameHeader    = 24
	walPageSizeAt  = 8
	walSaltsAt     = 16
	frameSaltsAt   = 8
	saltsSize      = 8
	mostPageSize   = 65536
	leastPageSize  = 512
	longestWALRead = 1 << 20 // frames
)

// peekVersion reads the version from the file and its write-ahead log without SQLite, which would write beside it: the greatest that is there, 0 where
// there is none.
func peekVersion(path string) (version int64) {
	read := func(from io.ReaderAt, at int64, size int) []byte {
		part := make([]byte, size)
		if _, err := from.ReadAt(part, at); err != nil {
			return nil
		}
		return part
	}
	versionOf := func(header []byte) {
		if header != nil && string(header[:16]) == "SQLite format 3\x00" {
			version = max(version, int64(binary.BigEndian.Uint32(header[versionAt:])))
		}
	}
	if file, err := os.Open(path); err == nil {
		versionOf(read(file, 0, headerSize))
		_ = file.Close() // only read from
	}
	log, err := os.Open(path + logSuffix)
	if err != nil {
		return version
	}
	defer log.Close() //nolint:errcheck // only read from
	header := read(log, 0, walHeaderSize)
	if header == nil {
		return version
	}
	pageSize := int64(binary.BigEndian.Uint32(header[walPageSizeAt:]))
	if pageSize < leastPageSize || pageSize > mostPageSize {
		return version
	}
	for frame := range int64(longestWALRead) {
		at := walHeaderSize + frame*(frameHeader+pageSize)
		begin := read(log, at, frameHeader)
		if begin == nil || string(begin[frameSaltsAt:frameSaltsAt+saltsSize]) != string(header[walSaltsAt:walSaltsAt+saltsSize]) {
			return version // what follows is of an earlier use of the log
		}
		if binary.BigEndian.Uint32(begin) == 1 {
			versionOf(read(log, at+frameHeader, headerSize))
		}
	}
	return version
}

// look opens the file so that nothing of it, nor beside it, is changed. Where there is a write-ahead log, which SQLite could not read without
// writing, that is a copy of both in a temporary folder. forget closes it, and removes the copy.
func look(ctx context.Context, path string) (c *connection, forget func(), err error) {
	copied := ""
	forget = func() {
		if c != nil {
			_ = c.close() // nothing was written
		}
		if copied != "" {
			_ = os.RemoveAll(copied)
		}
	}
	defer func() {
		if err != nil {
			forget()
		}
	}()
	log, err := size(path + logSuffix)
	if err != nil {
		return nil, nil, err
	}
	how := sees
	if log > 0 {
		if copied, err = os.MkdirTemp("", "assay-records-"); err != nil {
			return nil, nil, err
		}
		for _, suffix := range []string{"", logSuffix} {
			if err := copyFile(path+suffix, filepath.Join(copied, fileName+suffix)); err != nil {
				return nil, nil, err
			}
		}
		path, how = filepath.Join(copied, fileName), reads
	}
	c, err = connectTo(ctx, path, how)
	return c, forget, err
}

// copyFile copies a file to a new one that only the person can read.
func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close() //nolint:errcheck // only read from
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}

// OpenReadOnly opens the store of a newer Assay to be read: no file of the folder is changed, and whatever would write gets ErrReadOnly. Where this Assay
// does not understand the file, the error is that of CheckVersion; where there is none, fs.ErrNotExist. The caller holds the folder.
func OpenReadOnly(ctx context.Context, folder string, o Options) (*Store, error) {
	const op = "read the history"
	s, err := prepare(ctx, folder, o)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(s.folder, fileName)); err != nil {
		s.stop()
		return nil, failure(op, err)
	}
	known, err := versions()
	if err == nil {
		s.readers, s.forget, err = look(ctx, filepath.Join(s.folder, fileName))
	}
	if err != nil {
		s.stop()
		return nil, failure(op, err)
	}
	if s.newer = s.readers.newer(ctx, int64(len(known))); s.newer != nil && s.newer.Readable {
		var longest int64
		if longest, err = s.readers.number(ctx, "SELECT longest FROM shift"); err == nil {
			s.longest.Store(longest)
			close(s.treeBuilt)
			return s, nil
		}
	} else if err = ErrReadOnly; s.newer != nil {
		err = s.newer
	}
	s.stop()
	s.forget()
	return nil, failure(op, err)
}

// OpenForReading is Open; where a newer Assay wrote the file and this one understands it, it is OpenReadOnly.
func OpenForReading(ctx context.Context, folder string, o Options) (*Store, error) {
	s, err := Open(ctx, folder, o)
	if newer := (*Newer)(nil); errors.As(err, &newer) && newer.Readable {
		return OpenReadOnly(ctx, folder, o)
	}
	return s, err
}

// ReadOnly is what a file of a newer Assay says of itself that this store was opened to read; nil for a store that can be written to.
func (s *Store) ReadOnly() *Newer { return s.newer }
