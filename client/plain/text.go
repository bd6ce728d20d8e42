// Package plain has text that came from outside: from the service, from files and their names, from proxies, keychains and other
// programs. It is shown in one line, without anything that moves, hides or turns what stands around it. It imports the standard
// library alone.
package plain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is text from outside. Its field is unexported, so that a raw string becomes one through this package alone, and so that
// whatever prints a Text, fmt included, prints it plain. Two are equal where the same text was sent.
type Text struct{ sent string }

// From takes over a text as it was sent.
func From(sent string) Text { return Text{sent} }

// String is the text fit to be shown in one line, on screen and in a terminal: control characters and line breaks, marks that turn the
// direction of writing, other invisible characters, and bytes that are no UTF-8 each become U+FFFD, so that it can neither hide its
// end nor fake a second line. Everything else, emoji and every script included, stays.
func (t Text) String() string {
	if isPlain(t.sent) {
		return t.sent
	}
	var b strings.Builder
	b.Grow(len(t.sent) + utf8.UTFMax)
	var c cleaner
	for _, r := range t.sent { // a byte that is no UTF-8 arrives as utf8.RuneError
		if r, ok := c.next(r); ok {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Verbatim is the text as it was sent, for what has to be compared, stored or sent back byte for byte. It is never shown.
func (t Text) Verbatim() string { return t.sent }

// IsZero reports whether there is no text.
func (t Text) IsZero() bool { return t.sent == "" }

// Compare orders texts as strings.Compare does.
func (t Text) Compare(other Text) int { return strings.Compare(t.sent, other.sent) }

// Equal reports whether the same text was sent.
func (t Text) Equal(other Text) bool { return t == other }

// Clip is the text of at most so many characters; what is longer ends in "…".
func (t Text) Clip(most int) Text {
	if len(t.sent) <= most || utf8.RuneCountInString(t.sent) <= most {
		return t
	}
	for i := range t.sent {
		if most--; most == 0 {
			return Text{t.sent[:i] + "…"}
		}
	}
	return Text{}
}

// Folded is the text with all its white space, line breaks included, as single spaces: for sentences, which may be laid out in lines.
func (t Text) Folded() Text { return Text{strings.Join(strings.Fields(t.sent), " ")} }

// MarshalText writes the text as it was sent: what is stored or passed on loses nothing.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.sent), nil }

// UnmarshalText takes over a text as it was sent. Decoders of JSON and XML call it for texts alone.
func (t *Text) UnmarshalText(sent []byte) error {
	t.sent = string(sent)
	return nil
}

// Line makes a line that was put together ready to be printed: one line whatever is in it. Line breaks and tabs become spaces, all
// else is as in Text.
func Line(text string) string {
	return From(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) && Hidden(r) {
			return ' '
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))).String()
}

// isPlain reports whether a text is as it is shown, of those texts for which that is told at a glance.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}

// mostMarks is how many marks in a row one character may carry. No language needs as many; more of them cover the lines around.
const mostMarks = 8

// brailleBlank is a symbol by its class, and looks like a space.
const brailleBlank = '\u2800'

const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
)

// Hidden reports whether a character is not seen as such wherever it stands: it controls, breaks the line, turns the direction of
// writing, has no form at all, or none that is known.
func Hidden(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	return r == brailleBlank || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// cleaner makes the characters of one text plain, one after the other.
type cleaner struct {
	before rune // the character before, as it was sent; 0 at the beginning
	marks  int  // that stand in a row before this one
}

// next is what is shown of a character; ok is false for nothing.
func (c *cleaner) next(r rune) (shown rune, ok bool) {
	before := c.before
	c.before = r
	joins, selects := r == nonJoiner || r == joiner, unicode.Is(unicode.Variation_Selector, r)
	switch {
	case joins || selects:
		// Persian, Indic scripts and emoji need them behind a character, one at a time. In a row they carry text that nobody sees.
		needed := before >= utf8.RuneSelf && !Hidden(before) || selects && isKeycap(before) || joins && unicode.Is(unicode.Variation_Selector, before)
		if !needed {
			return utf8.RuneError, true
		}
		return r, true
	case Hidden(r):
		c.marks = 0
		return utf8.RuneError, true
	case !unicode.IsMark(r):
		c.marks = 0
		return r, true
	}
	switch c.marks++; {
	case c.marks <= mostMarks:
		return r, true
	case c.marks == mostMarks+1:
		return utf8.RuneError, true
	}
	return 0, false
}

// isKeycap reports whether an ASCII character begins an emoji, such as that of a key of a telephone.
func isKeycap(r rune) bool { return r >= '0' && r <= '9' || r == '#' || r == '*' }

// JSON is JSON that says the same, as it was laid out, and holds no hidden character as itself: each stands there as its escape. What is
// no UTF-8 becomes U+FFFD, as JSON has no form for it. What is no JSON is refused.
func JSON(data []byte) ([]byte, error) {
	var read json.RawMessage
	if err := json.Unmarshal(data, &read); err != nil {
		return nil, err
	}
	out := make([]byte, 0, len(data)+len(data)/8)
	marks := 0 // in a row
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if marks++; !unicode.IsMark(r) {
			marks = 0
		}
		switch {
		case r == '\n', r == '\t', !Hidden(r) && marks <= mostMarks && (r != utf8.RuneError || size > 1): // as themselves, the first two stand outside of strings alone
			out = append(out, data[:size]...)
		case r == '\r': // likewise; on a terminal it writes over what stands there
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		data = data[size:]
	}
	return out, nil
}

// JSONLine is JSON in one line.
func JSONLine(data []byte) ([]byte, error) {
	var line bytes.Buffer
	if err := json.Compact(&line, data); err != nil {
		return nil, err
	}
	return JSON(line.Bytes())
}

// Quoted is the text as a string of JSON in one line: nothing of it is lost, and what is hidden is seen.
func (t Text) Quoted() string {
	var raw bytes.Buffer
	encoder := json.NewEncoder(&raw)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(t.sent) != nil {
		return `""` // a string always encodes
	}
	line, err := JSONLine(raw.Bytes())
	if err != nil {
		return `""` // and what was encoded is JSON
	}
	return string(line)
}
