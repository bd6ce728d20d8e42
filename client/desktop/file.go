package desktop

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// largestEntry is how many bytes a desktop's file may have that is read: its lists of programs have some hundred thousand.
const largestEntry = 16 << 20

// put writes an entry's file in one step: a desktop that watches the folder never reads half of it. It is for this user alone, as the
// folders are that are made for it; the person's own desktop is all that reads it. A file that is there keeps who may read it.
func put(path string, content []byte) (err error) {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	mode := fs.FileMode(0o600)
	if facts, err := os.Stat(path); err == nil {
		mode = facts.Mode().Perm()
	}
	out, err := os.CreateTemp(folder, ".assay-*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(out.Name()))
		}
	}()
	_, err = out.Write(content)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	if err = os.Chmod(out.Name(), mode); err != nil {
		return err
	}
	return os.Rename(out.Name(), path)
}

// remove removes an entry's file; one that is not there is no error.
func remove(path string) error {
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
