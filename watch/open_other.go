//go:build !unix

package watch

import (
	"os"
	"syscall"
)

// openForReading opens a regular file, and refuses what is none.
func openForReading(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return regular(f)
}

// openFolder opens a folder for reading its names. Without follow a link is refused.
func openFolder(path string, follow bool) (*os.File, error) {
	look := os.Lstat
	if follow {
		look = os.Stat
	}
	info, err := look(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &os.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
	}
	return os.Open(path)
}
