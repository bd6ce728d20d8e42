package ipc

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"assay/client/wait"
)

const (
	maxCalls     = 128                    // at a time
	requestLimit = 20 * time.Second       // for a request to arrive whole
	writeLimit   = 30 * time.Second       // for a line to be taken by the caller
	closingLimit = time.Second            // the same, once the holder closes
	acceptPause  = 100 * time.Millisecond // after a failure to accept, such as too many open files
)

// server answers the calls of later starts.
type server struct {
	listener net.Listener
	handle   Handle
	ctx      context.Context
	stop     context.CancelFunc
	work     sync.WaitGroup
	places   chan struct{} // one for each call
	reading  atomic.Int64  // bytes of requests that are being read
}

func startServer(ctx context.Context, listener net.Listener, handle Handle) *server {
	s := &server{listener: listener, handle: handle, places: make(chan struct{}, maxCalls)}
	s.ctx, s.stop = context.WithCancel(ctx)
	s.work.Go(s.accept)
	// With ctx's end no more calls are taken, even where Close comes late.
	s.work.Go(func() {
		<-s.ctx.Done()
		_ = s.listener.Close() // a second time is no harm
	})
	return s
}

// close ends the calls and waits for them.
func (s *server) close() {
	s.stop()
	s.work.Wait()
}

func (s *server) accept() {
	for {
		conn, err := s.listener.Accept()
		switch {
		case err == nil:
			s.take(conn)
		case s.ctx.Err() != nil || errors.Is(err, net.ErrClosed):
			return
		default:
			_ = wait.For(s.ctx, acceptPause) // with its end the next Accept fails
		}
	}
}

// take serves a connection where there is a place for it, and else says so.
func (s *server) take(conn net.Conn) {
	select {
	case s.places <- struct{}{}:
	default:
		_ = conn.SetWriteDeadline(time.Now().Add(closingLimit))
		_ = writeReply(conn, reply{End: true, Busy: true})
		_ = conn.Close()
		return
	}
	s.work.Go(func() {
		defer func() { <-s.places }()
		(&conversation{server: s, conn: conn}).run()
	})
}
