package watch

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// beingWritten reports whether somebody has the file open for writing, or mapped so; known is false where the system does not
// tell: files of others, and file systems without leases. Shares refuse one as well where the server has not granted it the like,
// writer or not: there too nothing is known.
//
// It asks for a read lease, which is refused while there is a writer, and gives it back at once. Who opens the file for writing
// in between is held up for these microseconds (and refused with EAGAIN where it asked not to be); the signal that tells us of
// it, SIGIO, does nothing in a Go program.
func beingWritten(f *os.File) (busy, known bool) {
	connection, err := f.SyscallConn()
	if err != nil {
		return false, false
	}
	err = connection.Control(func(fd uintptr) {
		_, err := unix.FcntlInt(fd, unix.F_SETLEASE, unix.F_RDLCK)
		switch {
		case err == nil:
			known = true
			_, _ = unix.FcntlInt(fd, unix.F_SETLEASE, unix.F_UNLCK)
		case errors.Is(err, unix.EAGAIN) && !isNetworkFile(fd):
			busy, known = true, true
		}
	})
	return busy, known && err == nil
}
