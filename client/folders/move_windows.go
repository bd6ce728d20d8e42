package folders

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// longest is up to how many characters Windows accepts an ordinary path.
const longest = 247

// renameAlone renames a file, and fails with fs.ErrExist where the new name is taken.
func renameAlone(from, to string) error {
	old, err := windows.UTF16PtrFromString(long(from))
	if err != nil {
		return err
	}
	name, err := windows.UTF16PtrFromString(long(to))
	if err != nil {
		return err
	}
	// Without the flags that would replace a file or copy it to another volume.
	if err := windows.MoveFileEx(old, name, windows.MOVEFILE_WRITE_THROUGH); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// long writes an absolute path in the form that may have any length.
func long(path string) string {
	switch {
	case len(path) <= longest, strings.HasPrefix(path, `\\?\`):
		return path
	case strings.HasPrefix(path, `\\`):
		return `\\?\UNC\` + path[2:]
	}
	return `\\?\` + path
}

// sameVolume reports whether two folders are on one volume, so that a file can be moved without being copied.
func sameVolume(one, other string) (bool, error) {
	first, err := volumeOf(one)
	if err != nil {
		return false, err
	}
	second, err := volumeOf(other)
	return strings.EqualFold(first, second), err
}

func volumeOf(folder string) (string, error) {
	resolved, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return "", err
	}
	path, err := windows.UTF16PtrFromString(resolved)
	if err != nil {
		return "", err
	}
	root := make([]uint16, len(resolved)+windows.MAX_PATH)
	if err := windows.GetVolumePathName(path, &root[0], uint32(len(root))); err != nil {
		return "", err
	}
	return windows.UTF16ToString(root), nil
}
