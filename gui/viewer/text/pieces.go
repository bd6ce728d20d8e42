package text

import (
	"slices"
	"strings"
	"unicode"

	"assay/gui/present"
)

// piece is a stretch of a line that is drawn in one go.
type piece struct {
	text   string
	start  int // byte of the block at which it begins
	bold   bool
	medium bool // italic in the page: the typeface has none
	mark   int
	link   string
	rtl    bool
}

// piecesOf cuts a line where its looks or its direction change, in the order in which the pieces stand from left to right.
func piecesOf(b *present.ProseBlock, l line) []piece {
	var pieces []piece
	heading := b.Kind == present.ProseHeading
	at := l.start
	add := func(end int, r present.ProseRun) {
		if end > at {
			pieces = append(pieces, piece{text: b.Text[at:end], start: at, bold: r.Bold || heading, medium: r.Italic, mark: r.Mark, link: r.Link})
			at = end
		}
	}
	plain := present.ProseRun{Mark: -1}
	for _, r := range b.Runs[firstRun(b, l.start):] {
		if r.Start >= l.end {
			break
		}
		add(min(max(r.Start, l.start), l.end), plain)
		add(min(r.End, l.end), r)
	}
	add(l.end, plain)
	rightToLeft := isRightToLeft(b.Text)
	if !rightToLeft && !strings.ContainsFunc(b.Text[l.start:l.end], readsLeft) {
		return pieces
	}
	return ordered(pieces, rightToLeft)
}

// isRightToLeft tells a paragraph's direction by its first letter, if it comes soon.
func isRightToLeft(text string) bool {
	for _, r := range text[:min(len(text), 4<<10)] {
		switch {
		case readsLeft(r):
			return true
		case unicode.IsLetter(r):
			return false
		}
	}
	return false
}

// readsLeft tells the letters of scripts that are written from right to left.
func readsLeft(r rune) bool {
	return r >= 0x590 && r <= 0x8ff && !unicode.IsDigit(r) || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc ||
		r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
}

// readsRight tells letters of the other scripts, and digits of all.
func readsRight(r rune) bool { return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !readsLeft(r) }

// ordered cuts pieces by direction and puts them as they stand from left to right: words of the other direction keep their own
// order within the line. What has no direction takes that of its neighbours where they agree, else the paragraph's. Points and
// brackets among words that are set from right to left become pieces of their own: the toolkit turns the letters of such words
// about, and sets what another typeface draws from left to right.
func ordered(pieces []piece, rightToLeft bool) []piece {
	var runes []rune
	var of, starts []int // the piece of each, and its byte
	for i, p := range pieces {
		for at, r := range p.text {
			runes, of, starts = append(runes, r), append(of, i), append(starts, p.start+at)
		}
	}
	left := directions(runes, rightToLeft)
	points := make([]bool, len(runes)) // set from right to left, and no letter
	for i := range runes {
		points[i] = left[i] && !readsLeft(runes[i]) && !joinsWords(runes, of, i)
	}
	var cut []piece
	for i := 0; i < len(runes); {
		end := i
		for end < len(runes) && left[end] == left[i] && points[end] == points[i] && of[end] == of[i] {
			end++
		}
		p := pieces[of[i]]
		p.rtl, p.start = left[i], starts[i]
		p.text = string(runes[i:end])
		if points[i] {
			p.text = mirrored(runes[i:end])
		}
		cut = append(cut, p)
		i = end
	}
	// Words of the other direction stand together, in the paragraph's order reversed.
	if rightToLeft {
		slices.Reverse(cut)
	}
	for i := 0; i < len(cut); {
		end := i
		for end < len(cut) && cut[end].rtl != rightToLeft {
			end++
		}
		slices.Reverse(cut[i:end])
		i = max(end, i+1)
	}
	return cut
}

// directions tells for each character whether it is set from right to left.
func directions(runes []rune, rightToLeft bool) []bool {
	left := make([]bool, len(runes))
	for i := 0; i < len(runes); {
		switch r := runes[i]; {
		case readsLeft(r):
			left[i] = true
			i++
			continue
		case readsRight(r):
			i++
			continue
		}
		end := i
		for end < len(runes) && !readsLeft(runes[end]) && !readsRight(runes[end]) {
			end++
		}
		direction := rightToLeft
		before, after := rightToLeft, rightToLeft
		if i > 0 {
			before = left[i-1]
		}
		if end < len(runes) {
			after = readsLeft(runes[end])
		}
		if before == after {
			direction = before
		}
		for ; i < end; i++ {
			left[i] = direction
		}
	}
	return left
}

// joinsWords tells whether a character is a space between two letters of its own piece that read from right to left.
func joinsWords(runes []rune, of []int, i int) bool {
	return (runes[i] == ' ' || runes[i] == 0xa0) && i > 0 && i+1 < len(runes) && readsLeft(runes[i-1]) && readsLeft(runes[i+1]) && of[i-1] == of[i] && of[i+1] == of[i]
}

// mirror are the brackets that open where they close when they are set from right to left.
var mirror = map[rune]rune{
	'(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '<': '>', '>': '<', '«': '»', '»': '«', '‹': '›', '›': '‹',
}

// mirrored turns points and brackets about.
func mirrored(runes []rune) string {
	out := slices.Clone(runes)
	slices.Reverse(out)
	for i, r := range out {
		if m, has := mirror[r]; has {
			out[i] = m
		}
	}
	return string(out)
}
