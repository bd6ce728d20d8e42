package container

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
)

// PNGSignature is what every PNG begins with.
const PNGSignature = "\x89PNG\r\n\x1a\n"

// PNGChunks visits a PNG's chunks. end is the offset of the first one that is cut short, or where the last one ends. Checksums are not
// verified, because other programs also show a chunk whose checksum is wrong.
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

// PNGText is a text of any of PNG's three kinds: tEXt, zTXt and iTXt (PNG specification, 11.3.3).
type PNGText struct {
	Keyword []byte
	text    []byte
	packed  bool
}

// ReadPNGText reads the content of a chunk of one of those kinds. ok is false where the text is cut short: then only the keyword is set.
func ReadPNGText(kind string, content []byte) (t PNGText, ok bool) {
	keyword, rest, ok := bytes.Cut(content, []byte{0})
	t.Keyword = keyword
	switch {
	case !ok || kind == "tEXt":
		t.text = rest
		return t, ok
	case kind == "zTXt" && len(rest) >= 1:
		t.text, t.packed = rest[1:], true
		return t, true
	case kind == "iTXt" && len(rest) >= 2: // compression, language, translated keyword, text
		_, translated, _ := bytes.Cut(rest[2:], []byte{0})
		_, text, whole := bytes.Cut(translated, []byte{0})
		t.text, t.packed = text, whole && rest[0] == 1
		return t, whole
	}
	return t, false
}

// Text is the text; a compressed one is decompressed as Inflate does.
func (t PNGText) Text(most int64, room *int64) (text []byte, whole bool) {
	if !t.packed {
		return t.text, true
	}
	return Inflate(t.text, most, room)
}

// Inflate decompresses a zlib stream up to most bytes and up to *room, from which it subtracts the result's length: together, the many small
// streams of a file can't expand beyond the file's room. whole is false where there may be more; of a damaged stream it returns what it could read.
func Inflate(packed []byte, most int64, room *int64) (text []byte, whole bool) {
	most = min(most, *room)
	if most <= 0 {
		return nil, false
	}
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, false
	}
	var unpacked bytes.Buffer
	n, err := io.Copy(&unpacked, io.LimitReader(r, most))
	*room -= n
	return unpacked.Bytes(), err == nil && n < most
}
