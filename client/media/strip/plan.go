package strip

import (
	"bufio"
	"cmp"
	"io"
	"slices"

	"assay/client/media/container"
)

// piece is a part of the copy: a span of the original, new bytes, or zeros.
type piece struct {
	from  container.Span
	bytes []byte
	zeros int64
}

func (p piece) length() int64 { return int64(len(p.bytes)) + p.zeros + p.from.Length() }

// plan lists the parts of a copy, in order.
type plan struct {
	pieces   []piece
	own      int64 // new bytes, which are in memory
	trailing bool  // the original has data after the end of its format
}

// mostPieces and mostOwn bound a plan's memory: to 80 MB and 32 MB.
const (
	mostPieces = 1 << 20
	mostOwn    = 32 << 20
)

// keep appends a span of the original.
func (p *plan) keep(at container.Span) {
	if at.Length() <= 0 {
		return
	}
	if n := len(p.pieces); n > 0 {
		if last := &p.pieces[n-1]; last.bytes == nil && last.zeros == 0 && last.from.End == at.Start {
			last.from.End = at.End
			return
		}
	}
	p.pieces = append(p.pieces, piece{from: at})
}

// put appends new bytes.
func (p *plan) put(b ...byte) {
	if len(b) > 0 {
		p.pieces, p.own = append(p.pieces, piece{bytes: b}), p.own+int64(len(b))
	}
}

// blank appends zeros.
func (p *plan) blank(n int64) {
	if n > 0 {
		p.pieces = append(p.pieces, piece{zeros: n})
	}
}

// tooLarge reports whether the plan exceeds its bounds.
func (p *plan) tooLarge() bool { return len(p.pieces) > mostPieces || p.own > mostOwn }

// length is the copy's length, and how much of it is from the original.
func (p *plan) length() (all, kept int64) {
	for _, one := range p.pieces {
		all += one.length()
		kept += one.from.Length()
	}
	return all, kept
}

// write writes the copy.
func (p *plan) write(src *container.Source, to io.Writer) error {
	const buffered = 1 << 18
	w := bufio.NewWriterSize(to, buffered)
	zeros := make([]byte, 4096)
	for _, one := range p.pieces {
		switch {
		case one.bytes != nil:
			if _, err := w.Write(one.bytes); err != nil {
				return err
			}
		case one.zeros > 0:
			for left := one.zeros; left > 0; left -= int64(len(zeros)) {
				if _, err := w.Write(zeros[:min(left, int64(len(zeros)))]); err != nil {
					return err
				}
			}
		case !src.Feed(w, one.from):
			if src.Err() != nil {
				return src.Err()
			}
			return ErrDamaged // the original became shorter meanwhile
		}
	}
	return w.Flush()
}

// planReader reads a copy that has not been written.
type planReader struct {
	src    *container.Source
	pieces []piece
	starts []int64 // offset of each piece in the copy
	length int64
}

func (p *plan) reader(src *container.Source) *planReader {
	r := &planReader{src: src, pieces: p.pieces}
	for _, one := range p.pieces {
		r.starts = append(r.starts, r.length)
		r.length += one.length()
	}
	return r
}

// ReadAt implements io.ReaderAt.
func (r *planReader) ReadAt(data []byte, at int64) (n int, err error) {
	if at < 0 || at >= r.length {
		return 0, io.EOF
	}
	i, found := slices.BinarySearch(r.starts, at)
	if !found {
		i--
	}
	for ; n < len(data) && i < len(r.pieces); i++ {
		one, skip := r.pieces[i], at+int64(n)-r.starts[i]
		part := data[n:]
		part = part[:min(int64(len(part)), one.length()-skip)]
		switch {
		case one.bytes != nil:
			copy(part, one.bytes[skip:])
		case one.zeros > 0:
			clear(part)
		default:
			start := one.from.Start + skip
			if got := r.src.Bytes(container.Between(start, start+int64(len(part))), int64(len(part))); copy(part, got) < len(part) {
				return n, cmp.Or(r.src.Err(), io.ErrUnexpectedEOF)
			}
		}
		n += len(part)
	}
	if n < len(data) {
		return n, io.EOF
	}
	return n, nil
}

// patch overwrites a span, in a copy as long as its original, with bytes or zeros.
type patch struct {
	at    container.Span
	bytes []byte // nil for zeros
}

// patched plans a copy in which nothing moves.
func patched(size int64, patches []patch) (*plan, error) {
	slices.SortStableFunc(patches, func(a, b patch) int { return int(min(max(a.at.Start-b.at.Start, -1), 1)) })
	p := &plan{}
	at := int64(0)
	for _, one := range patches {
		if one.at.Length() <= 0 {
			continue
		}
		if one.at.Start < at || one.at.End > size {
			return nil, ErrUnusual // two parts of the file claim the same bytes
		}
		p.keep(container.Between(at, one.at.Start))
		if one.bytes != nil {
			p.put(one.bytes...)
		} else {
			p.blank(one.at.Length())
		}
		at = one.at.End
	}
	p.keep(container.Between(at, size))
	return p, nil
}
