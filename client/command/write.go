package command

import (
	"context"
	"io"
)

// interruptible is w, given up as soon as ctx ends: who reads what is printed, such as a pager, may not read on. What it is given to write
// must not be changed afterwards.
func interruptible(ctx context.Context, w io.Writer) io.Writer { return interruptibleWriter{ctx, w} }

type interruptibleWriter struct {
	ctx context.Context //nolint:containedctx // io.Writer has no room for it
	w   io.Writer
}

func (i interruptibleWriter) Write(data []byte) (int, error) {
	type outcome struct {
		n   int
		err error
	}
	written := make(chan outcome, 1)
	go func() {
		n, err := i.w.Write(data)
		written <- outcome{n, err}
	}()
	select {
	case o := <-written:
		return o.n, o.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}
