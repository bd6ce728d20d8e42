package ipc

import "golang.org/x/sys/unix"

// peerUser is the user as whom the process at a socket's other end runs.
func peerUser(fd int) (uint32, error) {
	peer, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, err
	}
	return peer.Uid, nil
}
