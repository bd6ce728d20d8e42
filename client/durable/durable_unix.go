//go:build !windows

package durable

import (
	"errors"
	"os"
	"syscall"
)

// Replace puts a file in another's place at once.
func Replace(from, to string) error { return os.Rename(from, to) }

// SyncFolder has the names in a folder outlive a loss of power.
func SyncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	err = folder.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil // some network file systems know no such thing
	}
	return errors.Join(err, folder.Close())
}

// IsFull reports whether the system says that there is no room left.
func IsFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
