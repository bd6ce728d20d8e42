package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"assay/client/plain"
)

// secrets are texts of a request that an answer may echo and that no Error may hold.
type secrets []string

// A shorter text is no secret, and removing it would garble a message.
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

// keySecret is the key that the next call would send.
func (c *Client) keySecret() secrets {
	if key := strings.TrimSpace(c.key()); len(key) >= shortestKey {
		return secrets{key}
	}
	return nil
}

// signatureOf is the query of a signed URL, whole and value by value, both escaped and unescaped.
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

// strip removes the secrets from every text of e, shortens texts from outside, and returns e.
func (s secrets) strip(e *Error) *Error {
	e.Code = plain.From(s.without(e.Code.Verbatim())).Clip(longestCode)
	e.Message = e.Message.Map(func(text string) string { return plain.From(s.without(text)).Clip(longestMessage).String() })
	if e.Err != nil {
		if text := e.Err.Error(); text != s.without(text) {
			e.Err = errors.New(s.without(text)) // its causes would hold the text again
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

// leftOut replaces the query of a URL.
const leftOut = "?…"

// Shareable is a JSON text of the service without the query of any URL in it, so that it can be shown, printed or exported: with its query, a
// pre-signed URL opens the file to whoever reads it. Only the field of a social media link keeps its query. All else stays byte for byte. For data
// that is no JSON it is nil.
func Shareable(data []byte) []byte {
	return rewritten(data, func(field, text string) string {
		if field == "socialLink" {
			return text
		}
		return withoutQueries(text)
	})
}

// WithoutLinks is a JSON text of the service with an empty text in place of each value that has an http URL in it: what another computer has sent must
// not lead this one to an address. For data that is no JSON it is nil.
func WithoutLinks(data []byte) []byte {
	return rewritten(data, func(_, text string) string {
		if addressIn(text) >= 0 {
			return ""
		}
		return text
	})
}

// WithoutNames is a JSON text of the service with an empty text in place of each value that tells the file's name: of the fields that have it, and of
// any that has one of these names in it. For data that is no JSON it is nil.
func WithoutNames(data []byte, names ...string) []byte {
	return rewritten(data, func(field, text string) string {
		if field == "filename" || field == "originalFileName" || field == "socialLink" ||
			slices.ContainsFunc(names, func(name string) bool { return name != "" && strings.Contains(text, name) }) {
			return ""
		}
		return text
	})
}

// rewritten is a JSON text with its strings, keys and values, as rewrite has them, which is given the last key before them. All else stays byte for
// byte. For data that is no JSON it is nil.
func rewritten(data []byte, rewrite func(field, text string) string) []byte {
	if !json.Valid(data) {
		return nil
	}
	var out bytes.Buffer
	out.Grow(len(data))
	field := "" // the last object key
	for i := 0; i < len(data); {
		if data[i] != '"' {
			out.WriteByte(data[i])
			i++
			continue
		}
		end := literalEnd(data, i)
		literal := data[i:end]
		i = end
		var text string
		_ = json.Unmarshal(literal, &text) // valid, as the whole is
		of := field
		if isKey(data[end:]) {
			field, of = text, ""
		}
		if clean := rewrite(of, text); clean != text {
			literal, _ = json.Marshal(clean) // a string always can be
		}
		out.Write(literal)
	}
	return out.Bytes()
}

// literalEnd is the index after the string that begins at start.
func literalEnd(data []byte, start int) int {
	for i := start + 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}

// addressIn is the index at which the first http URL in a word begins, -1 where there is none.
func addressIn(word string) int {
	lower := strings.ToLower(word)
	at := -1
	for _, scheme := range []string{"http://", "https://"} {
		if i := strings.Index(lower, scheme); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}

func isKey(rest []byte) bool {
	rest = bytes.TrimLeft(rest, jsonSpace)
	return len(rest) > 0 && rest[0] == ':'
}

// withoutQueries removes user, query and fragment of each http URL in a text.
func withoutQueries(text string) string {
	if !strings.Contains(text, "://") {
		return text
	}
	words := strings.SplitAfter(text, " ")
	for n, word := range words {
		bare := strings.TrimRight(word, " ")
		at := addressIn(bare)
		if at < 0 {
			continue
		}
		u, err := url.Parse(bare[at:])
		if err != nil { // a URL that can't be parsed may hold anything
			if q := strings.IndexAny(bare, "?#"); q >= 0 {
				words[n] = bare[:q] + leftOut + word[len(bare):]
			}
			continue
		}
		if u.Host == "" || u.RawQuery == "" && u.Fragment == "" && u.User == nil {
			continue
		}
		u.User, u.RawQuery, u.Fragment, u.ForceQuery = nil, "", "", false
		words[n] = bare[:at] + u.String() + leftOut + word[len(bare):]
	}
	return strings.Join(words, "")
}
