package client

import (
	"bytes"
	"context"
	"net"
	"net/http"
)

// DialWith lets the tests in package client_test stand in for the network: all that is dialled is, by dial.
func (o *Options) DialWith(dial func(ctx context.Context, network, address string) (net.Conn, error)) {
	o.dial = dial
}

// OnlineIf lets them say whether there is a network, for Check.
func (o *Options) OnlineIf(online bool) { o.online = func() bool { return online } }

// Unreachable and Refusals are this system's errors of no network, and of a port that nobody listens on.
var Unreachable, Refusals = unreachable, refusals

// Artifact downloads what a pre-signed URL leads to, as Artifacts does, and takes whatever is there.
func (c *Client) Artifact(ctx context.Context, signedURL string, limit int64) ([]byte, error) {
	var body bytes.Buffer
	anything := func(*http.Response, []byte) bool { return true }
	if _, err := c.download(ctx, signedURL, limit, anything, inMemory(&body)); err != nil {
		return nil, err
	}
	return body.Bytes(), nil
}

// Pace is the present pace in calls a minute, 0 where there is none.
func (p *Pacer) Pace() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rate
}

// CheckLink is a client's by the default table of hosts.
func CheckLink(link string) (Link, error) { return checkLink(link, DefaultLinkHosts()) }
