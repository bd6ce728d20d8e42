package jsontree

import (
	"bytes"
	"context"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// firstShare and largestShare are how many bytes a step of a search goes over: little at first, so that the first matches are
	// there at once, then more and more.
	firstShare   = 256 << 10
	largestShare = 8 << 20
	// restLimit is how much of what is no JSON is searched.
	restLimit = 1 << 20
)

// Search looks for a text in every key, string, number and literal of a document, as they are shown, whatever its case. It goes on
// step by step, each by one goroutine.
type Search struct {
	document *Document
	needle   []byte // folded
	wide     bool   // holds more than ASCII
	cut      bool   // holds the sign for what was left out
	at       int    // how far it has come
	share    int
	key      piece // that of the value to come
	hit      bool  // in it
	done     bool
	found    []Node
	buffer   []byte
}

// piece is a place in the text.
type piece struct{ start, end int }

// Search begins a search. An empty query matches nothing.
func (d *Document) Search(query string) *Search {
	s := &Search{document: d, needle: fold([]byte(query), nil), at: d.root, share: firstShare, done: query == ""}
	s.cut = strings.Contains(query, "…")
	s.wide = bytes.ContainsFunc(s.needle, func(r rune) bool { return r >= utf8.RuneSelf })
	return s
}

// Next goes a step on and gives the matches met, in the document's order. more is false once the whole document was searched. It
// ends early with ctx's error, and can be taken up again.
func (s *Search) Next(ctx context.Context) (matches []Node, more bool, err error) {
	if err := ctx.Err(); err != nil || s.done {
		return nil, !s.done, err
	}
	s.found = nil
	s.scan(min(len(s.document.text), s.at+s.share))
	s.share = min(2*s.share, largestShare)
	if s.at >= len(s.document.text) {
		s.done = true
		if rest := s.document.Rest(); rest.Kind == Unread {
			if s.shows("", string(s.document.data[rest.Start:min(rest.End, rest.Start+restLimit)])) {
				s.found = append(s.found, rest)
			}
		}
	}
	return s.found, !s.done, nil
}

// scan goes over the text token by token; it needs no stack, for a key is told by the colon behind it.
func (s *Search) scan(end int) {
	text := s.document.text
	for s.at < end {
		at := s.at
		switch c := text[at]; c {
		case ' ', '\n', '\r', '\t', ':':
			s.at++
		case ',', ']', '}':
			s.key, s.hit = piece{}, false
			s.at++
		case '{', '[':
			if s.hit {
				s.add(at, s.document.skip(at))
			}
			s.key, s.hit = piece{}, false
			s.at++
		case '"':
			s.scanString(text)
		default:
			for s.at < len(text) && !endsScalar(text[s.at]) {
				s.at++
			}
			if s.hit || !s.wide && containsFolded(text[at:s.at], s.needle) {
				s.add(at, s.at)
			}
		}
	}
}

func (s *Search) scanString(text []byte) {
	at := s.at
	about, ok := readString(text, at)
	if !ok { // not where Read has been
		s.at = len(text)
		return
	}
	s.at = about.end
	inside := text[at+1 : about.end-1]
	if after := skipSpace(text, about.end); s.key.end == 0 && after < len(text) && text[after] == ':' {
		s.key, s.hit = piece{at, about.end}, s.matches(piece{}, inside, about)
		return
	}
	if s.hit || s.matches(s.key, inside, about) {
		s.add(at, about.end)
	}
}

func (s *Search) add(start, end int) {
	s.found = append(s.found, Node{Kind: kindOf(s.document.text[start]), Start: start, End: end, keyStart: s.key.start, keyEnd: s.key.end})
}

// matches looks into a string's inside.
func (s *Search) matches(key piece, inside []byte, about literal) bool {
	switch {
	case about.escaped || bytes.Contains(inside, []byte("://")): // it may be an address, of which not all may be shown
		text, _ := decode(inside, -1)
		if s.buffer = fold([]byte(text), s.buffer[:0]); !s.cut && !bytes.Contains(s.buffer, s.needle) {
			return false // masking only takes away
		}
		name, _ := decode(s.document.inside(key.start, key.end), plainLimit)
		return s.shows(name, text)
	case !about.wide:
		return !s.wide && containsFolded(inside, s.needle)
	}
	s.buffer = fold(inside, s.buffer[:0])
	return bytes.Contains(s.buffer, s.needle)
}

// shows looks into what may be shown of a text.
func (s *Search) shows(key, text string) bool {
	s.buffer = fold([]byte(s.document.masked(key, text)), s.buffer[:0])
	return bytes.Contains(s.buffer, s.needle)
}

var upperASCII = func() (upper [256]byte) {
	for i := range upper {
		upper[i] = byte(i)
	}
	for c := 'a'; c <= 'z'; c++ {
		upper[c] = byte(c - 'a' + 'A')
	}
	return upper
}()

// containsFolded looks for a folded needle in ASCII.
func containsFolded(text, needle []byte) bool {
	first, last := needle[0], len(text)-len(needle)
next:
	for i := 0; i <= last; i++ {
		if upperASCII[text[i]] != first {
			continue
		}
		for j := 1; j < len(needle); j++ {
			if upperASCII[text[i+j]] != needle[j] {
				continue next
			}
		}
		return true
	}
	return false
}

// fold appends a text with every character replaced by the first of those that differ from it by case alone.
func fold(text, to []byte) []byte {
	for len(text) > 0 {
		if c := text[0]; c < utf8.RuneSelf {
			to = append(to, upperASCII[c])
			text = text[1:]
			continue
		}
		r, size := utf8.DecodeRune(text)
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		to = utf8.AppendRune(to, least)
		text = text[size:]
	}
	return to
}
