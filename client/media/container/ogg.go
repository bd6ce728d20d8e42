package container

import "encoding/binary"

// Page is a page of an Ogg file.
type Page struct {
	Whole   Span
	Content Span
	Begins  bool   // a stream begins with it
	Ends    bool   // a stream ends with it
	Joins   bool   // its first packet began on an earlier page
	Serial  uint32 // its stream's number
	Lacing  []byte // the lengths of its packets' pieces; a piece shorter than 255 ends its packet
}

// OggPages visits the pages of an Ogg file. whole is false where there is anything else between its pages or at its end.
func (s *Source) OggPages(visit func(Page) bool) (whole bool) {
	const header = 27
	at := int64(0)
	for at < s.size {
		head, ok := s.Head(at, header)
		if !ok || string(head[:4]) != "OggS" || head[4] != 0 {
			s.damaged = true
			return false
		}
		lacing, ok := s.Head(at+header, int64(head[26]))
		if !ok {
			s.damaged = true
			return false
		}
		length := int64(0)
		for _, n := range lacing {
			length += int64(n)
		}
		start := at + header + int64(len(lacing))
		if start+length > s.size {
			s.damaged = true
			return false
		}
		page := Page{
			Whole: Span{at, start + length}, Content: Span{start, start + length},
			Begins: head[5]&2 != 0, Ends: head[5]&4 != 0, Joins: head[5]&1 != 0, Serial: binary.LittleEndian.Uint32(head[14:]), Lacing: lacing,
		}
		if !visit(page) {
			return true
		}
		at = start + length
	}
	return s.err == nil
}

// Piece is a part of a packet on one page.
type Piece struct {
	Span
	Ends bool // the packet ends with it
}

// Pieces splits a page into the pieces of its packets.
func (p Page) Pieces() []Piece {
	var pieces []Piece
	at := p.Content.Start
	piece := Piece{Span: Span{at, at}}
	for i, n := range p.Lacing {
		piece.End += int64(n)
		if piece.Ends = n < 255; piece.Ends || i == len(p.Lacing)-1 {
			pieces = append(pieces, piece)
			piece = Piece{Span: Span{piece.End, piece.End}}
		}
	}
	return pieces
}

// oggSums is the table for a checksum with polynomial 0x04c11db7, highest bit first, that starts from 0.
var oggSums = func() (table [256]uint32) {
	for i := range table {
		r := uint32(i) << 24 //nolint:gosec // below 256
		for range 8 {
			if r&(1<<31) != 0 {
				r = r<<1 ^ 0x04c11db7
			} else {
				r <<= 1
			}
		}
		table[i] = r
	}
	return table
}()

// OggChecksumAt is the offset of a page's checksum, four bytes in little-endian order.
const OggChecksumAt = 22

// OggChecksum computes a page's checksum, with its own field taken as 0.
func OggChecksum(page []byte) (sum uint32) {
	for i, b := range page {
		if i >= OggChecksumAt && i < OggChecksumAt+4 {
			b = 0
		}
		sum = sum<<8 ^ oggSums[byte(sum>>24)^b]
	}
	return sum
}
