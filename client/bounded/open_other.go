//go:build !unix

package bounded

import (
	"io/fs"
	"os"
)

// isFile also accepts a cloud folder's file that is stored elsewhere until it is read: Windows calls it irregular.
func isFile(mode fs.FileMode) bool { return mode.IsRegular() || mode.Type() == fs.ModeIrregular }

// open opens for reading. On Windows no path leads to a pipe that could block.
func open(path string) (*os.File, error) { return os.Open(path) }
