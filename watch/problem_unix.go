//go:build unix

package watch

import (
	"errors"
	"slices"
	"syscall"
)

// silent are the errors of disks and shares that were there and are out of reach.
var silent = []syscall.Errno{
	syscall.ESTALE, syscall.ENOTCONN, syscall.EHOSTDOWN, syscall.EHOSTUNREACH, syscall.ENETDOWN, syscall.ENETUNREACH,
	syscall.ETIMEDOUT, syscall.ECONNABORTED, syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.ENODEV, syscall.ENXIO,
}

func notAnswering(err error) bool {
	var number syscall.Errno
	return errors.As(err, &number) && slices.Contains(silent, number)
}
