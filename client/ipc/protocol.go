package ipc

import (
	"context"
	"encoding/json"
)

// Sizes of what is said over the socket, in bytes.
const (
	maxLine    = 24 << 20 // one line; paths of 16 MB, as they are encoded
	maxReading = 64 << 20 // requests that are being read, all together
)

// Request is what a later start asks of the holder. It travels as one line of JSON.
type Request struct {
	Op      string          `json:"op"`
	Given   Given           `json:"given,omitempty"`
	Options json.RawMessage `json:"options,omitempty"` // as Op has them
}

// Given are paths and links. Paths are any bytes on most systems, which a JSON string would damage: each travels as base64.
type Given []string

// MarshalJSON implements json.Marshaler.
func (g Given) MarshalJSON() ([]byte, error) {
	raw := make([][]byte, len(g))
	for i, path := range g {
		raw[i] = []byte(path)
	}
	return json.Marshal(raw)
}

// UnmarshalJSON implements json.Unmarshaler.
func (g *Given) UnmarshalJSON(data []byte) error {
	var raw [][]byte
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	*g = make(Given, len(raw))
	for i, path := range raw {
		(*g)[i] = string(path)
	}
	return nil
}

// Handle answers one request: with answer, as often as it likes and from any goroutine until it returns, and then with nil
// or with a sentence for the person who asked. It returns soon after ctx has ended, which it does with the call and the holder.
type Handle func(ctx context.Context, r Request, answer func(any) error) error

// Refusal is an answer of the holder that ends a call: a sentence for the person.
type Refusal struct{ Sentence string }

func (r *Refusal) Error() string { return r.Sentence }

// reply is one line of the holder's.
type reply struct {
	Received bool            `json:"received,omitempty"` // the first line: the request is whole and is being handled
	Answer   json.RawMessage `json:"answer,omitempty"`
	End      bool            `json:"end,omitempty"`   // the last line
	Error    string          `json:"error,omitempty"` // with End: a sentence
	Busy     bool            `json:"busy,omitempty"`  // with End: there are too many calls for now
}
