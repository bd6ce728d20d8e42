// Package container tells what format a file is, and goes through the parts that media files are made of: a JPEG's segments, chunks of PNG
// and RIFF, boxes of MP4, tags of ID3, pages of Ogg, frames of MPEG audio and FLAC. It tells where each part lies and judges none. It may
// import the standard library; nothing of Assay.
//
// What it reads and keeps is bounded whatever the file holds, and no file makes it run for ever.
package container

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// Source is the file that is read. Its methods give what there is; an error of the disk, or ctx's end, is kept and ends everything: Err
// tells it. It is for one goroutine.
type Source struct {
	ctx     context.Context
	r       io.ReaderAt
	size    int64
	err     error
	damaged bool
}

// NewSource reads size bytes of r.
func NewSource(ctx context.Context, r io.ReaderAt, size int64) *Source {
	return &Source{ctx: ctx, r: r, size: size}
}

// SourceOf reads a file that is in memory: no disk and no context can fail it.
func SourceOf(data []byte) *Source {
	return NewSource(context.Background(), bytes.NewReader(data), int64(len(data)))
}

// Size is the file's length in bytes.
func (s *Source) Size() int64 { return s.size }

// Err is the disk's error or ctx's, after which nothing is read any more.
func (s *Source) Err() error { return s.err }

// Damaged reports whether a part was met that is cut short, is of an impossible length, or is one too many: what lies behind it was not
// visited.
func (s *Source) Damaged() bool { return s.damaged }

// Whole is the whole file.
func (s *Source) Whole() Span { return Span{0, s.size} }

// Reader reads the whole file once from its beginning, without looking at ctx.
func (s *Source) Reader() *io.SectionReader { return io.NewSectionReader(s.r, 0, s.size) }

// Bytes reads a span, or as much of it as is there and as limit allows.
func (s *Source) Bytes(at Span, limit int64) []byte {
	at.Start, at.End = max(at.Start, 0), min(at.End, s.size)
	length := min(at.Length(), limit)
	if length <= 0 {
		return nil
	}
	data := make([]byte, length)
	return data[:s.read(data, at.Start)]
}

// Head reads n bytes from an offset; ok is false where there are fewer.
func (s *Source) Head(at, n int64) (data []byte, ok bool) {
	data = s.Bytes(Span{at, at + n}, n)
	return data, int64(len(data)) == n
}

// Feed gives a span to w in pieces of bounded size. whole is false where the file, the disk, ctx or w ended it before; w's own error is
// kept as the source's.
func (s *Source) Feed(w io.Writer, at Span) (whole bool) {
	const piece = 1 << 18
	buffer := make([]byte, min(piece, max(1, at.Length())))
	for at.Start < at.End {
		n := s.read(buffer[:min(int64(len(buffer)), at.Length())], at.Start)
		if n == 0 {
			return false
		}
		if _, err := w.Write(buffer[:n]); err != nil {
			s.err = err
			return false
		}
		at.Start += int64(n)
	}
	return s.err == nil
}

// read fills data from an offset as far as it goes.
func (s *Source) read(data []byte, at int64) int {
	if s.err == nil {
		s.err = s.ctx.Err()
	}
	if s.err != nil || at < 0 || at >= s.size {
		return 0
	}
	data = data[:min(int64(len(data)), s.size-at)]
	n, err := s.r.ReadAt(data, at)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
		return 0
	}
	return n
}

// spanReader reads a span once from its beginning.
type spanReader struct {
	s    *Source
	left Span
}

func (r *spanReader) Read(p []byte) (int, error) {
	n := r.s.read(p[:min(int64(len(p)), max(0, r.left.Length()))], r.left.Start)
	if r.left.Start += int64(n); n > 0 || len(p) == 0 {
		return n, nil
	}
	if r.s.err != nil {
		return 0, r.s.err
	}
	return 0, io.EOF
}
