// Package durable writes files that outlive a crash and a loss of power. It imports the standard library.
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

// Options are how a file is written; the zero value serves.
type Options struct {
	Temp   string                      // pattern of the name, in the same folder, under which the file is written, as in os.CreateTemp
	Mode   fs.FileMode                 // who may read it; 0: the person alone
	Rename func(from, to string) error // puts the file in its place; nil: Replace
	// ForOthers says that the file is for others too: who may read it, and its folder, is what the system has for new files. Mode is left out then.
	ForOthers bool
}

// WriteFile is Write for content that is at hand. Its folder is made where it is missing, for the person alone.
func WriteFile(path string, content []byte, o Options) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return Write(path, o, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// Write has the file at path hold what write writes: all of it, or what it held before, whatever happens meanwhile, an error of write
// included. Its folder must be there.
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
	_ = SyncFolder(folder) // the new file is in its place: a loss of power may bring back the one before, whole as it was
	return nil
}

// create makes the file that is written before it is put in its place.
func create(folder string, o Options) (*os.File, error) {
	if !o.ForOthers {
		return os.CreateTemp(folder, o.Temp) // 0600
	}
	name := o.Temp + rand.Text()
	if before, after, found := strings.Cut(o.Temp, "*"); found {
		name = before + rand.Text() + after
	}
	return os.OpenFile(filepath.Join(folder, name), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666) //nolint:gosec // less what the system takes off for new files
}
