package watch

import (
	"errors"
	"os"
)

var errNotRegular = errors.New("not a regular file")

// regular gives the file that was opened, or closes it where it is no regular one: something may have taken the file's place
// a moment ago.
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
