package watch

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Check says whether a folder can be watched, and gives its path absolute and cleaned; a link stays a link. own are the app's
// own folders: one of them, one inside of them and one around them is refused. The error is a *Problem. It may block for as
// long as the disk does.
func Check(path string, own []string) (clean string, err error) {
	if path == "" {
		return "", &Problem{Kind: ErrNoFolder}
	}
	clean, err = filepath.Abs(path)
	if err != nil {
		return "", problemOf(path, err)
	}
	info, err := os.Stat(clean)
	if err != nil {
		return "", problemOf(clean, err)
	}
	if !info.IsDir() {
		return "", &Problem{Kind: ErrNotFolder, Path: clean}
	}
	plain, err := filepath.EvalSymlinks(clean)
	if err != nil {
		return "", problemOf(clean, err)
	}
	for _, o := range own {
		if o = resolved(o); within(plain, o) || within(o, plain) {
			return "", &Problem{Kind: ErrOwnFolder, Path: clean}
		}
	}
	f, err := openFolder(clean, true)
	if err != nil {
		return "", problemOf(clean, err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	if _, err := f.ReadDir(1); err != nil && !errors.Is(err, io.EOF) {
		return "", problemOf(clean, err)
	}
	// To read its names is one right, to look at what bears them another.
	if _, err := os.Lstat(clean + string(filepath.Separator) + "."); err != nil {
		return "", problemOf(clean, err)
	}
	return clean, nil
}

// within says that a path is a folder, or lies in it. Folders that exist are compared as such: the same one can have several
// names, by case or by mounts.
func within(path, folder string) bool {
	there, err := os.Stat(folder)
	for {
		if path == folder {
			return true
		}
		if info, e := os.Stat(path); err == nil && e == nil && os.SameFile(info, there) {
			return true
		}
		up := filepath.Dir(path)
		if up == path {
			return false
		}
		path = up
	}
}

// resolved is a path without links, as far as it exists.
func resolved(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	rest := ""
	for at := path; ; {
		if plain, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(plain, rest)
		}
		up := filepath.Dir(at)
		if up == at {
			return path
		}
		rest = filepath.Join(filepath.Base(at), rest)
		at = up
	}
}
