package ipc

import "syscall"

// peerUser is the user as whom the process at a socket's other end runs.
func peerUser(fd int) (uint32, error) {
	peer, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil {
		return 0, err
	}
	return peer.Uid, nil
}
