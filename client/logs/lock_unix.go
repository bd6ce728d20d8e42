//go:build unix

package logs

import (
	"os"
	"syscall"
)

// lock waits for the lock on an open file. The lock belongs to the open file: duplicates share it, programs that are started do not.
func lock(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != syscall.EINTR { //nolint:errorlint // a bare number, as the system gives it
			return err
		}
	}
}

// lockLeft opens and locks a file that no living process has locked.
func lockLeft(path string) (f *os.File, free bool) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, false
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		_ = f.Close() // another process has it
		return nil, false
	}
	return f, true
}

// removeLeft removes a file that lockLeft opened; if that fails, the next call does.
func removeLeft(f *os.File) { _ = os.Remove(f.Name()) } // next time, then
