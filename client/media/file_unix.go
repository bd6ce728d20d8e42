//go:build unix

package media

import (
	"os"
	"syscall"
)

// openFile opens for reading. O_NONBLOCK changes nothing for a regular file, but if a pipe has taken its place a moment ago, opening returns at once
// instead of waiting for a writer.
func openFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) //nolint:gosec // the person chose the path; the caller words the error
}

// fileNumber is a file's device and its inode number.
func fileNumber(_ *os.File, info os.FileInfo) (device, number uint64, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return uint64(stat.Dev), uint64(stat.Ino), true //nolint:unconvert // of another type on other systems
}
