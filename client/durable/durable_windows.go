package durable

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// A virus scanner, or another process of Assay that reads the file, may keep it open for a moment.
const (
	replaceTries = 10
	replacePause = 20 * time.Millisecond
)

// Replace replaces a file by another one atomically.
func Replace(from, to string) error {
	err := os.Rename(from, to)
	for try := 1; err != nil && try < replaceTries; try++ {
		<-time.After(replacePause)
		err = os.Rename(from, to)
	}
	return err
}

// SyncFolder does nothing: NTFS has a journal for names, and Windows can't flush a folder.
func SyncFolder(string) error { return nil }

// Windows's error codes for a full disk.
const (
	errorHandleDiskFull = syscall.Errno(39)
	errorDiskFull       = syscall.Errno(112)
)

// IsFull reports whether err means that the disk is full.
func IsFull(err error) bool {
	return errors.Is(err, errorDiskFull) || errors.Is(err, errorHandleDiskFull)
}
