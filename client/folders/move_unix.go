//go:build unix

package folders

import (
	"errors"
	"os"
	"syscall"
)

// linkAway gives a file a second name, which must be free, and removes the first.
func linkAway(from, to string) error {
	if err := os.Link(from, to); err != nil {
		return err
	}
	if err := os.Remove(from); err != nil {
		return errors.Join(err, os.Remove(to)) // it keeps its first name
	}
	return nil
}

// sameVolume reports whether two folders are on one volume, so that a file can be moved without being copied.
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
