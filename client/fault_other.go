//go:build !windows

package client

import "syscall"

var (
	// unreachable are the errors of a computer without a network.
	unreachable = []error{syscall.ENETDOWN, syscall.ENETUNREACH, syscall.EHOSTUNREACH}
	// refusals are those of a port that nobody listens on.
	refusals = []error{syscall.ECONNREFUSED}
)
