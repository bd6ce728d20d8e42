//go:build unix && !linux && !darwin

package watch

import (
	"io/fs"
	"os"
)

// hidden is false: on these systems only the name can make a file hidden.
func hidden(_ fs.FileInfo) bool { return false }

// beingWritten never knows: this system does not tell who has a file open.
func beingWritten(_ *os.File) (busy, known bool) { return false, false }

// isNetwork is false: it is not known on this system.
func isNetwork(_ string) bool { return false }

// regularIn is never ok: files are examined by their paths on this system, for their attributes.
func regularIn(_ *os.File, _ fs.DirEntry) (e entry, ok bool) { return entry{}, false }
