package instance

import (
	"errors"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// checkPeer says whether the process at the other end runs as the same user.
func checkPeer(conn net.Conn) error {
	socket, ok := conn.(*net.UnixConn)
	if !ok {
		return errors.New("not a Unix socket")
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return err
	}
	var (
		peer *unix.Xucred
		got  error
	)
	if err := raw.Control(func(fd uintptr) {
		peer, got = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	}); err != nil {
		return err
	}
	if got != nil {
		return fmt.Errorf("whose process is at the other end: %w", got)
	}
	if int(peer.Uid) != os.Geteuid() {
		return errors.New("the process at the other end is another user's")
	}
	return nil
}
