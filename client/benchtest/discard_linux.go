package benchtest

import (
	"errors"
	"io"
	"net"
	"syscall"
)

// Discard takes n bytes off a connection, of which the kernel drops what it can without copying it.
func Discard(conn *net.TCPConn, n int64) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	for room := make([]byte, 1<<20); n > 0; {
		var got int
		var failed error
		err := raw.Read(func(fd uintptr) bool {
			got, _, failed = syscall.Recvfrom(int(fd), room[:min(n, int64(len(room)))], syscall.MSG_TRUNC)
			return !errors.Is(failed, syscall.EAGAIN)
		})
		if err = errors.Join(err, failed); err != nil {
			return err
		}
		if got == 0 {
			return io.ErrUnexpectedEOF
		}
		n -= int64(got)
	}
	return nil
}
