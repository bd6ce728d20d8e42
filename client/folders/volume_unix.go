//go:build unix

package folders

import (
	"os"
	"syscall"
)

// sameVolume reports whether two folders lie on one volume, so that a file can go from one to the other without being copied.
func sameVolume(one, other string) (bool, error) {
	a, err := os.Stat(one)
	if err != nil {
		return false, err
	}
	b, err := os.Stat(other)
	if err != nil {
		return false, err
	}
	first, ok := a.Sys().(*syscall.Stat_t)
	second, also := b.Sys().(*syscall.Stat_t)
	return ok && also && first.Dev == second.Dev, nil
}
