package container

import "encoding/binary"

// Page is a page of an Ogg file.
type Page struct {
	Whole   Span
	Content Span
	Begins  bool   // a stream begins with it
	Joins   bool   // its first packet began on an earlier page
	Serial  uint32 // its stream's number
	Lacing  []byte // the lengths of its packets' pieces: a packet ends with a piece shorter than 255
}

// OggPages goes through an Ogg file. whole is false where something else stands among its pages or at its end.
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
			Begins: head[5]&2 != 0, Joins: head[5]&1 != 0, Serial: binary.LittleEndian.Uint32(head[14:]), Lacing: lacing,
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

// Pieces parts a page into those of its packets.
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
