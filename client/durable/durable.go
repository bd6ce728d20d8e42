// Package durable writes files that outlive a crash and a loss of power. It imports the standard library.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Options are how WriteFile works; the zero value serves.
type Options struct {
	Temp   string                      // pattern of the name, in the same folder, under which the file is written, as in os.CreateTemp
	Mode   fs.FileMode                 // who may read it; 0: the person alone
	Rename func(from, to string) error // puts the file in its place; nil: Replace
}

// WriteFile has the file at path hold content: all of it, or what it held before, whatever happens meanwhile. Its folder is made where
// it is missing, for the person alone.
func WriteFile(path string, content []byte, o Options) (err error) {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	out, err := os.CreateTemp(folder, o.Temp) // for the person alone, 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(out.Name()))
		}
	}()
	_, err = out.Write(content)
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	if o.Mode != 0 {
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
