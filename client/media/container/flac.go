package container

import (
	"bufio"
	"math/bits"
)

// The kinds of a FLAC's metadata blocks that are read.
const (
	FLACStreamInfo  = "\x00"
	FLACPadding     = "\x01"
	FLACApplication = "\x02"
	FLACSeekTable   = "\x03"
	FLACComments    = "\x04"
	FLACCueSheet    = "\x05"
	FLACPicture     = "\x06"
)

// FLACBlocks visits the metadata blocks of a FLAC whose signature "fLaC" is at an offset. frames is where the audio begins; whole is false
// where a block is cut short.
func (s *Source) FLACBlocks(at int64, visit func(Block) bool) (frames int64, whole bool) {
	const signature, header, last = 4, 4, 0x80
	at += signature
	for range Most {
		head, ok := s.Head(at, header)
		if !ok {
			s.damaged = true
			return at, false
		}
		n := int64(head[1])<<16 | int64(head[2])<<8 | int64(head[3])
		if at+header+n > s.size {
			s.damaged = true
			return at, false
		}
		if !visit(Block{string([]byte{head[0] &^ last}), Span{at, at + header + n}, Span{at + header, at + header + n}}) {
			return at, false
		}
		at += header + n
		if head[0]&last != 0 {
			return at, true
		}
	}
	s.damaged = true
	return at, false
}

// FLACFrame is the header of a frame of FLAC (RFC 9639, section 9.1).
type FLACFrame struct {
	Number  int64 // of its first sample if Counts, else of the frame
	Counts  bool  // Number counts samples, since blocks are of several sizes
	Samples int64
}

// FLACFrameHeader is the largest size of a header, in bytes.
const FLACFrameHeader = 16

// ReadFLACFrame reads the header of a frame at the beginning of b, and verifies its checksum.
func ReadFLACFrame(b []byte) (f FLACFrame, ok bool) {
	if len(b) < FLACFrameHeader || b[0] != 0xff || b[1]&0xfe != 0xf8 || b[3]&1 != 0 || b[2]>>4 == 0 || b[2]&15 == 15 || b[3]>>4 > 10 {
		return f, false
	}
	number, n := flacNumber(b[4:])
	if n == 0 {
		return f, false
	}
	f.Number, f.Counts = number, b[1]&1 != 0
	end := 4 + n
	switch code := b[2] >> 4; {
	case code == 1:
		f.Samples = 192
	case code <= 5:
		f.Samples = 576 << (code - 2)
	case code == 6:
		f.Samples = int64(b[end]) + 1
		end++
	case code == 7:
		f.Samples = int64(b[end])<<8 + int64(b[end+1]) + 1
		end += 2
	default:
		f.Samples = 256 << (code - 8)
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
	return f, true
}

// flacNumber reads a number that is encoded like a character of UTF-8, but in up to seven bytes.
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

// flacSum is the checksum of a header: CRC-8 with polynomial 0x07.
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

// flacFrameSums is the table for the checksum of a whole frame: CRC-16 with polynomial 0x8005. Over a frame and its checksum it is 0.
var flacFrameSums = func() (table [256]uint16) {
	for i := range table {
		sum := uint16(i) << 8
		for range 8 {
			if sum&0x8000 != 0 {
				sum = sum<<1 ^ 0x8005
			} else {
				sum <<= 1
			}
		}
		table[i] = sum
	}
	return table
}()

// FLACSamples counts the samples of consecutive frames in a span. whole is false where the span does not end with a frame, or where a
// frame's checksum is wrong; samples then counts the frames before that.
func (s *Source) FLACSamples(in Span) (samples int64, whole bool) {
	r := bufio.NewReaderSize(&spanReader{s, in}, 1<<16)
	next, ok := peekFLACFrame(r)
	for ok {
		frame, sum, length := next, uint16(0), int64(0)
		ended := false
		for {
			b, err := r.ReadByte()
			if err != nil {
				break
			}
			length++
			if sum = sum<<8 ^ flacFrameSums[byte(sum>>8)^b]; sum != 0 || length < 8 {
				continue
			}
			if ended = in.Start+length == in.End; ended {
				break
			}
			if next, ok = peekFLACFrame(r); ok && frame.precedes(next) {
				break
			}
		}
		in.Start += length
		switch {
		case ended:
			return samples + frame.Samples, s.err == nil
		case in.Start == in.End || s.err != nil: // the last frame's end is missing
			return samples, false
		}
		samples += frame.Samples
	}
	return samples, false
}

// precedes reports whether another frame may follow this one.
func (f FLACFrame) precedes(next FLACFrame) bool {
	if f.Counts {
		return next.Counts && next.Number == f.Number+f.Samples
	}
	return !next.Counts && next.Number == f.Number+1
}

// peekFLACFrame reads the header of the next frame without consuming it.
func peekFLACFrame(r *bufio.Reader) (FLACFrame, bool) {
	head, _ := r.Peek(FLACFrameHeader)
	var whole [FLACFrameHeader]byte // the last frame may be shorter than the largest header
	copy(whole[:], head)
	return ReadFLACFrame(whole[:])
}
