//go:build linux || darwin

package ipc

import (
	"errors"
	"fmt"
	"net"
	"os"
)

// checkPeer checks that the process at the other end runs as the same user.
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
		user uint32
		got  error
	)
	if err := raw.Control(func(fd uintptr) { user, got = peerUser(int(fd)) }); err != nil {
		return err
	}
	if got != nil {
		return fmt.Errorf("whose process is at the other end: %w", got)
	}
	if int(user) != os.Geteuid() {
		return errors.New("the process at the other end is another user's")
	}
	return nil
}
