package sound

import (
	"bytes"
	"io"
	"math/bits"
)

// flacFrame is a frame of FLAC that was found by its header (RFC 9639, section 9.1).
type flacFrame struct {
	at    int64 // its place in the file
	first int64 // its first sample
	size  int64 // samples
}

// readFlacHeader reads the header of a frame at the beginning of b. The block size is that of all but the last frame where the
// stream's blocks are of one size.
func readFlacHeader(b []byte, block int64) (f flacFrame, ok bool) {
	if len(b) < 16 || b[0] != 0xff || b[1]&0xfe != 0xf8 || b[3]&1 != 0 || b[2]>>4 == 0 || b[2]&15 == 15 || b[3]>>4 > 10 {
		return f, false
	}
	number, n := flacNumber(b[4:])
	if n == 0 {
		return f, false
	}
	end := 4 + n
	switch code := b[2] >> 4; {
	case code == 1:
		f.size = 192
	case code <= 5:
		f.size = 576 << (code - 2)
	case code == 6:
		f.size = int64(b[end]) + 1
		end++
	case code == 7:
		f.size = int64(b[end])<<8 + int64(b[end+1]) + 1
		end += 2
	default:
		f.size = 256 << (code - 8)
	}
	switch b[2] & 15 {
	case 12:
		end++
	case 13, 14:
		end += 2
	}
	if end >= len(b) || flacSum(b[:end]) != b[end] {
		return f, false
	}
	f.first = number
	if b[1]&1 == 0 { // frames are counted, not samples
		f.first *= block
	}
	return f, true
}

// flacNumber reads a number that is written as UTF-8 writes a character, of up to seven bytes.
func flacNumber(b []byte) (v int64, n int) {
	lead := b[0]
	if lead < 0x80 {
		return int64(lead), 1
	}
	n = bits.LeadingZeros8(^lead)
	if n < 2 || n > 7 || len(b) < n {
		return 0, 0
	}
	v = int64(lead) & (0x7f >> n)
	for _, c := range b[1:n] {
		if c&0xc0 != 0x80 {
			return 0, 0
		}
		v = v<<6 | int64(c&0x3f)
	}
	return v, n
}

// flacSum is the check sum of a header: CRC-8 of polynomial 0x07.
func flacSum(b []byte) (sum byte) {
	for _, v := range b {
		sum ^= v
		for range 8 {
			if sum&0x80 != 0 {
				sum = sum<<1 ^ 7
			} else {
				sum <<= 1
			}
		}
	}
	return sum
}

// search finds the first frame that begins in from..to. What it takes for a frame must agree with the stream's first, and lie
// between two samples: a check sum of 8 bits alone would be met by chance.
func (f *flac) search(from, to, low, high int64) (frame flacFrame, ok bool, err error) {
	const window, header = 1 << 15, 32
	buffer := make([]byte, window+header)
	for at := from; at < to; at += window {
		n, err := f.file.ReadAt(buffer, at)
		if err != nil && err != io.EOF { //nolint:errorlint // a bare io.EOF, as io.ReaderAt promises
			return frame, false, err
		}
		b := buffer[:n]
		clear(buffer[n:]) // the last frame may be shorter than what a header may take
		for i := 0; ; i++ {
			next := bytes.IndexByte(b[i:], 0xff)
			if next < 0 || i+next >= window || at+int64(i+next) >= to {
				break
			}
			i += next
			found, ok := readFlacHeader(buffer[i:], f.block)
			if ok && b[i+1] == f.like[1] && b[i+2]&15 == f.like[2]&15 && b[i+3]&14 == f.like[3]&14 && found.first >= low && found.first < high {
				found.at = at + int64(i)
				return found, true, nil
			}
		}
	}
	return frame, false, nil
}
