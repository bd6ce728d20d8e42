//go:build !windows

package durable

import (
	"errors"
	"os"
	"syscall"
)

// Replace replaces a file by another one atomically.
func Replace(from, to string) error { return os.Rename(from, to) }

// SyncFolder makes the names in a folder survive a loss of power.
func SyncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	err = folder.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil // some network file systems don't support it
	}
	return errors.Join(err, folder.Close())
}

// IsFull reports whether err means that the disk is full.
func IsFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
