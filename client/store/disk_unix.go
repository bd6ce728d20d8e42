//go:build !windows

package store

import (
	"errors"
	"os"
	"syscall"
)

// isFull reports whether the system says that there is no room left.
func isFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// syncFolder makes the names in a folder durable.
func syncFolder(path string) error {
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
