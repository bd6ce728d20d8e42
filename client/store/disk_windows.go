package store

import (
	"errors"
	"syscall"
)

// The codes that Windows says a full disk with.
const (
	errorHandleDiskFull = syscall.Errno(39)
	errorDiskFull       = syscall.Errno(112)
)

// isFull reports whether the system says that there is no room left.
func isFull(err error) bool {
	return errors.Is(err, errorDiskFull) || errors.Is(err, errorHandleDiskFull)
}

// syncFolder does nothing: NTFS keeps its names in a journal of its own, and a folder cannot be flushed.
func syncFolder(string) error { return nil }
