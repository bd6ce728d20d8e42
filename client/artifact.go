package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Artifact downloads what a pre-signed URL leads to, at most limit bytes. No key is sent. A denied address is
// KindExpired: fetch the result again for a fresh one, or let Artifacts do so. Faults that may pass are tried again.
func (c *Client) Artifact(ctx context.Context, signedURL string, limit int64) ([]byte, error) {
	return c.download(ctx, signedURL, limit, func(*http.Response, []byte) bool { return true })
}

const opArtifact = "fetch the file from storage"

// download is Artifact, with a say in whether an answer may be what was asked for, or else a page in its place.
func (c *Client) download(ctx context.Context, signedURL string, limit int64, plausible func(*http.Response, []byte) bool) (body []byte, err error) {
	err = c.persist(ctx, opArtifact, false, func() (failed *Error) {
		body, failed = c.downloadOnce(ctx, signedURL, limit, plausible)
		return failed
	})
	return body, err
}

func (c *Client) downloadOnce(ctx context.Context, signedURL string, limit int64, plausible func(*http.Response, []byte) bool) ([]byte, *Error) {
	const op = opArtifact
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	u, err := url.Parse(signedURL)
	if err != nil || !c.storable(u) {
		return nil, &Error{Op: op, Kind: KindAnswer, Message: "The service gave no usable address for this."}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, signedURL, nil)
	if err != nil {
		return nil, &Error{Op: op, Kind: KindAnswer, Message: "The service gave no usable address for this.", Err: withoutURL(err)}
	}
	req.Header.Set("User-Agent", "Assay")
	stalled := &Error{Op: op, Kind: KindStalled, Message: "The download stopped moving.", Hint: "The connection may be down; try again."}
	watchdog := time.AfterFunc(c.stallTimeout, func() { cancel(stalled) })
	defer watchdog.Stop()
	secret := signatureOf(req.URL)
	resp, err := c.storage.Do(req)
	if err != nil {
		return nil, secret.strip(transportError(op, orCause(ctx, err)))
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end or given up
	if !expected(resp.StatusCode, nil) {
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // what arrived serves
		secret = append(secret, signatureOf(resp.Request.URL)...)      // a redirect may have led to another signed URL
		return nil, secret.strip(c.storageError(op, resp, body))
	}
	body, err := readLimited(&movingReader{r: resp.Body, moved: func() { watchdog.Reset(c.stallTimeout) }}, limit)
	if errors.Is(err, errTooLarge) {
		return nil, &Error{Op: op, Kind: KindAnswer, Status: resp.StatusCode, Message: "The file from the service is larger than Assay reads."}
	}
	if err != nil {
		return nil, secret.strip(transportError(op, orCause(ctx, err)))
	}
	if !plausible(resp, body) {
		return nil, pageInstead(op, resp.StatusCode)
	}
	return body, nil
}

// orCause prefers our own reason for having ended a transfer to the transport's.
func orCause(ctx context.Context, err error) error {
	var own *Error
	if errors.As(context.Cause(ctx), &own) {
		return own
	}
	return err
}

type movingReader struct {
	r     io.Reader
	moved func()
}

func (m *movingReader) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if n > 0 {
		m.moved()
	}
	return n, err
}
