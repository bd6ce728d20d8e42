package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"assay/client/address"
	"assay/client/i18n"
)

// Upload is the answer to a request for an upload address.
type Upload struct {
	SignedURL string    // where the bytes go; secret: its query is a signature
	RequestID string    // the upload's identifier, "" where the answer does not give it away
	Issued    time.Time // when the address was received; it lives SignedURLLife
}

// RequestUpload asks for an address to upload a file of this name to (interface, operation 1).
// The name is at most 200 characters with its extension, as media.SendName makes it.
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
		_ = decodeLenient(answer.Response, &inner) // may be a text: then there is no address, said below
	}
	signed, err := url.Parse(inner.SignedURL)
	if err != nil || !c.storable(signed) {
		return Upload{}, &Error{Op: op, Kind: KindAnswer, Status: http.StatusOK,
			Message: i18n.T("The service gave no usable upload address."), Hint: i18n.T("Try again in a minute.")}
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

// storable says whether bytes may go to u: https; plain http only on the loopback, for a service that is there itself.
func (c *Client) storable(u *url.URL) bool {
	return address.HasHost(u) && (u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname()) && isLoopback(c.base.Hostname()))
}

var uuid = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// identifierInPath finds the identifier in a path of the shape {institution}/{requestId}{extension}:
// the last segment, or the last but one where that has an extension, if it is a UUID once its extension is gone.
// A UUID before a plain file name is the institution's. Anything else is no identifier.
func identifierInPath(path string) string {
	parts := strings.Split(path, "/")
	for i := len(parts) - 1; i >= 0 && i >= len(parts)-2; i-- {
		stem, _, extended := strings.Cut(parts[i], ".")
		if uuid.MatchString(stem) && (extended || i == len(parts)-1) {
			return stem
		}
	}
	return ""
}
