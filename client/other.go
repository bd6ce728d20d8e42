package client

import (
	"context"
	"net"
	"net/http"
	"time"
)

// Transport makes a transport for HTTP that is not the service's, such as that of a store of files: through the network's proxy, and for hosts whose certificates
// the system, the network's file or another file of authorities, "" for none, vouches for. A connection on which nothing has moved for patience ends. It reads
// those files. An error is of KindSetup.
func (n Network) Transport(authorities string, patience time.Duration) (http.RoundTripper, error) {
	config, err := trust(Options{CAFile: authorities})
	if err != nil {
		return nil, err
	}
	config, proxy, err := Options{TLS: config}.WithNetwork(n).network()
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: patience, KeepAlive: 30 * time.Second}
	return newHTTPTransport(config, proxy, patience, func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &movingConn{c, patience}, nil
	}, nil), nil
}

// movingConn is a connection that ends when nothing has moved on it for a while, in either direction.
type movingConn struct {
	net.Conn
	patience time.Duration
}

// Read implements net.Conn.
func (c *movingConn) Read(p []byte) (int, error) {
	if err := c.SetDeadline(time.Now().Add(c.patience)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

// Write implements net.Conn. It also puts off the end of a Read that waits for the answer meanwhile.
func (c *movingConn) Write(p []byte) (int, error) {
	if err := c.SetDeadline(time.Now().Add(c.patience)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}
