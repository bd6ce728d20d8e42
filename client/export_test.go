package client

import (
	"net"
	"net/http"
)

// DialWith lets the tests in package client_test stand in for the network's names.
func (c *Client) DialWith(dialer *net.Dialer) {
	for _, h := range []*http.Client{c.calls, c.storage} {
		h.Transport.(*http.Transport).DialContext = dialer.DialContext
	}
}
