// Package pdq computes PDQ hashes of pictures, as ThreatExchange defines them ("PDQ hashing", Facebook, 2019), and finds those that are close: the
// hashes of two pictures that look nearly the same differ in few of their 256 bits. That they are close is a hint; it never says that two pictures
// are the same. README.md says what is found and what is not. It imports the standard library.
package pdq

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
)

const (
	// DefaultLimit is the distance, in bits, up to which the reference calls two pictures alike.
	DefaultLimit = 31
	// MinQuality is the least quality of a picture of which its hash says something. Below it, the reference advises to leave the hash out: a clear
	// sky or a page of text is near to too much.
	MinQuality = 50
)

// Hash is a PDQ hash: bit k is bit k%64 of the word k/64.
type Hash [4]uint64

// Size is how many bytes Bytes returns.
const Size = 32

// Distance is in how many bits two hashes differ, 0 to 256. Those of unrelated pictures differ in about 128.
func (h Hash) Distance(other Hash) int {
	return bits.OnesCount64(h[0]^other[0]) + bits.OnesCount64(h[1]^other[1]) + bits.OnesCount64(h[2]^other[2]) + bits.OnesCount64(h[3]^other[3])
}

// Bytes are the hash in the order of its hexadecimal form, the highest bit first.
func (h Hash) Bytes() []byte {
	b := make([]byte, 0, Size)
	for i := len(h) - 1; i >= 0; i-- {
		b = binary.BigEndian.AppendUint64(b, h[i])
	}
	return b
}

// FromBytes is the inverse of Bytes.
func FromBytes(b []byte) (h Hash, err error) {
	if len(b) != Size {
		return Hash{}, fmt.Errorf("a PDQ hash of %d bytes instead of %d", len(b), Size)
	}
	for i := range h {
		h[len(h)-1-i] = binary.BigEndian.Uint64(b[8*i:])
	}
	return h, nil
}

// String is the hash in hexadecimal, as other programs exchange it.
func (h Hash) String() string { return hex.EncodeToString(h.Bytes()) }

// slot is one of the 16 parts of 16 bits.
func (h Hash) slot(i int) uint16 { return uint16(h[i/4] >> (i % 4 * 16)) }
