//go:build unix

package watch

import (
	"io/fs"
	"syscall"
)

// fileNumber is the system's number of a file, which it keeps when it is renamed, alone on its volume; 0: there is none.
func fileNumber(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Ino) //nolint:unconvert // of another type on other systems
	}
	return 0
}
