package client

import "context"

// unlessDone returns what decode returns, or that the operation was stopped as soon as ctx ends: an answer of many megabytes takes its
// time. What decode makes is thrown away then, so that it must change nothing else.
func unlessDone[T any](ctx context.Context, op string, decode func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	decoded := make(chan outcome, 1)
	go func() {
		value, err := decode()
		decoded <- outcome{value, err}
	}()
	select {
	case o := <-decoded:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, transportError(op, ctx.Err())
	}
}
