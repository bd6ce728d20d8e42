package ipc

import "syscall"

// peerUser is the user ID of the process at the other end of a socket.
func peerUser(fd int) (uint32, error) {
	peer, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil {
		return 0, err
	}
	return peer.Uid, nil
}
