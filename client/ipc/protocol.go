package ipc

import (
	"context"
	"encoding/json"

	"assay/client/i18n"
)

// A call is a POST of a job, as JSON, to pathPrefix and the operation's name. The holder answers 200 as soon as it has all of it, with replies as
// lines of JSON in chunks, each sent at once. A body that ends as HTTP says is the end of the call; one that breaks off is that of a holder
// that was not done. 503 says that there are too many calls for now, 413 that the request is too large, 404 that the holder is of another
// version.
//
// Versions before this one said a line of JSON where HTTP says its request and its status: see conn.Read and converse.
const pathPrefix = "/assay/2/"

// Sizes of what is said, in bytes.
const (
	maxBody    = 24 << 20 // of a request, or of a reply's line; paths of 16 MB, as they are encoded
	maxReading = 64 << 20 // requests that are being read, all together
	maxHeader  = 16 << 10
)

// Request is what a later start asks of the holder: a job, as the operation of this name has it. See Operation.
type Request struct {
	Op  string
	Job json.RawMessage
}

// Paths are paths and links. Paths are any bytes on most systems, which a JSON string would damage: each travels as base64.
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

// Handle answers one request: with answer, as often as it likes and from any goroutine until it returns, and then with nil
// or with a sentence for the person who asked. It returns soon after ctx has ended, which it does with the call and the holder.
type Handle func(ctx context.Context, r Request, answer func(any) error) error

// Refusal is an answer of the holder that ends a call: a sentence for the person.
type Refusal struct{ Sentence string }

func (r *Refusal) Error() string { return r.Sentence }

// OtherVersion refuses what this version does not know.
func OtherVersion() *Refusal {
	return &Refusal{Sentence: i18n.T("The running Assay can't do this: it is of another version. Close it and try again.")}
}

// tooMuch refuses a request that is too large.
func tooMuch() *Refusal {
	return &Refusal{Sentence: i18n.T("That is too much to hand over at once: give fewer files.")}
}

// reply is one line of the holder's: one of its fields is set. One that has neither is of a later version.
type reply struct {
	Answer json.RawMessage `json:"answer,omitempty"`
	Error  string          `json:"error,omitempty"` // a sentence that ends the call
}
