package ipc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxCalls     = 128              // at a time
	requestLimit = 20 * time.Second // for a whole request to arrive
	writeLimit   = 30 * time.Second // for the caller to take what is written
	closingLimit = time.Second      // the same, once the holder closes
)

// server answers the calls of later starts.
type server struct {
	listener net.Listener
	handle   Handle
	ctx      context.Context // ends all calls
	stop     context.CancelFunc
	work     sync.WaitGroup // the listener's and each connection's goroutine
	slots    chan struct{}  // one for each connection
	reading  atomic.Int64   // bytes of requests that are being read
}

var errBusy = errors.New("too many calls at once")

func startServer(ctx context.Context, listener net.Listener, handle Handle) *server {
	s := &server{listener: listener, handle: handle, slots: make(chan struct{}, maxCalls)}
	s.ctx, s.stop = context.WithCancel(ctx)
	web := http.Server{
		Handler:        s,
		ReadTimeout:    requestLimit,
		MaxHeaderBytes: maxHeader,
		BaseContext:    func(net.Listener) context.Context { return s.ctx },
		ErrorLog:       log.New(io.Discard, "", 0), // about callers that break the rules; they get an answer
	}
	web.SetKeepAlivesEnabled(false) // a connection has one call
	s.work.Go(func() { _ = web.Serve(callers{listener, s}) })
	// When ctx ends, no more calls are accepted, even if close is called late.
	s.work.Go(func() {
		<-s.ctx.Done()
		_ = s.listener.Close() // closing twice does no harm
	})
	return s
}

// close ends the calls and waits for them.
func (s *server) close() {
	s.stop()
	s.work.Wait()
}

// callers accepts connections from processes of the same user, no more than there are slots.
type callers struct {
	net.Listener
	server *server
}

// Accept implements net.Listener.
func (l callers) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if checkPeer(c) != nil {
			_ = c.Close()
			continue
		}
		select {
		case l.server.slots <- struct{}{}:
			return l.server.newConn(c), nil
		default:
			_ = c.SetWriteDeadline(time.Now().Add(closingLimit))
			_ = (&http.Response{StatusCode: http.StatusServiceUnavailable, ProtoMajor: 1, ProtoMinor: 1, Close: true}).Write(c)
			_ = c.Close()
		}
	}
}

// conn is the connection of one call. It is closed soon after the holder closes.
type conn struct {
	net.Conn
	read    bool // something was read
	release func()

	mu      sync.Mutex // guards closing and the deadlines
	closing bool
}

func (s *server) newConn(accepted net.Conn) *conn {
	c := &conn{Conn: accepted}
	s.work.Add(1)
	unwatch := context.AfterFunc(s.ctx, c.hurry)
	c.release = sync.OnceFunc(func() {
		unwatch()
		<-s.slots
		s.work.Done()
	})
	return c
}

// hurry makes reads fail at once and writes fail soon.
func (c *conn) hurry() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closing = true
	_ = c.Conn.SetReadDeadline(time.Unix(1, 0))
	_ = c.SetWriteDeadline(time.Now().Add(closingLimit))
}

// SetReadDeadline implements net.Conn.
func (c *conn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		return nil
	}
	return c.Conn.SetReadDeadline(t)
}

// Read implements net.Conn. A start of a version that did not speak HTTP is answered in the line of JSON that it reads.
func (c *conn) Read(data []byte) (int, error) {
	n, err := c.Conn.Read(data)
	if n == 0 || c.read {
		return n, err
	}
	c.read = true
	if data[0] != '{' {
		return n, err
	}
	line, err := json.Marshal(struct {
		End   bool   `json:"end"`
		Error string `json:"error"`
	}{true, OtherVersion().Sentence})
	if err == nil {
		_, _ = c.Write(append(line, '\n'))
	}
	return 0, io.EOF
}

// Write implements net.Conn. It fails if the caller does not take the data in time.
func (c *conn) Write(data []byte) (int, error) {
	c.mu.Lock()
	limit := writeLimit
	if c.closing {
		limit = closingLimit
	}
	_ = c.SetWriteDeadline(time.Now().Add(limit))
	c.mu.Unlock()
	return c.Conn.Write(data)
}

// Close implements net.Conn.
func (c *conn) Close() error {
	defer c.release()
	return c.Conn.Close()
}

// ServeHTTP implements http.Handler: it handles a call until it is done, the caller is gone, or the holder closes.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	op, ours := strings.CutPrefix(r.URL.Path, pathPrefix)
	if !ours || op == "" || r.Method != http.MethodPost {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	body, err := s.read(r.Body)
	var tooLarge *Refusal
	switch {
	case errors.Is(err, errBusy):
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	case errors.As(err, &tooLarge):
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	case err != nil: // the caller is silent or gone, or this process ends
		panic(http.ErrAbortHandler)
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // all of the request is read: the next read returns when the caller is gone
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.WriteHeader(http.StatusOK)
	if control.Flush() != nil { // before a large job is decoded, which takes a while
		return
	}
	var mu sync.Mutex // lets one goroutine at a time write a line
	write := func(line reply) error {
		data, err := json.Marshal(line)
		if err != nil {
			return fmt.Errorf("encode an answer: %w", err)
		}
		if len(data) >= maxBody {
			return tooMuch()
		}
		mu.Lock()
		defer mu.Unlock()
		if _, err := w.Write(append(data, '\n')); err != nil {
			return err
		}
		return control.Flush()
	}
	ctx := r.Context()
	done := make(chan error, 1)
	go func() { // a goroutine of its own, so that a panic ends the process, as elsewhere: http.Server would recover from it
		done <- s.handle(ctx, Request{Op: op, Job: body}, func(v any) error {
			data, err := json.Marshal(v)
			if err != nil {
				return fmt.Errorf("encode an answer: %w", err)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			return write(reply{Answer: data})
		})
	}()
	switch err := <-done; {
	case err == nil:
	case ctx.Err() == nil:
		_ = write(reply{Error: err.Error()})
	default:
		panic(http.ErrAbortHandler) // this breaks off the answer, by which the caller sees that it is not complete
	}
}

// read returns the body of a request once it is complete.
func (s *server) read(from io.Reader) (body []byte, err error) {
	defer func() { s.reading.Add(-int64(len(body))) }()
	chunk := make([]byte, 32<<10)
	for {
		n, err := from.Read(chunk)
		body = append(body, chunk[:n]...)
		switch reading := s.reading.Add(int64(n)); {
		case len(body) > maxBody:
			return body, tooMuch()
		case reading > maxReading:
			return body, errBusy
		case errors.Is(err, io.EOF):
			return body, nil
		case err != nil:
			return body, err
		}
	}
}
