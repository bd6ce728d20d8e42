// Package durable writes files that survive a crash and a loss of power. It imports the standard library.
package durable

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Options are how a file is written. The zero value is usable.
type Options struct {
	Temp   string                      // pattern for the temporary file's name, in the same folder, as in os.CreateTemp
	Mode   fs.FileMode                 // permissions; 0: for the person only
	Rename func(from, to string) error // replaces the file; nil: Replace
	// ForOthers makes the file, and its folder, with the system's default permissions for new files. Mode is ignored then.
	ForOthers bool
}

// WriteFile is Write for content in memory. It creates a missing folder, for the person only.
func WriteFile(path string, content []byte, o Options) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return Write(path, o, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// Write replaces the content of the file at path with what write writes: with all of it, or not at all, also after a crash or an error of
// write. The folder must exist.
func Write(path string, o Options, write func(io.Writer) error) (err error) {
	folder := filepath.Dir(path)
	out, err := create(folder, o)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(out.Name()))
		}
	}()
	err = write(out)
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	if o.Mode != 0 && !o.ForOthers {
		if err = os.Chmod(out.Name(), o.Mode); err != nil {
			return err
		}
	}
	rename := o.Rename
	if rename == nil {
		rename = Replace
	}
	if err = rename(out.Name(), path); err != nil {
		return err
	}
	_ = SyncFolder(folder) // the new file is complete: without this, a loss of power may only bring back the old one
	return nil
}

// create makes the temporary file.
func create(folder string, o Options) (*os.File, error) {
	if !o.ForOthers {
		return os.CreateTemp(folder, o.Temp) // 0600
	}
	name := o.Temp + rand.Text()
	if before, after, found := strings.Cut(o.Temp, "*"); found {
		name = before + rand.Text() + after
	}
	return os.OpenFile(filepath.Join(folder, name), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666) //nolint:gosec // the system's umask takes permissions away
}
