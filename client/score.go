package client

import (
	"encoding/json"
	"math"
	"strconv"
)

// Score is a number as the service sent it, or nothing, or something else: absent is not zero.
// The zero value is "no score".
type Score struct{ raw json.RawMessage }

// NewScore returns the score with this number; what is no finite number is no score.
func NewScore(v float64) Score {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Score{}
	}
	return Score{raw: strconv.AppendFloat(nil, v, 'g', -1, 64)}
}

// Number is the score's value; ok is false where the service sent none, null, or no number.
func (s Score) Number() (v float64, ok bool) {
	if s.raw == nil || json.Unmarshal(s.raw, &v) != nil || string(s.raw) == "null" {
		return 0, false
	}
	return v, true
}

// Sent is the JSON as it was sent, "" where nothing was.
func (s Score) Sent() string { return string(s.raw) }

// MarshalJSON writes what was sent, or null.
func (s Score) MarshalJSON() ([]byte, error) {
	if s.raw == nil {
		return []byte("null"), nil
	}
	return s.raw, nil
}

// UnmarshalJSON keeps whatever comes.
func (s *Score) UnmarshalJSON(data []byte) error {
	s.raw = append(json.RawMessage(nil), data...)
	return nil
}
