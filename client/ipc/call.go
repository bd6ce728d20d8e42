package ipc

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"time"

	"assay/client/i18n"
)

// How long a caller waits. Of all that comes after the first line, the holder's work decides.
var (
	dialTimeout  = 2 * time.Second
	firstTimeout = 5 * time.Second // for the holder to take a part of the request, or to say that it has all
)

// sendAtOnce is what a holder that lives takes in that time, in bytes.
const sendAtOnce = 256 << 10

// What can go wrong with a call, beside a Refusal.
var (
	// ErrNotServing means that nobody listens, or has no place for another call: the request was not handled.
	ErrNotServing = errors.New("no running Assay listens for other starts")
	// ErrSilent means that the holder lives and says nothing. It will see that the caller is gone, and not begin.
	ErrSilent error = silent{}
	// ErrLost means that the holder began to handle the request and ended before it was done.
	ErrLost = errors.New("the running Assay ended before it was done with this")
)

// silent is ErrSilent.
type silent struct{}

func (silent) Error() string { return "the running Assay does not answer" }

// Sentence says it to the person.
func (silent) Sentence() string {
	return i18n.T("Assay is running already but does not answer: close it, or end its process, and try again.")
}

// Call has the holder of dir handle a request, and calls each for its answers, on this goroutine, in their order. An error
// of each ends the call and is returned, as is ctx's.
func Call(ctx context.Context, dir string, r Request, each func(json.RawMessage) error) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode the request: %w", err)
	}
	if len(line) >= maxLine {
		return tooMuch()
	}
	conn, err := dial(ctx, dir)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%w: %w", ErrNotServing, err)
	}
	defer conn.Close() //nolint:errcheck // nothing is left to be said
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	err = converse(conn, append(line, '\n'), each)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func converse(conn net.Conn, request []byte, each func(json.RawMessage) error) error {
	sending := send(conn, request) // a holder that refuses it has said why before it hung up
	if isTimeout(sending) {
		return ErrSilent
	}
	_ = conn.SetReadDeadline(time.Now().Add(firstTimeout))
	lines := bufio.NewReader(conn)
	first, err := nextReply(lines)
	switch {
	case isTimeout(err):
		return ErrSilent
	case err != nil:
		return fmt.Errorf("%w: %w", ErrNotServing, err)
	case first.End:
		return ended(first)
	case !first.Received || sending != nil:
		return fmt.Errorf("%w: what listens there is not Assay", ErrNotServing)
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	for {
		r, err := nextReply(lines)
		switch {
		case err != nil:
			return fmt.Errorf("%w: %w", ErrLost, err)
		case r.End:
			return ended(r)
		case r.Answer == nil:
			continue // of a later version
		}
		if err := each(r.Answer); err != nil {
			return err
		}
	}
}

// send writes the request, as long as some of it is taken in time.
func send(conn net.Conn, request []byte) error {
	for part := range slices.Chunk(request, sendAtOnce) {
		_ = conn.SetWriteDeadline(time.Now().Add(firstTimeout))
		if _, err := conn.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// ended is what the last line says.
func ended(r reply) error {
	switch {
	case r.Busy:
		return fmt.Errorf("%w: %w", ErrNotServing, errBusy)
	case r.Error != "":
		return &Refusal{Sentence: r.Error}
	}
	return nil
}

// nextReply reads one line, within the limit.
func nextReply(lines *bufio.Reader) (r reply, err error) {
	var line []byte
	for {
		part, err := lines.ReadSlice('\n')
		line = append(line, part...)
		if err == nil {
			break
		}
		if errors.Is(err, io.EOF) && len(line) > 0 {
			return r, io.ErrUnexpectedEOF
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return r, err
		}
		if len(line) > maxLine {
			return r, errors.New("an endless answer")
		}
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return r, fmt.Errorf("read the answer: %w", err)
	}
	return r, nil
}

func isTimeout(err error) bool {
	var e net.Error
	return errors.As(err, &e) && e.Timeout()
}
