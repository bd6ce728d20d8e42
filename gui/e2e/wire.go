//go:build e2e && linux

package e2e

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// Wire is the network between Assay and a service: it carries bytes both ways, as slowly as a test wants them, and can be cut.
type Wire struct {
	address, service string // host:port
	sent, joined     atomic.Int64

	mutex    sync.Mutex
	listener net.Listener // nil while cut
	ends     map[net.Conn]struct{}
	rate     int64 // bytes a second to the service; 0: as fast as it goes
	free     time.Time
	held     chan struct{} // closed when answers may pass; nil: they may

	carriers sync.WaitGroup
}

// wireChunk is how many bytes are carried at a time: small enough that a slow upload leaves room for the calls beside it.
const wireChunk = 16 << 10

// StartWire lays a wire to the service at an address such as http://127.0.0.1:8080. Close ends it.
func StartWire(ctx context.Context, service string) (*Wire, error) {
	u, err := url.Parse(service)
	if err != nil {
		return nil, fmt.Errorf("wire: %w", err)
	}
	w := &Wire{address: "127.0.0.1:0", service: u.Host, ends: map[net.Conn]struct{}{}}
	return w, w.Mend(ctx)
}

// URL is the service's address at this end.
func (w *Wire) URL() string { return "http://" + w.address }

// Sent is how many bytes were carried to the service up to now.
func (w *Wire) Sent() int64 { return w.sent.Load() }

// Joined is how many connections were made up to now.
func (w *Wire) Joined() int64 { return w.joined.Load() }

// SetRate bounds what is carried to the service, in bytes a second; 0 is no bound.
func (w *Wire) SetRate(rate int64) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.rate, w.free = rate, time.Now()
}

// HoldAnswers keeps back what the service says until LetAnswers; what is said to it goes through.
func (w *Wire) HoldAnswers() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.held == nil {
		w.held = make(chan struct{})
	}
}

// LetAnswers lets pass what the service says.
func (w *Wire) LetAnswers() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.held != nil {
		close(w.held)
		w.held = nil
	}
}

// Cut ends every connection and takes no more, as a network does that is gone.
func (w *Wire) Cut() error {
	w.LetAnswers()
	w.mutex.Lock()
	listener := w.listener
	w.listener = nil
	for end := range w.ends {
		_ = end.Close() // the carrier says goodbye to the other end
	}
	w.mutex.Unlock()
	if listener == nil {
		return nil
	}
	err := listener.Close()
	w.carriers.Wait()
	return err
}

// Mend takes connections again, at the address it had before.
func (w *Wire) Mend(ctx context.Context) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", w.address)
	if err != nil {
		return fmt.Errorf("wire: %w", err)
	}
	w.mutex.Lock()
	w.listener, w.address = listener, listener.Addr().String()
	w.mutex.Unlock()
	w.carriers.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			w.joined.Add(1)
			w.carriers.Go(func() { w.connect(near) })
		}
	})
	return nil
}

// Close ends the wire.
func (w *Wire) Close() error { return w.Cut() }

// connect joins one connection of the app's with one to the service, until either ends.
func (w *Wire) connect(near net.Conn) {
	defer w.forget(near)
	if !w.remember(near) {
		return
	}
	if tcp, ok := near.(*net.TCPConn); ok {
		_ = tcp.SetReadBuffer(4 * wireChunk) // so that the app can't be far ahead of what was carried
	}
	dialer := net.Dialer{Timeout: 5 * time.Second}
	far, err := dialer.DialContext(context.Background(), "tcp", w.service)
	if err != nil {
		return
	}
	defer w.forget(far)
	if !w.remember(far) {
		return
	}
	var back sync.WaitGroup
	back.Go(func() {
		defer func() { _ = near.Close() }()
		w.carry(near, far, w.mayAnswer)
	})
	w.carry(far, near, w.maySend)
	_ = far.Close()
	back.Wait()
}

// carry copies from one end to the other; before gets leave for each piece.
func (w *Wire) carry(to, from net.Conn, before func(n int)) {
	piece := make([]byte, wireChunk)
	for {
		n, err := from.Read(piece)
		if n > 0 {
			before(n)
			if _, err := to.Write(piece[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// maySend waits until n more bytes are due, and counts them.
func (w *Wire) maySend(n int) {
	w.mutex.Lock()
	var due time.Time
	if w.rate > 0 {
		if now := time.Now(); w.free.Before(now) {
			w.free = now
		}
		due = w.free
		w.free = w.free.Add(time.Duration(n) * time.Second / time.Duration(w.rate))
	}
	w.mutex.Unlock()
	time.Sleep(time.Until(due))
	w.sent.Add(int64(n))
}

func (w *Wire) mayAnswer(int) {
	w.mutex.Lock()
	held := w.held
	w.mutex.Unlock()
	if held != nil {
		<-held
	}
}

// remember notes an end, so that a cut reaches it; false where the wire is cut already.
func (w *Wire) remember(end net.Conn) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.listener == nil {
		return false
	}
	w.ends[end] = struct{}{}
	return true
}

func (w *Wire) forget(end net.Conn) {
	w.mutex.Lock()
	delete(w.ends, end)
	w.mutex.Unlock()
	if err := end.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return // a connection that broke is as good as closed
	}
}
