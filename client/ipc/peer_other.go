//go:build !linux && !darwin

package ipc

import "net"

// checkPeer leaves it to the folder's rights who can connect: this system does not tell.
func checkPeer(net.Conn) error { return nil }
