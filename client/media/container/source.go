// Package container detects a file's format, and visits the parts that media files consist of: segments of JPEG, chunks of PNG and RIFF,
// boxes of MP4, tags of ID3, pages of Ogg, frames of MPEG audio and FLAC. It finds where each part is and judges none. It may import the
// standard library; nothing of Assay.
//
// What it reads and keeps is bounded whatever the file holds, and no file makes it run endlessly.
package container

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// Source is the file under reading. Its methods return what they could read. After an error of the disk, or once ctx has ended, they read
// nothing more, and Err returns that error. One goroutine may use it at a time.
type Source struct {
	ctx     context.Context
	r       io.ReaderAt
	size    int64
	err     error
	damaged bool
}

// NewSource returns a Source for size bytes of r.
func NewSource(ctx context.Context, r io.ReaderAt, size int64) *Source {
	return &Source{ctx: ctx, r: r, size: size}
}

// SourceOf returns a Source for a file in memory, whose Err is always nil.
func SourceOf(data []byte) *Source {
	return NewSource(context.Background(), bytes.NewReader(data), int64(len(data)))
}

// Size is the file's length in bytes.
func (s *Source) Size() int64 { return s.size }

// Err is the disk's error or ctx's, after which nothing more is read.
func (s *Source) Err() error { return s.err }

// Damaged reports whether a part was cut short, had an impossible length, or exceeded Most. The parts after it were not visited.
func (s *Source) Damaged() bool { return s.damaged }

// Whole is the whole file.
func (s *Source) Whole() Span { return Span{0, s.size} }

// Reader returns a reader of the whole file from its beginning, which does not check ctx.
func (s *Source) Reader() *io.SectionReader { return io.NewSectionReader(s.r, 0, s.size) }

// Bytes reads a span, or as much of it as the file has and limit allows.
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

// Feed writes a span to w in pieces of bounded size. whole is false if the file's end, the disk, ctx or w ended it early; w's own error
// becomes the source's.
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

// read fills data from an offset, as far as the file goes.
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

// spanReader reads a span from its beginning.
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
