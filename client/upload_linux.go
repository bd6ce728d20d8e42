package client

import (
	"io"
	"os"
	"syscall"
)

// uploadBody returns the file itself as body, so that the transport sends it by sendfile(2), and a function that returns how much was sent: the
// file's offset, which sendfile moves.
func uploadBody(file *os.File) (io.ReadCloser, func() int64) {
	var last int64
	return file, func() int64 {
		if at, err := file.Seek(0, io.SeekCurrent); err == nil {
			last = at
		}
		return last // the transport closes the file once it is sent
	}
}

// mostUnsent is how many bytes of an upload the system may hold for the network, besides those on their way. By default these are megabytes: on a
// slow line an upload would then seem to stand still for minutes, and to end long before it does.
const mostUnsent = 256 << 10

// tcpNotsentLowat is TCP_NOTSENT_LOWAT of linux/tcp.h, which package syscall does not have.
const tcpNotsentLowat = 25

// keepLittleUnsent sets that bound on a connection. Where that fails, the upload works as well.
func keepLittleUnsent(_, _ string, c syscall.RawConn) error {
	return c.Control(func(fd uintptr) {
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpNotsentLowat, mostUnsent)
	})
}
