//go:build unix

package logs

import (
	"os"
	"syscall"
)

// lock waits for an open file to be this process's. The lock is the open file's: duplicates hold it too, programs that are started do
// not.
func lock(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != syscall.EINTR { //nolint:errorlint // a bare number, as the system gives it
			return err
		}
	}
}

// lockLeft opens a file that no living process has locked, and locks it.
func lockLeft(path string) (f *os.File, free bool) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, false
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		_ = f.Close() // somebody's
		return nil, false
	}
	return f, true
}

// removeLeft removes a file that lockLeft opened.
func removeLeft(f *os.File) { _ = os.Remove(f.Name()) } // next time, then
