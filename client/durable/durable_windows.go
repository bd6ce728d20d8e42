package durable

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// A scanner for viruses, or another start of Assay that reads the file, may hold it for a moment.
const (
	replaceTries = 10
	replacePause = 20 * time.Millisecond
)

// Replace puts a file in another's place at once.
func Replace(from, to string) error {
	err := os.Rename(from, to)
	for try := 1; err != nil && try < replaceTries; try++ {
		<-time.After(replacePause)
		err = os.Rename(from, to)
	}
	return err
}

// SyncFolder does nothing: NTFS keeps its names in a journal of its own, and a folder can't be flushed.
func SyncFolder(string) error { return nil }

// The codes that Windows says a full disk with.
const (
	errorHandleDiskFull = syscall.Errno(39)
	errorDiskFull       = syscall.Errno(112)
)

// IsFull reports whether the system says that there is no room left.
func IsFull(err error) bool {
	return errors.Is(err, errorDiskFull) || errors.Is(err, errorHandleDiskFull)
}
