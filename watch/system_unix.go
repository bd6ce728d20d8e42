//go:build unix

package watch

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// fileNumber is the system's number of a file, which it keeps when it is renamed, alone on its volume; 0: there is none.
func fileNumber(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Ino) //nolint:unconvert // of another type on other systems
	}
	return 0
}

// openForReading opens a regular file, and refuses what is none. It waits for nobody: not for a pipe's writer, nor for a
// device, nor for a program that holds a lease on the file (then the error is syscall.EAGAIN).
func openForReading(path string) (*os.File, error) {
	// To open some devices is to do something with them.
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

// openFolder opens a folder for reading its names. Without follow a link is refused.
func openFolder(path string, follow bool) (*os.File, error) {
	flags := os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_DIRECTORY
	if !follow {
		flags |= syscall.O_NOFOLLOW
	}
	return os.OpenFile(path, flags, 0)
}

// silent are the errors of disks and shares that were there and are out of reach.
var silent = []syscall.Errno{
	syscall.ESTALE, syscall.ENOTCONN, syscall.EHOSTDOWN, syscall.EHOSTUNREACH, syscall.ENETDOWN, syscall.ENETUNREACH,
	syscall.ETIMEDOUT, syscall.ECONNABORTED, syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.ENODEV, syscall.ENXIO,
}

func notAnswering(err error) bool {
	var number syscall.Errno
	return errors.As(err, &number) && slices.Contains(silent, number)
}
