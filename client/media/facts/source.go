package facts

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
)

// source is the file that is read. Its methods give what there is; an error of the disk, or ctx's end, is kept in err and ends
// everything.
type source struct {
	ctx  context.Context
	r    io.ReaderAt
	size int64
	err  error
}

// background reads without an end from outside, for callers whose bytes are in memory.
func background(r io.ReaderAt, size int64) *source {
	return &source{ctx: context.Background(), r: r, size: size}
}

// span is a stretch of the file, its end not included.
type span struct{ start, end int64 }

func (s span) length() int64 { return s.end - s.start }

// bytes reads a span, or as much of it as is there and as limit allows.
func (s *source) bytes(at span, limit int64) []byte {
	at.start, at.end = max(at.start, 0), min(at.end, s.size)
	length := min(at.length(), limit)
	if length <= 0 || s.err != nil {
		return nil
	}
	if s.err = s.ctx.Err(); s.err != nil {
		return nil
	}
	data := make([]byte, length)
	n, err := s.r.ReadAt(data, at.start)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
		return nil
	}
	return data[:n]
}

// head reads n bytes from an offset; ok is false where there are fewer.
func (s *source) head(at, n int64) (data []byte, ok bool) {
	data = s.bytes(span{at, at + n}, n)
	return data, int64(len(data)) == n
}

// reader reads the whole file once from its beginning.
func (s *source) reader() *io.SectionReader { return io.NewSectionReader(s.r, 0, s.size) }

// block is a part of a container: a JPEG's segment, a PNG's or RIFF's chunk, a box of MP4.
type block struct {
	kind    string
	whole   span // with its header, and what stands behind it by the container's rules
	content span
}

// mostBlocks bounds how many parts of one file are looked at.
const mostBlocks = 200_000

// jpegSegments goes through the segments before the first scan; kind is the marker, one byte.
func (s *source) jpegSegments(visit func(block) bool) {
	const startOfScan, endOfImage, fill = 0xda, 0xd9, 0xff
	for at, left := int64(2), mostBlocks; left > 0; left-- {
		head, ok := s.head(at, 4)
		if !ok || head[0] != 0xff {
			return
		}
		if head[1] == fill {
			at++
			continue
		}
		n := int64(binary.BigEndian.Uint16(head[2:]))
		if head[1] == startOfScan || head[1] == endOfImage || n < 2 || at+2+n > s.size {
			return
		}
		if !visit(block{string(head[1:2]), span{at, at + 2 + n}, span{at + 4, at + 2 + n}}) {
			return
		}
		at += 2 + n
	}
}

// pngChunks goes through a PNG's chunks up to the first that is cut short.
func (s *source) pngChunks(visit func(block) bool) {
	for at, left := int64(len(pngSignature)), mostBlocks; left > 0; left-- {
		head, ok := s.head(at, 8)
		if !ok {
			return
		}
		n := int64(binary.BigEndian.Uint32(head))
		if at+12+n > s.size || !visit(block{string(head[4:]), span{at, at + 12 + n}, span{at + 8, at + 8 + n}}) {
			return
		}
		at += 12 + n
	}
}

// riffChunks goes through the chunks of a WebP or WAV likewise; the last may be cut short.
func (s *source) riffChunks(visit func(block) bool) {
	for at, left := int64(12), mostBlocks; left > 0; left-- {
		head, ok := s.head(at, 8)
		if !ok {
			return
		}
		n := int64(binary.LittleEndian.Uint32(head[4:]))
		end := min(at+8+n, s.size)
		if !visit(block{string(head[:4]), span{at, min(at+8+n+n%2, s.size)}, span{at + 8, end}}) {
			return
		}
		at += 8 + n + n%2
	}
}

// boxes goes through the boxes of MP4 or QuickTime within a span. whole is false where one is cut short or has an impossible size.
func (s *source) boxes(in span, visit func(block) bool) (whole bool) {
	at := in.start
	for left := mostBlocks; left > 0 && at+8 <= in.end; left-- {
		head, ok := s.head(at, 8)
		if !ok {
			return false
		}
		size, header := int64(binary.BigEndian.Uint32(head)), int64(8)
		switch size {
		case 0:
			size = in.end - at
		case 1:
			long, ok := s.head(at+8, 8)
			if !ok {
				return false
			}
			size, header = int64(binary.BigEndian.Uint64(long)), 16
		}
		if size < header || size > in.end-at {
			return false
		}
		if !visit(block{string(head[4:]), span{at, at + size}, span{at + header, at + size}}) {
			return true
		}
		at += size
	}
	return at == in.end
}
