//go:build !windows

package store

import (
	"errors"
	"syscall"
)

// isFull reports whether the system says that there is no room left.
func isFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
