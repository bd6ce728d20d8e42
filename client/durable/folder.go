package durable

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// WriteFolder makes the folder at path with what write puts into a temporary one beside it: all of it, or nothing, also after a crash or an error of
// write. What is at path already is replaced. temp is a pattern for the names of temporary folders, with a *. The new folder and what is in it have
// the system's default permissions, as far as write does not change them.
func WriteFolder(path, temp string, write func(folder string) error) (err error) {
	parent := filepath.Dir(path)
	beside := func() string { return filepath.Join(parent, strings.Replace(temp, "*", rand.Text(), 1)) }
	made := beside()
	if err := os.Mkdir(made, 0o777); err != nil { //nolint:gosec // the system's umask takes permissions away
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(made))
		}
	}()
	if err := write(made); err != nil {
		return err
	}
	if err := syncAll(made); err != nil {
		return err
	}
	before := ""
	if _, err := os.Lstat(path); err == nil {
		before = beside()
		if err := Replace(path, before); err != nil {
			return err
		}
	}
	if err := Replace(made, path); err != nil {
		if before != "" {
			err = errors.Join(err, Replace(before, path))
		}
		return err
	}
	_ = SyncFolder(parent) // the new folder is complete: without this, a loss of power may only bring back the old one
	if before != "" {
		return os.RemoveAll(before)
	}
	return nil
}

// syncAll makes a folder survive a loss of power, with everything in it.
func syncAll(folder string) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return SyncFolder(path)
		case !entry.Type().IsRegular():
			return nil
		}
		file, err := os.OpenFile(path, os.O_RDWR, 0) //nolint:gosec // just made, under a name that nobody knows. Windows flushes only what is open for writing
		if err != nil {
			return err
		}
		return errors.Join(file.Sync(), file.Close())
	})
}
