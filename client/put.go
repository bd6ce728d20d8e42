package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"

	"assay/client/bounded"
	"assay/client/i18n"
)

// Put uploads size bytes of file to a pre-signed URL (interface, operation 2): the bare bytes, streamed, with an
// exact length and nothing else. It takes file over and closes it. The upload ends with KindStalled when no byte
// has moved for Options.StallTimeout, and with KindExpired when storage denies the address.
// progress may be nil; it is called from another goroutine, with the bytes handed to the network so far,
// and not any more once Put has returned.
func (c *Client) Put(ctx context.Context, signedURL string, file *os.File, size int64, progress func(sent int64)) error {
	const op = "upload the file"
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	before, err := rewind(file, size)
	if err != nil {
		_ = file.Close() // nothing was read from it
		return &Error{Op: op, Kind: KindFile, Message: i18n.T("The file could not be read."), Err: err}
	}
	body, offset := uploadBody(file)
	hand := handover{ended: make(chan struct{}, 1)}
	sent := func() int64 {
		if hand.whole.Load() {
			return size
		}
		return offset()
	}
	req, err := http.NewRequestWithContext(hand.observe(ctx), http.MethodPut, signedURL, body)
	if err != nil || !c.storable(req.URL) {
		_ = file.Close() // nothing was read from it
		return &Error{Op: op, Kind: KindAnswer, Message: i18n.T("The service gave no usable upload address.")}
	}
	req.ContentLength = size
	req.Header.Set("User-Agent", "") // an empty one is left out
	secret := signatureOf(req.URL)

	watched := make(chan struct{})
	stop := make(chan struct{})
	go func() {
		defer close(watched)
		c.watchUpload(stop, sent, size, progress, cancel)
	}()
	c.uploads.CloseIdleConnections() // one that storage has just closed would fail: a body can't be sent from its start again
	resp, err := c.uploads.Do(req)
	close(stop)
	<-watched
	if err == nil {
		defer resp.Body.Close() //nolint:errcheck // read to its end or given up
	}
	if changed(file.Name(), before) {
		return &Error{Op: op, Kind: KindFile, Message: i18n.T("The file changed while it was being sent.")}
	}
	if err != nil {
		err = orCause(ctx, err)
		var path *os.PathError
		if errors.As(err, &path) {
			return &Error{Op: op, Kind: KindFile, Message: i18n.T("The file could not be read to its end."), Err: path.Err}
		}
		return secret.strip(transportError(op, err))
	}
	answer, _ := bounded.ReadUpTo(resp.Body, maxErrorBody) // what arrived serves
	if expected(resp.StatusCode, nil) {
		_ = resp.Body.Close() // with the answer read the transport ends what it still writes
		if isHTML(resp) {
			return pageInstead(op, resp.StatusCode) // such as a proxy's that lets nothing up
		}
		if !hand.complete() {
			return &Error{Op: op, Kind: KindNetwork, Message: i18n.T("Storage answered before it had the whole file.")}
		}
		return nil
	}
	return secret.strip(c.storageError(op, resp, answer))
}

var (
	errNoFile      = errors.New("it is no regular file")
	errNotThatSize = errors.New("it is not of the size that was found before")
)

// rewind makes sure that it is a file of size bytes, and goes to its first.
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

// cause leaves out the path, which is the person's own.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// changed reports whether the file was written to since before. One that was moved, deleted or replaced
// meanwhile is not: what was open stayed as it was.
func changed(name string, before os.FileInfo) bool {
	after, err := os.Stat(name)
	return err == nil && os.SameFile(before, after) &&
		(after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()))
}
