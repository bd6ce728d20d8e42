package ipc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"assay/client/i18n"
)

var errBusy = errors.New("too many calls at once")

// tooMuch refuses a request that is too long.
func tooMuch() *Refusal {
	return &Refusal{Sentence: i18n.T("That is too much to hand over at once: give fewer files.")}
}

// garbled refuses what is no request.
func garbled() *Refusal {
	return &Refusal{Sentence: i18n.T("The running Assay did not understand this: it may be of another version.")}
}

// conversation is one call as the holder sees it.
type conversation struct {
	server *server
	conn   net.Conn

	turn   sync.Mutex // one line is written at a time; guards failed
	failed error      // nothing is written after the first failure

	mu      sync.Mutex // guards closing and the connection's deadlines
	closing bool
}

// run reads the request, has it handled, and closes the connection.
func (c *conversation) run() {
	defer c.conn.Close() //nolint:errcheck // nothing is left to be said
	if checkPeer(c.conn) != nil {
		return
	}
	unwatch := context.AfterFunc(c.server.ctx, c.hurry)
	defer unwatch()
	line, err := c.read()
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		_ = c.write(reply{End: true, Error: refusal.Sentence})
		return
	case errors.Is(err, errBusy):
		_ = c.write(reply{End: true, Busy: true})
		return
	case err != nil: // silent, gone, or this process ends
		return
	}
	if c.write(reply{Received: true}) != nil { // before a large one is decoded, which takes its time
		return
	}
	var request Request
	if err := json.Unmarshal(line, &request); err != nil || request.Op == "" {
		_ = c.write(reply{End: true, Error: garbled().Error()})
		return
	}
	c.answer(request)
}

// answer has the request handled until it is done, the caller is gone, or the holder closes.
func (c *conversation) answer(request Request) {
	ctx, cancel := context.WithCancel(c.server.ctx)
	var listening sync.WaitGroup
	listening.Go(func() {
		defer cancel()
		// The caller has said all: whatever comes now is its end.
		_, _ = c.conn.Read(make([]byte, 1))
	})
	err := c.server.handle(ctx, request, func(v any) error {
		data, err := json.Marshal(v)
		if err != nil {
			return fmt.Errorf("encode an answer: %w", err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		return c.write(reply{Answer: data})
	})
	switch {
	case err == nil:
		_ = c.write(reply{End: true})
	case ctx.Err() == nil:
		_ = c.write(reply{End: true, Error: err.Error()})
	default: // no last line: the caller sees that this holder did not finish
	}
	_ = c.conn.Close()
	listening.Wait()
}

// read returns the request's line once it is whole.
func (c *conversation) read() (line []byte, err error) {
	_ = c.conn.SetReadDeadline(time.Now().Add(requestLimit))
	if c.server.ctx.Err() != nil {
		return nil, c.server.ctx.Err() // the deadline that hurry set may be overwritten
	}
	var taken int64
	defer func() { c.server.reading.Add(-taken) }()
	chunk := make([]byte, 32<<10)
	for {
		n, err := c.conn.Read(chunk)
		line = append(line, chunk[:n]...)
		taken += int64(n)
		switch reading := c.server.reading.Add(int64(n)); {
		case len(line) > maxLine:
			return nil, tooMuch()
		case reading > maxReading:
			return nil, errBusy
		}
		if at := bytes.IndexByte(chunk[:n], '\n'); at >= 0 {
			if at != n-1 { // nothing may follow
				return nil, garbled()
			}
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return line, c.conn.SetReadDeadline(time.Time{})
}

// write sends one line. A caller that does not take it in time is given up.
func (c *conversation) write(r reply) error {
	c.turn.Lock()
	defer c.turn.Unlock()
	if c.failed == nil {
		c.allow(writeLimit)
		c.failed = writeReply(c.conn, r)
	}
	return c.failed
}

// allow gives the next write this long, or less where the holder closes.
func (c *conversation) allow(limit time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		limit = closingLimit
	}
	_ = c.conn.SetWriteDeadline(time.Now().Add(limit))
}

// hurry makes reading end at once and writing soon: the holder closes.
func (c *conversation) hurry() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closing = true
	_ = c.conn.SetReadDeadline(time.Unix(1, 0))
	_ = c.conn.SetWriteDeadline(time.Now().Add(closingLimit))
}

// writeReply sends one line in one write.
func writeReply(w io.Writer, r reply) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if len(line) >= maxLine {
		return tooMuch()
	}
	_, err = w.Write(append(line, '\n'))
	return err
}
