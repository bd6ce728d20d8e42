package sound

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
)

// errVorbisHeaders means that headers violate the Vorbis I specification.
var errVorbisHeaders = errors.New("malformed headers")

// checkVorbisHeaders checks the three header packets before the decoder reads them, because it allocates whatever memory they claim, and
// loops endlessly over an incomplete code.
func checkVorbisHeaders(packets [][]byte) (rate, channels int, err error) {
	bad := damaged("Ogg Vorbis", errVorbisHeaders)
	for i, mark := range []string{"\x01vorbis", "\x03vorbis", "\x05vorbis"} {
		if !bytes.HasPrefix(packets[i], []byte(mark)) {
			return 0, 0, bad
		}
	}
	id, comments := packets[0][7:], packets[1][7:]
	if len(id) < 23 || len(comments) < 8 {
		return 0, 0, bad
	}
	le := binary.LittleEndian
	short, long := id[21]&15, id[21]>>4
	vendor := uint64(le.Uint32(comments))
	switch {
	case id[4] == 0 || id[4] > 8 || short < 6 || long < short || long > 13:
		return 0, 0, bad
	case vendor+8 > uint64(len(comments)), uint64(le.Uint32(comments[4+vendor:])) > uint64(len(comments))/4:
		return 0, 0, bad
	case !sensibleCodebooks(packets[2][7:]):
		return 0, 0, bad
	}
	return int(le.Uint32(id[5:])), int(id[4]), nil
}

// sensibleCodebooks checks the codebooks, which section 3.2.1 of the specification defines.
func sensibleCodebooks(setup []byte) bool {
	const mostValues = 1 << 22 // of all codebooks together: encoders stay below 100,000
	r := &bitReader{data: setup}
	values := 0
	for range r.read(8) + 1 {
		mark, dimensions, entries := r.read(24), r.read(16), r.read(24)
		if mark != 0x564342 || dimensions == 0 || entries < 2 || dimensions*entries > mostValues {
			return false
		}
		values += dimensions * entries
		if values > mostValues || !r.completeCode(entries) {
			return false
		}
		switch kind := r.read(4); kind {
		case 0:
		case 1, 2:
			r.skip(64)
			width := r.read(4) + 1
			r.skip(1)
			n := dimensions * entries
			if kind == 1 {
				n = wholeRoot(entries, dimensions)
			}
			r.skip(n * width)
		default:
			return false
		}
		if r.over {
			return false
		}
	}
	return true
}

// wholeRoot is the largest number whose power of degree is at most n.
func wholeRoot(n, degree int) int {
	for root := 1; ; root++ {
		for i, power := 0, 1; i < degree; i++ {
			if power *= root + 1; power > n {
				return root
			}
		}
	}
}

// bitReader reads bits from the low end of each byte.
type bitReader struct {
	data []byte
	at   int  // in bits
	over bool // more bits were read than there are
}

func (r *bitReader) read(n int) (v int) {
	for i := range n {
		if r.at>>3 >= len(r.data) {
			r.over = true
			return v
		}
		v |= int(r.data[r.at>>3]>>(r.at&7)&1) << i
		r.at++
	}
	return v
}

func (r *bitReader) skip(n int) {
	r.at += n
	r.over = r.over || r.at > 8*len(r.data)
}

// completeCode reads the lengths of a codebook's code words, and reports whether every sequence of bits is a sequence of words.
func (r *bitReader) completeCode(entries int) bool {
	const whole = 1 << 32
	sum, words := 0, 0
	if ordered := r.read(1) == 1; ordered {
		length := r.read(5) + 1
		for words < entries {
			n := r.read(bits.Len(uint(entries - words)))
			if r.over || length > 32 || n > entries-words {
				return false
			}
			sum += n * (whole >> length)
			words += n
			length++
		}
		return sum == whole || words == 1
	}
	sparse := r.read(1) == 1
	for range entries {
		if r.over {
			return false
		}
		if !sparse || r.read(1) == 1 {
			sum += whole >> (r.read(5) + 1)
			words++
		}
	}
	return sum == whole || words == 1
}
