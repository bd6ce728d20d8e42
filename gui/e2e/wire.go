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

// Wire is the network between Assay and a service: it passes bytes both ways, as slowly as a test wants, and can be cut.
type Wire struct {
	address, service string // host:port
	sent, joined     atomic.Int64

	mutex    sync.Mutex
	listener net.Listener // nil while it is cut
	ends     map[net.Conn]struct{}
	rate     int64 // bytes per second to the service; 0: no limit
	free     time.Time
	held     chan struct{} // closed when answers may pass; nil: they may pass

	carriers sync.WaitGroup
}

// wireChunk is how many bytes are passed at a time: small enough that calls get through during a slow upload.
const wireChunk = 16 << 10

// StartWire makes a wire to the service at a URL such as http://127.0.0.1:8080. Close ends it.
func StartWire(ctx context.Context, service string) (*Wire, error) {
	u, err := url.Parse(service)
	if err != nil {
		return nil, fmt.Errorf("wire: %w", err)
	}
	w := &Wire{address: "127.0.0.1:0", service: u.Host, ends: map[net.Conn]struct{}{}}
	return w, w.Mend(ctx)
}

// URL is the service's URL through the wire.
func (w *Wire) URL() string { return "http://" + w.address }

// Sent is how many bytes were passed to the service so far.
func (w *Wire) Sent() int64 { return w.sent.Load() }

// Joined is how many connections were made so far.
func (w *Wire) Joined() int64 { return w.joined.Load() }

// SetRate limits what is passed to the service, in bytes per second; 0 for no limit.
func (w *Wire) SetRate(rate int64) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.rate, w.free = rate, time.Now()
}

// HoldAnswers holds back what the service sends until LetAnswers; requests still pass.
func (w *Wire) HoldAnswers() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.held == nil {
		w.held = make(chan struct{})
	}
}

// LetAnswers lets what the service sends pass.
func (w *Wire) LetAnswers() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.held != nil {
		close(w.held)
		w.held = nil
	}
}

// Cut ends all connections and refuses new ones, as if the network were gone.
func (w *Wire) Cut() error {
	w.LetAnswers()
	w.mutex.Lock()
	listener := w.listener
	w.listener = nil
	for end := range w.ends {
		_ = end.Close() // carry then closes the other end
	}
	w.mutex.Unlock()
	if listener == nil {
		return nil
	}
	err := listener.Close()
	w.carriers.Wait()
	return err
}

// Mend accepts connections again, at the same address.
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

// connect connects a connection of the app with one to the service, until either ends.
func (w *Wire) connect(near net.Conn) {
	defer w.forget(near)
	if !w.remember(near) {
		return
	}
	if tcp, ok := near.(*net.TCPConn); ok {
		_ = tcp.SetReadBuffer(4 * wireChunk) // so that the app can't be far ahead of what was passed
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

// carry copies from one end to the other; it calls before with the size of each piece.
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

// maySend waits until the rate allows n more bytes, and counts them.
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

// remember registers a connection, so that Cut closes it; false if the wire is cut already.
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
		return // a broken connection counts as closed
	}
}
