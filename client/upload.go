package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"assay/client/address"
	"assay/client/bounded"
	"assay/client/i18n"
	"assay/client/lazyregexp"
)

// Upload is the answer to the request for an upload URL.
type Upload struct {
	SignedURL string    // where the bytes go; secret: its query is a signature
	RequestID string    // "" where the answer does not give it
	Issued    time.Time // when it was received; it lives SignedURLLife
}

// RequestUpload requests a URL to upload a file of this name to (interface, operation 1). The name has at most 200 characters with its extension, as
// media.SendName makes it.
func (c *Client) RequestUpload(ctx context.Context, name string) (Upload, error) {
	const op = "ask for an upload address"
	body, err := c.do(ctx, call{
		op:     op,
		method: http.MethodPost,
		path:   segments(c.uploadPath),
		body: struct {
			FileName string `json:"fileName"`
		}{name},
	})
	if err != nil {
		return Upload{}, err
	}
	var answer struct {
		RequestID string          `json:"requestId"`
		Response  json.RawMessage `json:"response"`
	}
	var inner struct {
		SignedURL string `json:"signedUrl"`
		RequestID string `json:"requestId"`
	}
	if err := decodeLenient(body, &answer); err == nil {
		_ = decodeLenient(answer.Response, &inner) // it may be a text: then there is no URL, which is an error below
	}
	signed, err := url.Parse(inner.SignedURL)
	if err != nil || !c.storable(signed) {
		return Upload{}, &Error{Op: op, Kind: KindAnswer, Status: http.StatusOK,
			Message: i18n.M("The service gave no usable upload address."), Hint: i18n.M("Try again in a minute.")}
	}
	id := answer.RequestID
	if id == "" {
		id = inner.RequestID
	}
	if id == "" {
		id = identifierInPath(signed.Path)
	}
	return Upload{SignedURL: inner.SignedURL, RequestID: id, Issued: c.now()}, nil
}

// storable reports whether bytes may be sent to u: by https, or by http on loopback if the service is on loopback itself.
func (c *Client) storable(u *url.URL) bool {
	return address.HasHost(u) && (u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname()) && isLoopback(c.base.Hostname()))
}

var uuid = lazyregexp.New(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// identifierInPath finds the request ID in a path of the shape {institution}/{requestId}{extension}: the last segment, or the last but one if the
// last has an extension, where that segment without its extension is a UUID. A UUID before a plain file name is the institution's. Anything else is
// no request ID.
func identifierInPath(path string) string {
	parts := strings.Split(path, "/")
	for i := len(parts) - 1; i >= 0 && i >= len(parts)-2; i-- {
		stem, _, extended := strings.Cut(parts[i], ".")
		if uuid().MatchString(stem) && (extended || i == len(parts)-1) {
			return stem
		}
	}
	return ""
}

// Put uploads size bytes of file to a pre-signed URL (interface, operation 2): the bare bytes, streamed, with an exact length and nothing else. It
// owns file and closes it. It fails with KindStalled when no byte has moved for Options.StallTimeout, and with KindExpired when storage denies the
// URL. progress may be nil; it is called on another goroutine, with the number of bytes given to the network so far, and never after Put has
// returned.
func (c *Client) Put(ctx context.Context, signedURL string, file *os.File, size int64, progress func(sent int64)) error {
	const op = "upload the file"
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	before, err := rewind(file, size)
	if err != nil {
		_ = file.Close() // nothing was read
		return &Error{Op: op, Kind: KindFile, Message: i18n.M("The file could not be read."), Err: err}
	}
	body, offset := uploadBody(file)
	hand := writeTrace{ended: make(chan struct{}, 1)}
	sent := func() int64 {
		if hand.whole.Load() {
			return size
		}
		return offset()
	}
	req, err := http.NewRequestWithContext(hand.observe(ctx), http.MethodPut, signedURL, body)
	if err != nil || !c.storable(req.URL) {
		_ = file.Close() // nothing was read
		return &Error{Op: op, Kind: KindAnswer, Message: i18n.M("The service gave no usable upload address.")}
	}
	req.ContentLength = size
	req.Header.Set("User-Agent", "") // an empty header is not sent
	secret := signatureOf(req.URL)

	watched := make(chan struct{})
	stop := make(chan struct{})
	go func() {
		defer close(watched)
		c.watchUpload(stop, sent, size, progress, cancel)
	}()
	c.uploads.CloseIdleConnections() // a connection that storage has just closed would fail, and the body can't be sent a second time
	resp, err := c.uploads.Do(req)
	close(stop)
	<-watched
	if err == nil {
		defer resp.Body.Close() //nolint:errcheck // read to its end or given up
	}
	if changed(file.Name(), before) {
		return &Error{Op: op, Kind: KindFile, Message: i18n.M("The file changed while it was being sent.")}
	}
	if err != nil {
		err = orCause(ctx, err)
		var path *os.PathError
		if errors.As(err, &path) {
			return &Error{Op: op, Kind: KindFile, Message: i18n.M("The file could not be read to its end."), Err: path.Err}
		}
		return secret.strip(transportError(op, err))
	}
	answer, _ := bounded.ReadUpTo(resp.Body, maxErrorBody) // an incomplete body will do
	if expected(resp.StatusCode, nil) {
		_ = resp.Body.Close() // the transport stops writing, if it still does
		if isHTML(resp) {
			return pageInstead(op, resp.StatusCode) // such as that of a proxy that allows no uploads
		}
		if !hand.complete() {
			return &Error{Op: op, Kind: KindNetwork, Message: i18n.M("The service's storage answered before it had the whole file.")}
		}
		return nil
	}
	return secret.strip(c.storageError(op, resp, answer))
}

var (
	errNoFile      = errors.New("it is no regular file")
	errNotThatSize = errors.New("it is not of the size that was found before")
)

// rewind checks that file is a file of size bytes, and seeks to its start.
func rewind(file *os.File, size int64) (os.FileInfo, error) {
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, cause(err)
	case !info.Mode().IsRegular():
		return nil, errNoFile
	case info.Size() != size:
		return nil, errNotThatSize
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, cause(err)
	}
	return info, nil
}

// cause is err without the path, which is private.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// changed reports whether the file was written to since before. If it was moved, deleted or replaced meanwhile, it was not: the open file stays as it
// was.
func changed(name string, before os.FileInfo) bool {
	after, err := os.Stat(name)
	return err == nil && os.SameFile(before, after) &&
		(after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()))
}

// progressInterval is how often an upload's progress is reported and checked.
const progressInterval = 100 * time.Millisecond

// watchUpload reports progress, and cancels a transfer that has stalled, until stop is closed.
func (c *Client) watchUpload(stop <-chan struct{}, sent func() int64, size int64, progress func(int64), cancel context.CancelCauseFunc) {
	tick := time.NewTicker(min(progressInterval, c.stallTimeout/4))
	defer tick.Stop()
	stall := stallWatch{size: size, moving: c.stallTimeout, answer: c.answerTimeout, last: c.now()}
	for {
		select {
		case <-stop:
			if n := sent(); progress != nil && n > stall.sent {
				progress(n)
			}
			return
		case <-tick.C:
			n := sent()
			if progress != nil && n > stall.sent {
				progress(n)
			}
			if stall.at(n, c.now()) {
				cancel(&Error{Op: "upload the file", Kind: KindStalled, Message: i18n.M("The upload stopped moving."),
					Hint: i18n.M("The connection may be down; Assay tries again.")})
				return
			}
		}
	}
}

// stallWatch tells a slow transfer from one that has stalled.
type stallWatch struct {
	size           int64
	moving, answer time.Duration // how long without a byte moving, and how long for the answer after the last byte
	sent           int64
	last           time.Time
}

// at is given how much was sent at a time, and reports whether the transfer has stalled.
func (s *stallWatch) at(sent int64, now time.Time) bool {
	if sent > s.sent {
		s.sent, s.last = sent, now
		return false
	}
	limit := s.moving
	if s.sent >= s.size {
		limit = max(s.answer, s.moving)
	}
	return now.Sub(s.last) >= limit
}

// writeTrace records whether the transport has given the whole file to the network.
type writeTrace struct {
	whole atomic.Bool
	ended chan struct{} // holds one value once an attempt to write the request has ended
}

func (h *writeTrace) observe(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(info httptrace.WroteRequestInfo) {
		h.whole.Store(info.Err == nil)
		select {
		case h.ended <- struct{}{}:
		default:
		}
	}})
}

// complete is called once there is an answer, which may come before the transport reports that all was written.
func (h *writeTrace) complete() bool {
	if h.whole.Load() {
		return true
	}
	patience := time.NewTimer(5 * time.Second)
	defer patience.Stop()
	select {
	case <-h.ended:
	case <-patience.C:
	}
	return h.whole.Load()
}
