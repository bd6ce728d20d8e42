package container

import (
	"bytes"
	"encoding/binary"
)

// Span is a range of bytes of a file, without the byte at End.
type Span struct{ Start, End int64 }

// Between is the span from start up to end.
func Between(start, end int64) Span { return Span{start, end} }

// Length is 0 or less for an empty span.
func (s Span) Length() int64 { return s.End - s.Start }

// Block is a part of a container: a JPEG's segment, a PNG's or RIFF's chunk, a box of MP4.
type Block struct {
	Kind    string // the container's name for it; of a JPEG's segment the marker, one byte
	Whole   Span   // with its header, and the checksum or padding after it
	Content Span
}

// Most bounds how many parts of one file are visited.
const Most = 200_000

// zeros reports whether a short span holds only zeros, as padding does.
func (s *Source) zeros(in Span) bool {
	const most = 1 << 20
	data := s.Bytes(in, most)
	return int64(len(data)) == in.Length() && len(bytes.TrimLeft(data, "\x00")) == 0
}

// Boxes visits the boxes of MP4 or QuickTime within a span, until visit returns false. whole is false where one is cut short or has an
// impossible size.
func (s *Source) Boxes(in Span, visit func(Block) bool) (whole bool) {
	at := in.Start
	for left := Most; left > 0 && at+8 <= in.End; left-- {
		b, ok := s.BoxAt(at, in.End)
		if !ok {
			// QuickTime may end a list with zeros.
			s.damaged = s.damaged || !s.zeros(Span{at, in.End})
			return false
		}
		if !visit(b) {
			return true
		}
		at = b.Whole.End
	}
	s.damaged = s.damaged || at != in.End && !s.zeros(Span{at, in.End})
	return at == in.End
}

// BoxAt returns the box that begins at an offset; ok is false where it is cut short, has an impossible size, or extends beyond end.
func (s *Source) BoxAt(at, end int64) (Block, bool) {
	head, ok := s.Head(at, 8)
	if !ok {
		return Block{}, false
	}
	size, header := int64(binary.BigEndian.Uint32(head)), int64(8)
	switch size {
	case 0:
		size = end - at
	case 1:
		long, ok := s.Head(at+8, 8)
		if !ok {
			return Block{}, false
		}
		size, header = int64(binary.BigEndian.Uint64(long)), 16 //nolint:gosec // an overflow is negative, and so less than header
	}
	if size < header || size > end-at {
		return Block{}, false
	}
	return Block{string(head[4:]), Span{at, at + size}, Span{at + header, at + size}}, true
}
