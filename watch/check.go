package watch

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Check reports whether a folder can be watched, and returns its path absolute and cleaned; a symbolic link is not resolved. own are the app's own
// folders, none of which may be the folder, inside it or around it. The error is a *Problem. It may block for as long as the disk does.
func Check(path string, own []string) (clean string, err error) {
	if path == "" {
		return "", &Problem{Kind: ErrNoFolder}
	}
	clean, err = filepath.Abs(path)
	if err != nil {
		return "", problemOf(path, err)
	}
	if _, err := readable(clean); err != nil {
		return "", err
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
	return clean, nil
}

// readable returns the file info of a folder that can be read. The error is a *Problem.
func readable(path string) (fs.FileInfo, error) {
	f, err := openFolder(path, true)
	if err != nil {
		return nil, problemOf(path, err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, problemOf(path, err)
	}
	if _, err := f.ReadDir(1); err != nil && !errors.Is(err, io.EOF) {
		return nil, problemOf(path, err)
	}
	// The permission to list names does not include the one to examine the files.
	if _, err := os.Lstat(path + string(filepath.Separator) + "."); err != nil {
		return nil, problemOf(path, err)
	}
	return info, nil
}

// inOwn reports whether a folder is one of the app's own, or in one.
func inOwn(path string, own []string) bool {
	plain, err := filepath.EvalSymlinks(path)
	return err == nil && slices.ContainsFunc(own, func(o string) bool { return within(plain, resolved(o)) })
}

// within reports whether a path is a folder, or in it. Folders that exist are compared on disk: the same folder can have several names, by case or by
// mounts.
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

// resolved is a path without symbolic links, as far as it exists.
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

var errNotRegular = errors.New("not a regular file")

// regular returns the file that was opened, or closes it if it is no regular file: something may have taken its place a moment ago.
func regular(f *os.File) (*os.File, error) {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: f.Name(), Err: errNotRegular}
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
