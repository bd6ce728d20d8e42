package container

import (
	"bytes"
	"encoding/binary"
)

// JPEGSegments visits the segments from an offset on (2 for the first one) up to the next scan. It returns the offset where it stopped:
// that of the marker of a scan or of the picture's end, or of bytes that are no marker.
func (s *Source) JPEGSegments(at int64, visit func(Block) bool) (end int64) {
	const startOfScan, endOfImage, fill, temporary, firstRestart, startOfImage = 0xda, 0xd9, 0xff, 0x01, 0xd0, 0xd8
	for left := Most; left > 0; left-- {
		head := s.Bytes(Span{at, at + 4}, 4)
		if len(head) < 2 || head[0] != 0xff {
			s.damaged = true
			return at
		}
		switch marker := head[1]; {
		case marker == fill:
			at++
			continue
		case marker == temporary, marker >= firstRestart && marker <= startOfImage: // these have no length
			at += 2
			continue
		case marker == startOfScan, marker == endOfImage:
			return at
		}
		n := int64(0)
		if len(head) == 4 {
			n = int64(binary.BigEndian.Uint16(head[2:]))
		}
		if n < 2 || at+2+n > s.size {
			s.damaged = true
			return at
		}
		if !visit(Block{string(head[1:2]), Span{at, at + 2 + n}, Span{at + 4, at + 2 + n}}) {
			return at
		}
		at += 2 + n
	}
	s.damaged = true
	return at
}

// JPEGParts visits a whole JPEG: its segments, and its scans with their headers, whose kind is the marker "\xda". end is where the
// picture ends, after its last marker; whole is false where it breaks off before that.
func (s *Source) JPEGParts(visit func(Block) bool) (end int64, whole bool) {
	return s.JPEGPartsFrom(2, visit)
}

// JPEGPartsFrom visits the parts from an offset on, as JPEGParts does.
func (s *Source) JPEGPartsFrom(at int64, visit func(Block) bool) (end int64, whole bool) {
	const startOfScan, endOfImage = 0xda, 0xd9
	for range Most {
		stopped := false
		at = s.JPEGSegments(at, func(b Block) bool {
			stopped = !visit(b)
			return !stopped
		})
		head, ok := s.Head(at, 2)
		if stopped {
			return at, false
		}
		if !ok || head[0] != 0xff {
			s.damaged = true
			return at, false
		}
		switch head[1] {
		case endOfImage:
			return at + 2, true
		case startOfScan:
			next := int64(-1)
			if length, ok := s.Head(at+2, 2); ok {
				next = s.behindScan(at + 2 + int64(length[0])<<8 + int64(length[1]))
			}
			if next < 0 {
				s.damaged = true
				return at, false
			}
			if !visit(Block{"\xda", Span{at, next}, Span{at + 2, next}}) {
				return at, false
			}
			at = next
		default:
			s.damaged = true
			return at, false
		}
	}
	s.damaged = true
	return at, false
}

// NextJPEGMarker finds the next marker of a segment that has a length, from an offset on: a reader can continue there after damage.
// It is -1 for none.
func (s *Source) NextJPEGMarker(at int64) int64 {
	const piece, firstFrame, lastApp, comment, none = 1 << 16, 0xc0, 0xef, 0xfe, 0xd7
	for at < s.size {
		data := s.Bytes(Span{at, at + piece}, piece)
		for i := 0; i+1 < len(data); i++ {
			if next := data[i+1]; data[i] == 0xff && (next >= firstFrame && next <= lastApp && (next < 0xd0 || next > none) && next != 0xd8 || next == comment) {
				return at + int64(i)
			}
		}
		if len(data) < 2 {
			return -1
		}
		at += int64(len(data)) - 1
	}
	return -1
}

// behindScan finds the marker that ends a scan's data; a zero after 0xff, restart markers and fill bytes belong to the data. It is -1 for
// none.
func (s *Source) behindScan(at int64) int64 {
	const piece = 1 << 16
	for at < s.size {
		data := s.Bytes(Span{at, at + piece}, piece)
		i := 0
		for {
			n := bytes.IndexByte(data[i:], 0xff)
			if n < 0 || i+n+1 >= len(data) {
				break
			}
			i += n
			if next := data[i+1]; next == 0xff {
				i++
			} else if next == 0 || next >= 0xd0 && next <= 0xd7 {
				i += 2
			} else {
				return at + int64(i)
			}
		}
		if len(data) < 2 {
			return -1
		}
		at += int64(len(data))
		if data[len(data)-1] == 0xff {
			at-- // the byte after it decides
		}
	}
	return -1
}
