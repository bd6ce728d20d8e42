//go:build unix

package command

import "syscall"

// openMask lets everything be created with the rights that were asked for, until the returned function is called.
func openMask() (back func()) {
	before := syscall.Umask(0)
	return func() { syscall.Umask(before) }
}
