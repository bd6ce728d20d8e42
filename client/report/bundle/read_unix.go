//go:build unix

package bundle

import (
	"os"
	"syscall"
)

// readFlags open a file. A pipe that has taken its place is opened at once instead of waiting for a writer.
const readFlags = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY
