//go:build unix

package bounded

import (
	"io/fs"
	"os"
	"syscall"
)

// isFile reports whether this is the mode of a file, and not of a pipe or device.
func isFile(mode fs.FileMode) bool { return mode.IsRegular() }

// open opens for reading. O_NONBLOCK changes nothing for a regular file; a pipe is opened at once instead of waiting for a writer.
func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
}
