//go:build unix

package media

import (
	"os"
	"syscall"
)

// fileNumber is a file's device and its number there.
func fileNumber(_ *os.File, info os.FileInfo) (device, number uint64, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return uint64(stat.Dev), uint64(stat.Ino), true //nolint:unconvert // of another type on other systems
}
