package container

import (
	"bytes"
	"encoding/binary"
)

// Span is a stretch of a file, its end not included.
type Span struct{ Start, End int64 }

// Between is the span from start up to end.
func Between(start, end int64) Span { return Span{start, end} }

// Length is 0 or less for an empty span.
func (s Span) Length() int64 { return s.End - s.Start }

// Block is a part of a container: a JPEG's segment, a PNG's or RIFF's chunk, a box of MP4.
type Block struct {
	Kind    string // as the container names it; of a JPEG's segment the marker, one byte
	Whole   Span   // with its header, and what stands behind it by the container's rules
	Content Span
}

// Most bounds how many parts of one file are looked at.
const Most = 200_000

// PNGSignature is what every PNG begins with.
const PNGSignature = "\x89PNG\r\n\x1a\n"

// JPEGSegments goes through the segments from an offset on, up to the next scan: 2 is where the first one stands. It gives the offset of
// the marker at which it ended: that of a scan or of the picture's end, or of what is neither.
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

// PNGChunks goes through a PNG's chunks up to the first that is cut short, whose offset it gives, or up to what stands behind the last.
// Checksums are not looked at: other programs show a chunk whose checksum is wrong, too.
func (s *Source) PNGChunks(visit func(Block) bool) (end int64) {
	at := int64(len(PNGSignature))
	ended := false
	for left := Most; left > 0; left-- {
		head, ok := s.Head(at, 8)
		if !ok {
			s.damaged = s.damaged || !ended
			return at
		}
		n := int64(binary.BigEndian.Uint32(head))
		if at+12+n > s.size {
			s.damaged = s.damaged || !ended
			return at
		}
		if !visit(Block{string(head[4:]), Span{at, at + 12 + n}, Span{at + 8, at + 8 + n}}) {
			return at
		}
		ended = ended || string(head[4:]) == "IEND"
		at += 12 + n
	}
	s.damaged = true
	return at
}

// RIFFChunks goes through the chunks of a WebP or WAV likewise; the last may be cut short, which its Content shows. What stands behind
// the end that the header tells is gone through as well, where it looks like chunks.
func (s *Source) RIFFChunks(visit func(Block) bool) {
	const header = 12
	end, ok := s.RIFFEnd()
	if !ok {
		end = s.size
	}
	s.damaged = s.damaged || end < header || end > s.size
	s.chunks(Span{header, s.size}, min(end, s.size), visit)
}

// RIFFEnd is where the header of a WebP or WAV says that it ends, which may be beyond the file's end; ok is false without a header.
func (s *Source) RIFFEnd() (end int64, ok bool) {
	head, ok := s.Head(0, 12)
	if !ok {
		return 0, false
	}
	return 8 + int64(binary.LittleEndian.Uint32(head[4:])), true
}

// RIFFLength is how long a chunk's header says that its content is: more than there is where the file breaks off within it.
func (s *Source) RIFFLength(chunk Block) int64 {
	length, ok := s.Head(chunk.Whole.Start+4, 4)
	if !ok {
		return 0
	}
	return int64(binary.LittleEndian.Uint32(length))
}

// Chunks goes through RIFF's chunks within a span, as they stand in a list or a frame.
func (s *Source) Chunks(in Span, visit func(Block) bool) { s.chunks(in, in.End, visit) }

// chunks takes for damage only what is wrong before end.
func (s *Source) chunks(in Span, end int64, visit func(Block) bool) {
	at := in.Start
	for left := Most; at+8 <= in.End; left-- {
		head, ok := s.Head(at, 8)
		if !ok || left == 0 {
			s.damaged = true
			return
		}
		n := int64(binary.LittleEndian.Uint32(head[4:]))
		s.damaged = s.damaged || at < end && at+8+n > end
		if !visit(Block{string(head[:4]), Span{at, min(at+8+n+n%2, in.End)}, Span{at + 8, min(at+8+n, in.End)}}) {
			return
		}
		at += 8 + n + n%2
	}
	s.damaged = s.damaged || at < end && !s.zeros(Span{at, end})
}

// zeros reports whether a short span holds nothing but zeros, as padding does.
func (s *Source) zeros(in Span) bool {
	const most = 1 << 20
	data := s.Bytes(in, most)
	return int64(len(data)) == in.Length() && len(bytes.TrimLeft(data, "\x00")) == 0
}

// Boxes goes through the boxes of MP4 or QuickTime within a span. whole is false where one is cut short or has an impossible size.
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

// BoxAt gives the box that begins at an offset; ok is false where it is cut short, has an impossible size, or ends behind end.
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
		size, header = int64(binary.BigEndian.Uint64(long)), 16 //nolint:gosec // what is beyond int64 is below header then
	}
	if size < header || size > end-at {
		return Block{}, false
	}
	return Block{string(head[4:]), Span{at, at + size}, Span{at + header, at + size}}, true
}
