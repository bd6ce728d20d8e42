//go:build !linux

package instance

import "net"

// checkPeer leaves it to the folder's rights who can connect: the standard library asks Linux alone.
func checkPeer(net.Conn) error { return nil }
