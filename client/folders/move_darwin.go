package folders

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameAlone renames a file, and fails with fs.ErrExist where the new name is taken.
func renameAlone(from, to string) error {
	err := unix.RenamexNp(from, to, unix.RENAME_EXCL)
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EINVAL) {
		return linkAway(from, to) // the file system does not support it
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
