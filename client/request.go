package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"assay/client/bounded"
	"assay/client/i18n"
)

// maxJSON is the largest JSON answer that is read.
const maxJSON = 16 << 20

// call is one request under the base URL.
type call struct {
	op     string     // the operation, for errors: as in "could not …"
	method string     //
	path   []string   // segments below the base path, unescaped
	query  url.Values //
	body   any        // sent as JSON; nil for none
	expect []int      // the statuses that mean success; empty: any 2xx, since the interface shows few

	date *time.Time // is set to when the service answered, by its own clock, as the Date header has it; nil: nobody asks

	once         bool // it must not be done twice
	notTheKey    bool // a 403 does not concern the key
	statusIsDone bool // an expected status means success, whatever the body is
}

// do makes a call with the key, with the retries that decideRetry allows, and returns the JSON of its answer, at most maxJSON bytes. Each attempt has
// Options.CallTimeout and takes a token of the pacer.
func (c *Client) do(ctx context.Context, k call) (answer []byte, err error) {
	err = c.withRetries(ctx, k.op, k.once, func() *Error {
		began, err := c.pacer.enter(ctx, c.now, c.wait)
		if err != nil {
			return transportError(k.op, err)
		}
		var failed *Error
		answer, failed = c.send(ctx, k)
		switch {
		case failed == nil:
			c.pacer.succeeded(c.now())
		case failed.Kind == KindBusy:
			c.pacer.busy(began, c.now(), failed)
		}
		return failed
	})
	return answer, err
}

// send makes one attempt.
func (c *Client) send(ctx context.Context, k call) ([]byte, *Error) {
	ctx, cancel := context.WithTimeout(ctx, c.callTimeout)
	defer cancel()
	var connected atomic.Bool
	req, failed := c.build(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	}), k)
	if failed != nil {
		return nil, failed
	}
	secret := keyOf(req)
	// fail completes an Error; only a call that must not be done twice is ever Uncertain.
	fail := func(e *Error, mayBeDone bool) *Error {
		e.Uncertain = k.once && mayBeDone
		return secret.strip(e)
	}
	resp, err := c.calls.Do(req)
	if err != nil {
		e := transportError(k.op, err)
		return nil, fail(e, connected.Load() && e.Kind == KindNetwork)
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end or given up
	if !expected(resp.StatusCode, k.expect) {
		body, _ := bounded.ReadUpTo(resp.Body, maxErrorBody) // an incomplete body will do
		e := statusError(k.op, resp, body, c.now())
		if k.notTheKey && resp.StatusCode == http.StatusForbidden {
			e = refusal(e, body)
		}
		return nil, fail(e, resp.StatusCode < 300 || e.Kind == KindService)
	}
	body, err := bounded.ReadAll(resp.Body, maxJSON)
	if k.statusIsDone && (err != nil || !json.Valid(body)) {
		return nil, nil
	}
	if tooLarge := (*bounded.Refusal)(nil); errors.As(err, &tooLarge) {
		return nil, fail(&Error{Op: k.op, Kind: KindAnswer, Status: resp.StatusCode, Message: i18n.M("The service's answer is too large for Assay.")}, true)
	}
	if err != nil {
		return nil, fail(transportError(k.op, err), true)
	}
	if e := checkJSON(k.op, resp, body); e != nil {
		return nil, fail(e, true)
	}
	if k.date != nil {
		*k.date, _ = http.ParseTime(resp.Header.Get("Date")) // zero where there is none that can be read
	}
	return body, nil
}

func (c *Client) build(ctx context.Context, k call) (*http.Request, *Error) {
	target := *c.base
	for _, segment := range k.path {
		if segment == "" || segment == "." || segment == ".." {
			return nil, &Error{Op: k.op, Kind: KindSetup, Message: i18n.M("This ID can't be part of a web address.")}
		}
		target.RawPath = target.EscapedPath() + "/" + url.PathEscape(segment)
		target.Path += "/" + segment
	}
	target.RawQuery = k.query.Encode()
	var body io.Reader
	if k.body != nil {
		encoded, err := json.Marshal(k.body)
		if err != nil {
			return nil, &Error{Op: k.op, Kind: KindSetup, Message: i18n.M("The request can't be written as JSON."), Err: err}
		}
		body = bytes.NewReader(encoded)
	}
	req, err := http.NewRequestWithContext(ctx, k.method, target.String(), body)
	if err != nil {
		return nil, &Error{Op: k.op, Kind: KindSetup, Message: i18n.M("The service's address can't be used."), Err: withoutURL(err)}
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "Assay")
	switch key := strings.TrimSpace(c.key()); {
	case key == "" && c.keyRequired:
		return nil, &Error{Op: k.op, Kind: KindKey, Message: i18n.M("There is no key for this service yet."), Hint: keyHint()}
	case strings.ContainsFunc(key, unicode.IsControl):
		return nil, &Error{Op: k.op, Kind: KindKey, Message: i18n.M("The key contains a character that can't be sent."), Hint: keyHint()}
	case key != "":
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

// checkJSON returns the Error of an answer that is no JSON, such as a captive portal's page.
func checkJSON(op string, resp *http.Response, body []byte) *Error {
	if json.Valid(body) {
		return nil
	}
	if isPage(resp, body) {
		return pageInstead(op, resp.StatusCode)
	}
	return &Error{Op: op, Kind: KindAnswer, Status: resp.StatusCode, Message: i18n.M("The service's answer can't be read.")}
}

// isPage reports whether an answer is a web page, by its content type or its first bytes.
func isPage(resp *http.Response, body []byte) bool {
	return isHTML(resp) || bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

func isHTML(resp *http.Response) bool {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return kind == "text/html"
}

// ErrPage is the cause where a web page answered: of a network's log-in, or of a proxy. The request did not reach the service.
var ErrPage = errors.New("a web page")

func pageInstead(op string, status int) *Error {
	return &Error{Op: op, Kind: KindAnswer, Fault: FaultPage, Status: status, Message: i18n.M("A web page answered instead of the service."),
		Hint: i18n.M("This can be a network's log-in page: open a web page in your browser first. Or check the service's address."), Err: ErrPage}
}

// unlessDone returns what decode returns, or as soon as ctx ends that the operation was stopped: decoding many megabytes takes time. The result of
// decode is dropped then, so decode must change nothing else.
func unlessDone[T any](ctx context.Context, op string, decode func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	decoded := make(chan outcome, 1)
	go func() {
		value, err := decode()
		decoded <- outcome{value, err}
	}()
	select {
	case o := <-decoded:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, transportError(op, ctx.Err())
	}
}
