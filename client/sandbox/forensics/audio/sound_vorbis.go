package audio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
)

// errSoundVorbis says that a Vorbis stream is not what its specification allows.
var errSoundVorbis = errors.New("malformed Vorbis headers")

// soundVorbisPages cuts an Ogg file down to its first stream, from the first page
// to the one that ends it, and checks the headers: the decoder believes the
// number of comments and the sizes of codebooks, and some that the Vorbis I
// specification forbids would make it reserve all memory or run for ever. A file
// without a last page is errSoundCut.
func soundVorbisPages(data []byte) ([]byte, error) {
	var packets [][]byte // the first three: identification, comments, setup
	var packet []byte
	for at := 0; ; {
		if at+27 > len(data) || at+27+int(data[at+26]) > len(data) {
			return nil, errSoundCut
		}
		page := data[at:]
		if string(page[:4]) != "OggS" || page[26] == 0 {
			return nil, errSoundVorbis
		}
		table := page[27 : 27+int(page[26])]
		body := page[27+len(table):]
		for _, size := range table {
			if int(size) > len(body) {
				return nil, errSoundCut
			}
			if len(packets) < 3 {
				packet = append(packet, body[:size]...)
				if size < 255 {
					packets = append(packets, packet)
					packet = nil
				}
			}
			body = body[size:]
		}
		at = len(data) - len(body)
		if page[5]&4 != 0 { // the end of the stream
			break
		}
	}
	ended := len(data)
	// Only the pages walked over are handed on.
	for at := 0; at < len(data); {
		n := 27 + int(data[at+26])
		for _, size := range data[at+27 : at+n] {
			n += int(size)
		}
		last := data[at+5]&4 != 0
		at += n
		if last {
			ended = at
			break
		}
	}
	if len(packets) < 3 {
		return nil, errSoundVorbis
	}
	if err := soundVorbisHeaders(packets); err != nil {
		return nil, err
	}
	return data[:ended], nil
}

// soundVorbisHeaders checks the three header packets.
func soundVorbisHeaders(packets [][]byte) error {
	for i, kind := range []string{"\x01vorbis", "\x03vorbis", "\x05vorbis"} {
		if !bytes.HasPrefix(packets[i], []byte(kind)) {
			return errSoundVorbis
		}
	}
	id, comments := packets[0][7:], packets[1][7:]
	if len(id) < 23 {
		return errSoundVorbis
	}
	short, long := id[21]&15, id[21]>>4
	if id[4] == 0 || id[4] > 8 || short < 6 || long < short || long > 13 {
		return errSoundVorbis
	}
	le := binary.LittleEndian
	if len(comments) < 8 {
		return errSoundVorbis
	}
	vendor := uint64(le.Uint32(comments))
	if vendor+8 > uint64(len(comments)) || uint64(le.Uint32(comments[4+vendor:])) > uint64(len(comments))/4 {
		return errSoundVorbis
	}
	return soundVorbisCodebooks(packets[2][7:])
}

// soundVorbisCodebooks walks over the codebooks as section 3.2.1 of the Vorbis I
// specification lays them out.
func soundVorbisCodebooks(setup []byte) error {
	const mostValues = 1 << 22 // of all codebooks together: real encoders stay below 100,000
	r := &soundBits{data: setup}
	values := 0
	for range r.read(8) + 1 {
		if r.read(24) != 0x564342 {
			return errSoundVorbis
		}
		dimensions, entries := r.read(16), r.read(24)
		if dimensions == 0 || entries < 2 || dimensions*entries > mostValues {
			return errSoundVorbis
		}
		values += dimensions * entries
		if values > mostValues || !r.wholeCode(entries) {
			return errSoundVorbis
		}
		lookup := r.read(4)
		if lookup > 2 {
			return errSoundVorbis
		}
		if lookup > 0 {
			r.read(32)
			r.read(32)
			width := r.read(4) + 1
			r.read(1)
			n := dimensions * entries
			if lookup == 1 {
				n = soundLookupValues(entries, dimensions)
			}
			r.skip(n * width)
		}
		if r.over {
			return errSoundVorbis
		}
	}
	return nil
}

// soundLookupValues is the largest number whose power by dimensions doesn't exceed entries.
func soundLookupValues(entries, dimensions int) int {
	for n := 1; ; n++ {
		power := 1
		for range dimensions {
			power *= n + 1
			if power > entries {
				return n
			}
		}
	}
}

// soundBits reads bits from the low end of each byte, as Vorbis packs them.
type soundBits struct {
	data []byte
	at   int  // bits
	over bool // more was read than there is
}

func (r *soundBits) read(n int) int {
	v := 0
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

func (r *soundBits) skip(n int) {
	r.at += n
	r.over = r.over || r.at > 8*len(r.data)
}

// wholeCode reads the lengths of a codebook's words and tells whether they make a
// complete code, in which every sequence of bits ends at a word: the decoder would
// go round in circles in any other.
func (r *soundBits) wholeCode(entries int) bool {
	const one = 1 << 32
	sum, used := 0, 0
	if r.read(1) == 0 {
		sparse := r.read(1) == 1
		for range entries {
			if r.over {
				return false
			}
			if !sparse || r.read(1) == 1 {
				sum += one >> (r.read(5) + 1)
				used++
			}
		}
	} else {
		length := r.read(5) + 1
		for done := 0; done < entries; length++ {
			n := r.read(bits.Len(uint(entries - done)))
			if r.over || length > 32 || n > entries-done {
				return false
			}
			sum += n * (one >> length)
			done, used = done+n, used+n
		}
	}
	return sum == one || used == 1
}
