package logs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// The log's files, at most so many of so many bytes each.
const (
	fileSize = 1 << 20
	files    = 3
)

// fileName is the name of the log's n-th file; 0 is the one that is written.
func fileName(n int) string {
	if n == 0 {
		return "assay.log"
	}
	return fmt.Sprintf("assay.%d.log", n)
}

// File is a log on disk, for this user alone. Once it is open it never fails: a line that can't be written is lost, and the program goes on. It is
// safe for use by many goroutines, and by one process at a time.
type File struct {
	dir string

	mu   sync.Mutex
	out  *os.File // nil: closed, or it could not be opened again
	size int64
	end  bool
}

// OpenFile opens the log of a folder, which it makes where it is missing.
func OpenFile(dir string) (*File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, 0o700); err != nil { //nolint:gosec // a folder is entered by its x bit
		return nil, err
	}
	f := &File{dir: dir}
	if err := f.open(); err != nil {
		return nil, err
	}
	return f, nil
}

// open continues the log at its end. f.mu is held, or nobody else has f yet.
func (f *File) open() error {
	path := filepath.Join(f.dir, fileName(0))
	facts, err := os.Lstat(path)
	switch {
	case err == nil && !facts.Mode().IsRegular(): // opening it might block for ever, or write elsewhere
		return fmt.Errorf("%s is no regular file", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	facts, err = out.Stat()
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		return errors.Join(err, out.Close())
	}
	f.out, f.size = out, facts.Size()
	return nil
}

// Write adds a line. It returns no error.
func (f *File) Write(line []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.end {
		return len(line), nil
	}
	if f.out != nil && f.size > 0 && f.size+int64(len(line)) > fileSize {
		f.rotate()
	}
	if f.out == nil && f.open() != nil {
		return len(line), nil
	}
	n, _ := f.out.Write(line) // a full disk: the line, or its end, is lost
	f.size += int64(n)
	return len(line), nil
}

// rotate renames the files by one, so that the oldest is lost. If they can't be renamed, the current one is emptied: the log must not grow. f.mu is
// held.
func (f *File) rotate() {
	_ = f.out.Close()
	f.out = nil
	var moved error
	for n := files - 2; n >= 0 && moved == nil; n-- {
		moved = os.Rename(filepath.Join(f.dir, fileName(n)), filepath.Join(f.dir, fileName(n+1)))
		if n > 0 && errors.Is(moved, fs.ErrNotExist) {
			moved = nil
		}
	}
	if moved != nil {
		_ = os.Truncate(filepath.Join(f.dir, fileName(0)), 0)
	}
}

// Close closes the file. Lines that come later are lost.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.end = true
	if f.out == nil {
		return nil
	}
	err := f.out.Close()
	f.out = nil
	return err
}
