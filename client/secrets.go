package client

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"assay/client/plain"
)

// secrets are texts of a request that an answer may echo and that no Error may hold.
type secrets []string

// Shorter texts are no secret, and leaving them out would garble a message.
const (
	shortestKey       = 4
	shortestSignature = 8
)

// keyOf is the key of a call.
func keyOf(req *http.Request) secrets {
	if key := req.Header.Get("X-Api-Key"); len(key) >= shortestKey {
		return secrets{key}
	}
	return nil
}

// keySecret is the key that the next call would carry.
func (c *Client) keySecret() secrets {
	if key := strings.TrimSpace(c.key()); len(key) >= shortestKey {
		return secrets{key}
	}
	return nil
}

// signatureOf is the query of a signed URL, whole and value by value, as written and as read.
func signatureOf(u *url.URL) secrets {
	var s secrets
	add := func(text string) {
		if len(text) >= shortestSignature {
			s = append(s, text)
		}
	}
	add(u.RawQuery)
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		_, value, _ := strings.Cut(pair, "=")
		add(value)
		if read, err := url.QueryUnescape(value); err == nil && read != value {
			add(read)
		}
	}
	return s
}

// strip leaves the secrets out of every text of e, shortens what is foreign, and returns e.
func (s secrets) strip(e *Error) *Error {
	e.Code = plain.From(s.without(e.Code.Verbatim())).Clip(longestCode)
	e.Message = plain.From(s.without(e.Message)).Clip(longestMessage).String()
	if e.Err != nil {
		if text := e.Err.Error(); text != s.without(text) {
			e.Err = errors.New(s.without(text)) // its own causes would hold the text again
		}
	}
	return e
}

func (s secrets) without(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, "…")
		text = strings.ReplaceAll(text, plain.From(secret).String(), "…")
	}
	return text
}
