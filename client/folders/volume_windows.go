package folders

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// sameVolume reports whether two folders lie on one volume, so that a file can go from one to the other without being copied.
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
