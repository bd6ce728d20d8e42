//go:build unix && !linux && !darwin

package watch

import (
	"io/fs"
	"os"
)

// hidden is false: on these systems the name alone says it.
func hidden(_ fs.FileInfo) bool { return false }

// beingWritten knows nothing: this system does not tell who has a file open.
func beingWritten(_ *os.File) (busy, known bool) { return false, false }

// isNetwork is false: this system is not asked.
func isNetwork(_ string) bool { return false }
