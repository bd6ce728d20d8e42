package client

import "syscall"

// Windows has numbers of its own for these.
var (
	// unreachable are the errors of a computer without a network.
	unreachable = []error{syscall.Errno(10050), syscall.Errno(10051), syscall.Errno(10065)} // WSAENETDOWN, WSAENETUNREACH, WSAEHOSTUNREACH
	// refusals are those of a port that nobody listens on, and of one who hangs up.
	refusals = []error{syscall.Errno(10061), syscall.WSAECONNRESET, syscall.WSAECONNABORTED} // WSAECONNREFUSED
)
