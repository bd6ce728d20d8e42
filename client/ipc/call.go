package ipc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"

	"assay/client/i18n"
)

// How long a caller waits. Once the status has come, the holder may take as long as its work does.
var (
	dialTimeout  = 2 * time.Second
	firstTimeout = 5 * time.Second // for the holder to read a part of the request, or to answer that it has all of it
)

// sendAtOnce is how many bytes of a request are sent within that time: a live holder reads as many.
const sendAtOnce = 256 << 10

// The errors of a call, besides a Refusal.
var (
	// ErrNotServing means that nobody listens, or that there are too many calls: the request was not handled.
	ErrNotServing = errors.New("no running Assay listens for other starts")
	// ErrSilent means that the holder lives but does not answer. It will notice that the caller has gone, and not begin.
	ErrSilent error = silent{}
	// ErrLost means that the holder began to handle the request and ended before it was done.
	ErrLost = errors.New("the running Assay ended before it was done with this")
)

// silent is ErrSilent.
type silent struct{}

func (silent) Error() string { return "the running Assay does not answer" }

// Sentence is what the person reads.
func (silent) Sentence() string {
	return i18n.T("Assay is already running but does not answer. Close it, or end its process, and try again.")
}

// Call has the holder of dir handle a request, and calls each with its answers, on this goroutine, in their order. An error of each ends the call and
// is returned, as is ctx's.
func Call(ctx context.Context, dir string, r Request, each func(json.RawMessage) error) error {
	if len(r.Job) > maxBody {
		return tooMuch()
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://assay"+pathPrefix+url.PathEscape(r.Op), bytes.NewReader(r.Job))
	if err != nil {
		return fmt.Errorf("encode the request: %w", err)
	}
	conn, err := dial(ctx, dir)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%w: %w", ErrNotServing, err)
	}
	defer conn.Close() //nolint:errcheck // nothing is left to be sent
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	err = converse(conn, request, each)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// converse is a call over a connection. http.Client would lose the answer of a holder that refuses a request before it has read all of it.
func converse(conn net.Conn, request *http.Request, each func(json.RawMessage) error) error {
	request.Close = true
	sending := request.Write(patient{conn}) // a holder that refuses it has answered before it hung up
	if isTimeout(sending) {
		return ErrSilent
	}
	_ = conn.SetReadDeadline(time.Now().Add(firstTimeout))
	bounded := &io.LimitedReader{R: conn, N: maxHeader}
	reader := bufio.NewReader(bounded)
	if first, err := reader.Peek(1); err == nil && first[0] == '{' {
		return OtherVersion()
	}
	response, err := http.ReadResponse(reader, request) //nolint:bodyclose // closing the body would read it to its end; closing the connection ends the call
	switch {
	case isTimeout(err):
		return ErrSilent
	case err != nil:
		return fmt.Errorf("%w: %w", ErrNotServing, err)
	}
	switch {
	case response.StatusCode == http.StatusServiceUnavailable:
		return fmt.Errorf("%w: %w", ErrNotServing, errBusy)
	case response.StatusCode == http.StatusRequestEntityTooLarge:
		return tooMuch()
	case response.StatusCode == http.StatusNotFound:
		return OtherVersion()
	case response.StatusCode != http.StatusOK, sending != nil, !slices.Contains(response.TransferEncoding, "chunked"): // without chunks, an answer that breaks off looks complete
		return fmt.Errorf("%w: what listens there is not Assay", ErrNotServing)
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	bounded.N = math.MaxInt64
	return readReplies(response.Body, each)
}

// readReplies returns nil once the holder's answer is complete, or else the error.
func readReplies(body io.Reader, each func(json.RawMessage) error) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxBody)
	for lines.Scan() {
		var r reply
		switch err := json.Unmarshal(lines.Bytes(), &r); {
		case err != nil:
			return fmt.Errorf("%w: read an answer: %w", ErrLost, err)
		case r.Error != "":
			return &Refusal{Sentence: r.Error}
		case r.Answer == nil:
			continue // a kind of reply that only a later version knows
		}
		if err := each(r.Answer); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return nil
}

// patient is a connection whose writes go on as long as each part is taken in time.
type patient struct{ net.Conn }

// Write implements io.Writer.
func (p patient) Write(data []byte) (n int, err error) {
	for part := range slices.Chunk(data, sendAtOnce) {
		_ = p.SetWriteDeadline(time.Now().Add(firstTimeout))
		written, err := p.Conn.Write(part)
		if n += written; err != nil {
			return n, err
		}
	}
	return n, nil
}

func isTimeout(err error) bool {
	var e net.Error
	return errors.As(err, &e) && e.Timeout()
}
