package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// maxJSON is the largest JSON answer that is read.
const maxJSON = 16 << 20

// call is one request under the base URL.
type call struct {
	op     string     // for errors: what is tried, as in "could not …"
	method string     //
	path   []string   // segments below the base path, unescaped
	query  url.Values //
	body   any        // sent as JSON; nil for none
	expect []int      // the statuses that mean success; the interface shows few, so any 2xx where empty
}

// do sends a call with the key and returns the JSON of its answer, which is at most maxJSON bytes.
func (c *Client) do(ctx context.Context, k call) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.callTimeout)
	defer cancel()
	req, err := c.build(ctx, k)
	if err != nil {
		return nil, err
	}
	secret := keyOf(req)
	resp, err := c.calls.Do(req)
	if err != nil {
		return nil, secret.strip(transportError(k.op, err))
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end or given up
	if !expected(resp.StatusCode, k.expect) {
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // what arrived serves
		return nil, secret.strip(statusError(k.op, resp, body, c.now()))
	}
	body, err := readLimited(resp.Body, maxJSON)
	if err != nil {
		if errors.Is(err, errTooLarge) {
			return nil, &Error{Op: k.op, Kind: KindAnswer, Status: resp.StatusCode, Message: "The service's answer is larger than Assay reads."}
		}
		return nil, secret.strip(transportError(k.op, err))
	}
	if err := checkJSON(k.op, resp, body); err != nil {
		return nil, err
	}
	return body, nil
}

func (c *Client) build(ctx context.Context, k call) (*http.Request, error) {
	target := *c.base
	for _, segment := range k.path {
		if segment == "" || segment == "." || segment == ".." {
			return nil, &Error{Op: k.op, Kind: KindSetup, Message: "The identifier can't be part of an address."}
		}
		target.RawPath = target.EscapedPath() + "/" + url.PathEscape(segment)
		target.Path += "/" + segment
	}
	target.RawQuery = k.query.Encode()
	var body io.Reader
	if k.body != nil {
		encoded, err := json.Marshal(k.body)
		if err != nil {
			return nil, fmt.Errorf("encode the request to %s: %w", k.op, err)
		}
		body = bytes.NewReader(encoded)
	}
	req, err := http.NewRequestWithContext(ctx, k.method, target.String(), body)
	if err != nil {
		return nil, &Error{Op: k.op, Kind: KindSetup, Message: "The service's address can't be used.", Err: withoutURL(err)}
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "Assay")
	if key := strings.TrimSpace(c.key()); key != "" {
		if strings.ContainsFunc(key, unicode.IsControl) {
			return nil, &Error{Op: k.op, Kind: KindKey, Message: "The key holds a character that can't be sent.", Hint: keyHint}
		}
		req.Header.Set("X-Api-Key", key)
	}
	return req, nil
}

func segments(path string) []string {
	return strings.Split(strings.Trim(path, "/"), "/")
}

func expected(status int, list []int) bool {
	if len(list) == 0 {
		return status >= 200 && status < 300
	}
	return slices.Contains(list, status)
}

// checkJSON tells a captive portal's page from the service's answer.
func checkJSON(op string, resp *http.Response, body []byte) error {
	if json.Valid(body) {
		return nil
	}
	e := &Error{Op: op, Kind: KindAnswer, Status: resp.StatusCode, Message: "The service's answer can't be read."}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind == "text/html" || bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
		e.Message = "A web page answered instead of the service."
		e.Hint = "A network log-in page does this: open a web page first. Or check the service's address."
	}
	return e
}

var errTooLarge = errors.New("larger than the limit")

// readLimited reads r whole, or fails with errTooLarge past limit bytes.
func readLimited(r io.Reader, limit int64) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, limit))
	if err != nil {
		return nil, err
	}
	var more [1]byte
	if _, err := io.ReadFull(r, more[:]); err == nil {
		return nil, errTooLarge
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return body, nil
}
