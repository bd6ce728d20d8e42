package container

import "encoding/binary"

// RIFFChunks visits the chunks of a WebP or WAV. The last may be cut short, which its Content shows. Data after the end in the header is
// visited as well, if it looks like chunks.
func (s *Source) RIFFChunks(visit func(Block) bool) {
	const header = 12
	end, ok := s.RIFFEnd()
	if !ok {
		end = s.size
	}
	s.damaged = s.damaged || end < header || end > s.size
	s.chunks(Span{header, s.size}, min(end, s.size), visit)
}

// RIFFEnd is where a WebP or WAV ends according to its header, which may be beyond the file's end; ok is false without a header.
func (s *Source) RIFFEnd() (end int64, ok bool) {
	head, ok := s.Head(0, 12)
	if !ok {
		return 0, false
	}
	return 8 + int64(binary.LittleEndian.Uint32(head[4:])), true
}

// RIFFLength is the length of a chunk's content according to its header: more than its Content has where the file breaks off within it.
func (s *Source) RIFFLength(chunk Block) int64 {
	length, ok := s.Head(chunk.Whole.Start+4, 4)
	if !ok {
		return 0
	}
	return int64(binary.LittleEndian.Uint32(length))
}

// Chunks visits RIFF's chunks within a span, such as those in a list or a frame.
func (s *Source) Chunks(in Span, visit func(Block) bool) { s.chunks(in, in.End, visit) }

// chunks reports only what is wrong before end as damage.
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

// The codes of sample formats in a WAV.
const (
	WAVIntegers   = 1
	WAVFloats     = 3
	wavExtensible = 0xfffe
)

// WAVFormat is how a WAV's chunk "fmt " describes its samples. None of it is checked.
type WAVFormat struct {
	Code           uint16 // WAVIntegers, WAVFloats, or another
	Channels, Bits int
	Rate           int // samples per second and channel
	BytesPerSecond int64
	Frame          int // bytes of one sample of all channels
}

// ReadWAVFormat reads the chunk's content; ok is false where it is too short.
func ReadWAVFormat(content []byte) (f WAVFormat, ok bool) {
	if len(content) < 16 {
		return f, false
	}
	le := binary.LittleEndian
	f = WAVFormat{
		Code: le.Uint16(content), Channels: int(le.Uint16(content[2:])), Rate: int(le.Uint32(content[4:])), BytesPerSecond: int64(le.Uint32(content[8:])),
		Frame: int(le.Uint16(content[12:])), Bits: int(le.Uint16(content[14:])),
	}
	if f.Code == wavExtensible && len(content) >= 26 {
		f.Code = le.Uint16(content[24:])
	}
	return f, true
}
