package ipc

import (
	"context"
	"encoding/json"

	"assay/client/i18n"
)

// A call is a POST of a job, as JSON, to pathPrefix and the operation's name. The holder answers 200 as soon as it has read all of it, then replies
// as lines of JSON in chunks, each sent at once. If the body ends as HTTP says, the call is done; if it breaks off, the holder ended too early. 503
// means too many calls, 413 a request that is too large, 404 a holder of another version.
//
// Earlier versions sent a line of JSON in place of HTTP's request and status: see conn.Read and converse.
const pathPrefix = "/assay/2/"

// Limits, in bytes.
const (
	maxBody    = 24 << 20 // of a request, or of a line of the reply: 16 MB of paths, encoded
	maxReading = 64 << 20 // of all requests that are being read
	maxHeader  = 16 << 10
)

// Request is what a later start asks of the holder: the name of an operation and its job. See Operation.
type Request struct {
	Op  string
	Job json.RawMessage
}

// Paths are paths and links. On most systems a path may be any bytes, which a JSON string would damage: each travels as base64.
type Paths []string

// MarshalJSON implements json.Marshaler.
func (p Paths) MarshalJSON() ([]byte, error) {
	raw := make([][]byte, len(p))
	for i, path := range p {
		raw[i] = []byte(path)
	}
	return json.Marshal(raw)
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *Paths) UnmarshalJSON(data []byte) error {
	var raw [][]byte
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	*p = make(Paths, len(raw))
	for i, path := range raw {
		(*p)[i] = string(path)
	}
	return nil
}

// Handle handles one request: it calls answer as often as it likes, on any goroutine, and returns nil or an error with a sentence for the person who
// asked. ctx ends with the call and with the holder; Handle must then return soon.
type Handle func(ctx context.Context, r Request, answer func(any) error) error

// Refusal is an answer that ends a call: a sentence for the person.
type Refusal struct{ Sentence string }

func (r *Refusal) Error() string { return r.Sentence }

// OtherVersion is the refusal of what this version does not know.
func OtherVersion() *Refusal {
	return &Refusal{Sentence: i18n.T("The running Assay can't do this: it is a different version. Close Assay and start it again.")}
}

// tooMuch is the refusal of a request that is too large.
func tooMuch() *Refusal {
	return &Refusal{Sentence: i18n.T("That is too much at once. Give fewer files.")}
}

// reply is one line of the holder's answer: exactly one field is set. If none is, it is from a later version.
type reply struct {
	Answer json.RawMessage `json:"answer,omitempty"`
	Error  string          `json:"error,omitempty"` // a sentence that ends the call
}
