package blocks

import "encoding/binary"

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
	const startOfScan, endOfImage, fill = 0xda, 0xd9, 0xff
	for left := Most; left > 0; left-- {
		head, ok := s.Head(at, 4)
		if !ok || head[0] != 0xff {
			return at
		}
		if head[1] == fill {
			at++
			continue
		}
		n := int64(binary.BigEndian.Uint16(head[2:]))
		if head[1] == startOfScan || head[1] == endOfImage || n < 2 || at+2+n > s.size {
			return at
		}
		if !visit(Block{string(head[1:2]), Span{at, at + 2 + n}, Span{at + 4, at + 2 + n}}) {
			return at
		}
		at += 2 + n
	}
	return at
}

// PNGChunks goes through a PNG's chunks up to the first that is cut short, whose offset it gives.
func (s *Source) PNGChunks(visit func(Block) bool) (end int64) {
	at := int64(len(PNGSignature))
	for left := Most; left > 0; left-- {
		head, ok := s.Head(at, 8)
		if !ok {
			return at
		}
		n := int64(binary.BigEndian.Uint32(head))
		if at+12+n > s.size || !visit(Block{string(head[4:]), Span{at, at + 12 + n}, Span{at + 8, at + 8 + n}}) {
			return at
		}
		at += 12 + n
	}
	return at
}

// RIFFChunks goes through the chunks of a WebP or WAV likewise; the last may be cut short, which its Content shows.
func (s *Source) RIFFChunks(visit func(Block) bool) { s.Chunks(Span{12, s.size}, visit) }

// Chunks goes through RIFF's chunks within a span, as they stand in a list or a frame.
func (s *Source) Chunks(in Span, visit func(Block) bool) {
	for at, left := in.Start, Most; left > 0 && at+8 <= in.End; left-- {
		head, ok := s.Head(at, 8)
		if !ok {
			return
		}
		n := int64(binary.LittleEndian.Uint32(head[4:]))
		if !visit(Block{string(head[:4]), Span{at, min(at+8+n+n%2, in.End)}, Span{at + 8, min(at+8+n, in.End)}}) {
			return
		}
		at += 8 + n + n%2
	}
}

// Boxes goes through the boxes of MP4 or QuickTime within a span. whole is false where one is cut short or has an impossible size.
func (s *Source) Boxes(in Span, visit func(Block) bool) (whole bool) {
	at := in.Start
	for left := Most; left > 0 && at+8 <= in.End; left-- {
		head, ok := s.Head(at, 8)
		if !ok {
			return false
		}
		size, header := int64(binary.BigEndian.Uint32(head)), int64(8)
		switch size {
		case 0:
			size = in.End - at
		case 1:
			long, ok := s.Head(at+8, 8)
			if !ok {
				return false
			}
			size, header = int64(binary.BigEndian.Uint64(long)), 16 //nolint:gosec // what is beyond int64 is below header then
		}
		if size < header || size > in.End-at {
			return false
		}
		if !visit(Block{string(head[4:]), Span{at, at + size}, Span{at + header, at + size}}) {
			return true
		}
		at += size
	}
	return at == in.End
}
