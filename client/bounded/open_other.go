//go:build !unix

package bounded

import (
	"io/fs"
	"os"
)

// isFile takes what a cloud's folder keeps elsewhere until it is read for a file: Windows calls it irregular.
func isFile(mode fs.FileMode) bool { return mode.IsRegular() || mode.Type() == fs.ModeIrregular }

// open opens for reading. No path of Windows' file systems leads to a pipe that could hang.
func open(path string) (*os.File, error) { return os.Open(path) }
