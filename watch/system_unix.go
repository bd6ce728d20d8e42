//go:build unix

package watch

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// fileNumber is a file's inode number, which is unique on its volume and stays when the file is renamed; 0: there is none.
func fileNumber(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Ino) //nolint:unconvert // of another type on other systems
	}
	return 0
}

// openForReading opens a regular file, and nothing else. It never blocks: not for a pipe's writer, a device, or a program that holds a lease on the
// file (the error is then syscall.EAGAIN).
func openForReading(path string) (*os.File, error) {
	// Merely opening some devices does something to them.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	return regular(f)
}

// openFolder opens a folder to read its names. Without follow, a symbolic link is refused.
func openFolder(path string, follow bool) (*os.File, error) {
	flags := os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_DIRECTORY
	if !follow {
		flags |= syscall.O_NOFOLLOW
	}
	return os.OpenFile(path, flags, 0)
}

// silent are the errors of disks and shares that are out of reach.
var silent = []syscall.Errno{
	syscall.ESTALE, syscall.ENOTCONN, syscall.EHOSTDOWN, syscall.EHOSTUNREACH, syscall.ENETDOWN, syscall.ENETUNREACH,
	syscall.ETIMEDOUT, syscall.ECONNABORTED, syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.ENODEV, syscall.ENXIO,
}

func notAnswering(err error) bool {
	var number syscall.Errno
	return errors.As(err, &number) && slices.Contains(silent, number)
}
