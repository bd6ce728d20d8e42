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

// How long a caller waits. Of all that comes after the status, the holder's work decides.
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
	defer conn.Close() //nolint:errcheck // nothing is left to be said
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	err = converse(conn, request, each)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// converse is a call over a connection. http.Client would lose what a holder says that refuses a request before it has read all of it.
func converse(conn net.Conn, request *http.Request, each func(json.RawMessage) error) error {
	request.Close = true
	sending := request.Write(patient{conn}) // a holder that refuses it has said why before it hung up
	if isTimeout(sending) {
		return ErrSilent
	}
	_ = conn.SetReadDeadline(time.Now().Add(firstTimeout))
	bounded := &io.LimitedReader{R: conn, N: maxHeader}
	reader := bufio.NewReader(bounded)
	if first, err := reader.Peek(1); err == nil && first[0] == '{' {
		return OtherVersion()
	}
	response, err := http.ReadResponse(reader, request) //nolint:bodyclose // that would read it to its end; the connection's end is the call's
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
	case response.StatusCode != http.StatusOK, sending != nil, !slices.Contains(response.TransferEncoding, "chunked"): // without chunks nobody would see that it breaks off
		return fmt.Errorf("%w: what listens there is not Assay", ErrNotServing)
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	bounded.N = math.MaxInt64
	return readReplies(response.Body, each)
}

// readReplies returns once the holder has said all, or with why it has not.
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
			continue // of a later version
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

// patient is a connection that is written to for as long as some of it is taken in time.
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
