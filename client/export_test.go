package client

import (
	"context"
	"net"
)

// DialWith lets the tests in package client_test stand in for the network: all that is dialled is, by dial.
func (o *Options) DialWith(dial func(ctx context.Context, network, address string) (net.Conn, error)) {
	o.dial = dial
}

// OnlineIf lets them say whether there is a network, for Check.
func (o *Options) OnlineIf(online bool) { o.online = func() bool { return online } }

// Unreachable and Refusals are this system's errors of no network, and of a port that nobody listens on.
var Unreachable, Refusals = unreachable, refusals
