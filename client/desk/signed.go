package desk

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// Signed are the bytes that an event's signature is over, a text of a few lines: with Sig and the device's public key others can check them.
func (e Event) Signed() []byte { return e.signed() }

// Content are the bytes whose SHA-256 is Digest: the length of Subject in eight bytes, Subject, and Body.
func (e Event) Content() []byte {
	return slices.Concat(binary.BigEndian.AppendUint64(nil, uint64(len(e.Subject))), e.Subject, e.Body)
}

// errSigned means that a text is not what Signed gives.
var errSigned = errors.New("this is not a signed event")

// ParseSigned reads what Signed gave: an event without Subject, Body, Sig and At.
func ParseSigned(text []byte) (e Event, err error) {
	lines := strings.Split(string(text), "\n")
	if len(lines) != 10 {
		return e, errSigned
	}
	var kind string
	for line, into := range map[int]*uuid.UUID{1: &e.ID, 2: &e.Case, 4: &e.Device, 7: &e.About} {
		if *into, err = uuid.Parse(lines[line]); err != nil {
			return Event{}, errSigned
		}
	}
	e.Author, err = strconv.Unquote(lines[3])
	if err == nil {
		e.Lamport, err = strconv.ParseInt(lines[5], 10, 64)
	}
	if err == nil {
		kind, err = strconv.Unquote(lines[6])
	}
	if err == nil {
		e.Digest, err = hex.DecodeString(lines[8])
	}
	e.Kind = Kind(kind)
	if err != nil || !bytes.Equal(e.signed(), text) { // no other spelling
		return Event{}, errSigned
	}
	return e, nil
}

// ParseContent reads what Content gave.
func ParseContent(content []byte) (subject, body []byte, err error) {
	if len(content) < 8 {
		return nil, nil, errSigned
	}
	n, rest := binary.BigEndian.Uint64(content), content[8:]
	if n > uint64(len(rest)) {
		return nil, nil, errSigned
	}
	return rest[:n], rest[n:], nil
}
