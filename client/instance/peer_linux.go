package instance

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
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
		peer *syscall.Ucred
		got  error
	)
	if err := raw.Control(func(fd uintptr) {
		peer, got = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
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
