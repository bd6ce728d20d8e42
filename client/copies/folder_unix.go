//go:build !windows

package copies

import (
	"errors"
	"os"
	"syscall"
)

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
