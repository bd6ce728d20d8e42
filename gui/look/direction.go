package look

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// The toolkit draws each stretch of one direction rightly, but puts the stretches one behind the other from left to right, in the order in which
// they are read. Right-to-left words so stand in the wrong order, with their spaces and digits on the wrong side. Drawn therefore puts the
// words in the order in which they stand on the line (Unicode's annex 9, in a line that runs from left to right).

// leftToRight is an invisible mark. Beside a right-to-left word it keeps the spaces and signs next to it out of the word's direction.
const leftToRight = "\u200e"

// between separates what has nothing to do with each other on Assay's lines: digits behind it do not belong to a name before it.
const between = " · "

// drawn returns a text as the toolkit has to get it. Only texts with right-to-left letters change.
func drawn(text string) string {
	if !hasRightToLeft(text) {
		return text
	}
	parts := strings.Split(text, between)
	for i, part := range parts {
		if hasRightToLeft(part) {
			parts[i] = ordered(part)
		}
	}
	return strings.Join(parts, between)
}

// hasRightToLeft reports whether there is a right-to-left letter. Nothing below U+0590 is one.
func hasRightToLeft(text string) bool {
	for i, r := range text {
		if r >= 0x0590 && isRightToLeft(text[i:]) {
			return true
		}
	}
	return false
}

func isRightToLeft(text string) bool {
	p, _ := bidi.LookupString(text)
	return p.Class() == bidi.R || p.Class() == bidi.AL
}

// ordered puts the words of one part of a line in the order in which they stand.
func ordered(text string) string {
	var p bidi.Paragraph
	if _, err := p.SetString(leftToRight + text); err != nil { // the mark makes the line one that runs from left to right
		return text
	}
	order, err := p.Order()
	if err != nil {
		return text
	}
	var line []string     // in the order on the line
	var backward []string // what runs from right to left, numbers in it included, in the order in which it is read
	turn := func() {
		slices.Reverse(backward)
		line = append(line, backward...)
		backward = backward[:0]
	}
	for i := range order.NumRuns() {
		run := order.Run(i)
		stretch := strings.TrimPrefix(run.String(), leftToRight)
		switch {
		case run.Direction() == bidi.RightToLeft:
			backward = append(backward, words(stretch)...)
		case len(backward) > 0:
			number := numberAt(stretch)
			if number > 0 {
				opened := backward[len(backward)-1]
				backward = append(backward, stretch[:number])
				if bracket, size := utf8.DecodeRuneInString(stretch[number:]); unicode.Is(unicode.Pe, bracket) && strings.ContainsRune(opened, bracket) {
					// A bracket that opens before the number is mirrored already; the library leaves its other half on the line.
					backward = append(backward, bidi.ReverseString(string(bracket)))
					number += size
				}
			}
			if number < len(stretch) {
				turn()
				line = append(line, stretch[number:])
			}
		default:
			line = append(line, stretch)
		}
	}
	turn()
	return strings.Join(line, "")
}

// words splits a right-to-left stretch into its words and what is between them, mirrored as it is read backwards.
func words(stretch string) []string {
	var all []string
	for len(stretch) > 0 {
		end := 0
		inWord := isRightToLeft(stretch)
		for end < len(stretch) && (isRightToLeft(stretch[end:]) || inWord && staysInWord(stretch[end:])) == inWord {
			_, size := utf8.DecodeRuneInString(stretch[end:])
			end += size
		}
		piece := stretch[:end]
		if inWord {
			piece = leftToRight + piece + leftToRight
		} else {
			piece = bidi.ReverseString(piece)
		}
		all = append(all, piece)
		stretch = stretch[end:]
	}
	return all
}

// staysInWord reports whether a text begins with a mark on the letter before it, or with what joins letters.
func staysInWord(text string) bool {
	p, _ := bidi.LookupString(text)
	return p.Class() == bidi.NSM || p.Class() == bidi.BN
}

// numberAt returns how many bytes of a text are the number that it begins with, 0 for none. Digits after a right-to-left word belong to it.
func numberAt(text string) int {
	end := 0
	for at := 0; at < len(text); {
		p, size := bidi.LookupString(text[at:])
		at += size
		switch p.Class() {
		case bidi.EN, bidi.AN:
			end = at
		case bidi.ES, bidi.CS, bidi.ET:
			if end == 0 {
				return 0
			}
		default:
			return end
		}
	}
	return end
}
