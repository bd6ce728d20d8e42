package jsontree

import (
	"bytes"
	"context"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// firstShare and largestShare are the numbers of bytes in the first and the largest step of a search: it begins with a small step, so that
	// the first matches come at once, and grows.
	firstShare   = 256 << 10
	largestShare = 8 << 20
	// restLimit is how many bytes are searched of the text that is no JSON.
	restLimit = 1 << 20
)

// Search searches every key, string, number and literal of a document, as they are shown, for a text, ignoring case. It proceeds in
// steps; one goroutine at a time may call Next.
type Search struct {
	document         *Document
	needle           []byte // folded
	cut              bool   // contains the sign for omitted text
	at, share        int    // the offset reached, and the length of the next step
	keyStart, keyEnd int    // of the next value; equal where it has none
	inKey            bool   // that key matches, and so its value matches too
	done             bool
	found            []Node
	buffer           []byte
}

// Search begins a search. An empty query matches nothing.
func (d *Document) Search(query string) *Search {
	return &Search{document: d, needle: fold([]byte(query), nil), cut: strings.Contains(query, "…"), at: d.root, share: firstShare, done: query == ""}
}

// Next takes a step and returns the matches in it, in the document's order. more is false once the whole document was searched. If ctx
// ends, it returns ctx's error, and the next call continues there.
func (s *Search) Next(ctx context.Context) (matches []Node, more bool, err error) {
	if err := ctx.Err(); err != nil || s.done {
		return nil, !s.done, err
	}
	s.found = nil
	s.scan(min(len(s.document.text), s.at+s.share))
	s.share = min(2*s.share, largestShare)
	if s.at >= len(s.document.text) {
		s.done = true
		if rest := s.document.unread(); rest.Kind == Unread {
			if s.contains([]byte(s.document.masked("", string(s.document.data[rest.Start:min(rest.End, rest.Start+restLimit)])))) {
				s.found = append(s.found, rest)
			}
		}
	}
	return s.found, !s.done, nil
}

// scan reads the text token by token. It needs no stack: a string followed by a colon is a key.
func (s *Search) scan(end int) {
	text := s.document.text
	for s.at < end {
		start := s.at
		switch text[start] {
		case ' ', '\n', '\r', '\t', ':':
			s.at++
			continue
		case '{', '[':
			if s.inKey {
				s.add(start, s.document.skip(start))
			}
			s.at++
		case ',', ']', '}':
			s.at++
		case '"':
			s.at, _ = readString(text, start)
			inside := s.document.inside(start, s.at)
			if after := skipSpace(text, s.at); s.keyEnd == 0 && after < len(text) && text[after] == ':' {
				s.keyStart, s.keyEnd, s.inKey = start, s.at, s.matches(nil, inside)
				continue
			}
			if s.inKey || s.matches(s.document.inside(s.keyStart, s.keyEnd), inside) {
				s.add(start, s.at)
			}
		default:
			for s.at < len(text) && !endsScalar(text[s.at]) {
				s.at++
			}
			if s.inKey || s.at-start >= len(s.needle) && s.contains(text[start:s.at]) {
				s.add(start, s.at)
			}
		}
		s.keyStart, s.keyEnd, s.inKey = 0, 0, false
	}
}

func (s *Search) add(start, end int) {
	s.found = append(s.found, Node{Kind: kindOf(s.document.text[start]), Start: start, End: end, keyStart: s.keyStart, keyEnd: s.keyEnd})
}

// matches searches a string and its key, both given without their quotes. A string with an escape or a URL may be shown otherwise than it
// was sent.
func (s *Search) matches(key, inside []byte) bool {
	if bytes.IndexByte(inside, '\\') < 0 {
		switch hit := s.contains(inside); {
		case !hit && !s.cut: // masking a URL only removes text
			return false
		case !bytes.Contains(inside, []byte("://")):
			return hit
		}
	}
	text, _ := decode(inside, -1)
	name, _ := decode(key, plainLimit)
	return s.contains([]byte(s.document.masked(name, text)))
}

// contains searches a text as it is shown. Most texts are ASCII and need no folding.
func (s *Search) contains(text []byte) bool {
	wide := false
	for i, c := range text {
		wide = wide || c >= utf8.RuneSelf
		if upper[c] == s.needle[0] && s.beginsAt(text[i:]) {
			return true
		}
	}
	if !wide {
		return false
	}
	s.buffer = fold(text, s.buffer[:0])
	return bytes.Contains(s.buffer, s.needle)
}

func (s *Search) beginsAt(text []byte) bool {
	for i, c := range s.needle {
		if i >= len(text) || upper[text[i]] != c {
			return false
		}
	}
	return true
}

// upper maps each ASCII letter to upper case, and every other byte to itself.
var upper = func() (upper [256]byte) {
	for i := range upper {
		upper[i] = byte(i)
	}
	for c := 'a'; c <= 'z'; c++ {
		upper[c] = byte(c - 'a' + 'A')
	}
	return upper
}()

// fold appends a text with every character replaced by the smallest one that differs from it in case only.
func fold(text, to []byte) []byte {
	for len(text) > 0 {
		if c := text[0]; c < utf8.RuneSelf {
			to = append(to, upper[c])
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
