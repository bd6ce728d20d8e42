package client

import (
	"io"
	"os"
	"syscall"
)

// uploadBody hands the bare file to the transport, which then sends it by sendfile(2); how far it got
// is read from the file's offset, which sendfile moves.
func uploadBody(file *os.File) (io.ReadCloser, func() int64) {
	var last int64
	return file, func() int64 {
		if at, err := file.Seek(0, io.SeekCurrent); err == nil {
			last = at
		}
		return last // the transport closes the file once it is sent
	}
}

// mostUnsent is how many bytes of an upload wait in the system for the network, beside those that are on their way. Without
// a bound these are megabytes: on a slow line an upload would then seem to stand still for minutes, and to be over long
// before it is.
const mostUnsent = 256 << 10

// tcpNotsentLowat is TCP_NOTSENT_LOWAT of linux/tcp.h, which package syscall does not have.
const tcpNotsentLowat = 25

// keepLittleUnsent bounds what waits in the system on a connection. Where that can't be set, the upload works as well.
func keepLittleUnsent(_, _ string, c syscall.RawConn) error {
	return c.Control(func(fd uintptr) {
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpNotsentLowat, mostUnsent)
	})
}
