package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Bounds of a connection. There is none for a whole request: a large upload takes as long as it takes.
const (
	headerTimeout   = 10 * time.Second
	idleTimeout     = 2 * time.Minute
	maxHeaders      = 64 << 10
	shutdownTimeout = 2 * time.Second
)

// Server serves a Sandbox on the loopback.
type Server struct {
	http     *http.Server
	listener net.Listener
	served   chan struct{} // closed when the serving goroutine has ended
	release  func()        // ends the calls that a fault stalls
	unwatch  func() bool   // stops watching Listen's ctx
}

// Listen serves s at addr, such as "127.0.0.1:0", until Close or the end of ctx. An address that other computers
// could reach is refused.
func Listen(ctx context.Context, addr string, s *Sandbox) (*Server, error) {
	if err := onlyLoopback(addr); err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("the sandbox can't listen: %w", err)
	}
	if at, ok := listener.Addr().(*net.TCPAddr); !ok || !at.IP.IsLoopback() {
		return nil, errors.Join(notLoopback(addr), listener.Close()) // a "localhost" that isn't
	}
	stopping, release := context.WithCancel(context.WithoutCancel(ctx))
	server := &Server{
		release: release,
		http: &http.Server{
			Handler:           s,
			ReadHeaderTimeout: headerTimeout,
			IdleTimeout:       idleTimeout,
			MaxHeaderBytes:    maxHeaders,
			// Calls that a fault stalls end when the server does, which they could not tell from their connection.
			BaseContext: func(net.Listener) context.Context {
				return context.WithValue(context.WithoutCancel(ctx), stoppingKey{}, stopping.Done())
			},
			ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		},
		listener: listener,
		served:   make(chan struct{}),
	}
	go func() {
		defer close(server.served)
		if err := server.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("the sandbox stopped serving", "error", err)
		}
	}()
	server.unwatch = context.AfterFunc(ctx, func() {
		release()
		if err := server.http.Close(); err != nil {
			s.log.Warn("the sandbox's connections could not be closed", "error", err)
		}
	})
	return server, nil
}

// URL is the address to call, such as http://127.0.0.1:41234.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Close ends serving: requests under way get a moment, then their connections are closed. It does not close the Sandbox.
func (s *Server) Close() error {
	s.unwatch()
	s.release()
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.http.Close()
	}
	<-s.served
	return err
}

func onlyLoopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("the sandbox's address: %w", err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return notLoopback(addr)
	}
	return nil
}

func notLoopback(addr string) error {
	return fmt.Errorf("the sandbox serves this computer alone: %q is not a loopback address such as 127.0.0.1:0", addr)
}
