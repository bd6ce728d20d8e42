package folders

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameAlone renames a file, and fails with fs.ErrExist where the new name is taken.
func renameAlone(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
		return linkAway(from, to) // the file system does not support it
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
