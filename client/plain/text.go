// Package plain makes text from outside safe to show: from the service, from files and their names, from proxies, keychains and other
// programs. It is shown on one line, without characters that move, hide or reverse the text around them. It imports the standard
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

// Text is text from outside. Its field is unexported, so that only this package turns a string into a Text, and so that whatever prints a
// Text, fmt included, prints it plain. Two are equal if they were sent equal.
type Text struct{ sent string }

// From wraps a text as it was sent.
func From(sent string) Text { return Text{sent} }

// String is the text made fit for one line, on screen and in a terminal: control characters and line breaks, marks that change the
// direction of writing, other invisible characters, and invalid UTF-8 each become U+FFFD, so that it can neither hide its
// end nor fake a second line. Everything else stays, including emoji and every script.
func (t Text) String() string {
	if isPlain(t.sent) {
		return t.sent
	}
	var b strings.Builder
	b.Grow(len(t.sent) + utf8.UTFMax)
	var c cleaner
	for _, r := range t.sent { // invalid UTF-8 is utf8.RuneError here
		if r, ok := c.next(r); ok {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Verbatim is the text as it was sent, to be compared, stored or sent back byte for byte. It must never be shown.
func (t Text) Verbatim() string { return t.sent }

// IsZero reports whether there is no text.
func (t Text) IsZero() bool { return t.sent == "" }

// Compare orders texts as strings.Compare does.
func (t Text) Compare(other Text) int { return strings.Compare(t.sent, other.sent) }

// Equal reports whether the same text was sent.
func (t Text) Equal(other Text) bool { return t == other }

// Clip shortens the text to at most so many characters; a shortened one ends in "…".
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

// Folded is the text with each run of white space, line breaks included, reduced to one space: for sentences that may contain line breaks.
func (t Text) Folded() Text { return Text{strings.Join(strings.Fields(t.sent), " ")} }

// MarshalText returns the text as it was sent, so that storing it loses nothing.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.sent), nil }

// UnmarshalText takes a text as it was sent. Decoders of JSON and XML call it only for strings.
func (t *Text) UnmarshalText(sent []byte) error {
	t.sent = string(sent)
	return nil
}

// Line makes a composed line ready for printing: line breaks and tabs become spaces, and all other characters are treated as in
// Text.
func Line(text string) string {
	return From(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) && Hidden(r) {
			return ' '
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))).String()
}

// isPlain reports whether a text certainly needs no change; it is a quick check that accepts only common characters.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}

// mostMarks bounds the consecutive marks on one character. No language needs as many; more of them would cover the lines around.
const mostMarks = 8

// brailleBlank is a symbol according to its category, but looks like a space.
const brailleBlank = '\u2800'

const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
)

// Hidden reports whether a character is invisible or unsafe anywhere: a control character, a line break, a change of the direction of
// writing, a character without a form, or an unassigned one.
func Hidden(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	return r == brailleBlank || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// cleaner makes the characters of one text plain, in order.
type cleaner struct {
	before rune // the previous character, as it was sent; 0 at the beginning
	marks  int  // number of consecutive marks before this character
}

// next is the replacement of a character; ok is false if it is dropped.
func (c *cleaner) next(r rune) (shown rune, ok bool) {
	before := c.before
	c.before = r
	joins, selects := r == nonJoiner || r == joiner, unicode.Is(unicode.Variation_Selector, r)
	switch {
	case joins || selects:
		// Persian, Indic scripts and emoji need one of these after a character. Several in a row could carry an invisible text.
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

// isKeycap reports whether an ASCII character can begin an emoji of a telephone key.
func isKeycap(r rune) bool { return r >= '0' && r <= '9' || r == '#' || r == '*' }

// JSON returns JSON with the same meaning and layout, in which every hidden character is escaped. Invalid UTF-8 becomes U+FFFD, as JSON
// can't represent it. Invalid JSON is an error.
func JSON(data []byte) ([]byte, error) {
	var read json.RawMessage
	if err := json.Unmarshal(data, &read); err != nil {
		return nil, err
	}
	out := make([]byte, 0, len(data)+len(data)/8)
	marks := 0 // consecutive ones
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if marks++; !unicode.IsMark(r) {
			marks = 0
		}
		switch {
		case r == '\n', r == '\t', !Hidden(r) && marks <= mostMarks && (r != utf8.RuneError || size > 1): // unchanged; line feeds and tabs occur only outside of strings
			out = append(out, data[:size]...)
		case r == '\r': // also outside of strings only; on a terminal it would overwrite the line
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

// JSONLine is JSON on one line.
func JSONLine(data []byte) ([]byte, error) {
	var line bytes.Buffer
	if err := json.Compact(&line, data); err != nil {
		return nil, err
	}
	return JSON(line.Bytes())
}

// Quoted is the text as a JSON string on one line, without loss, and with hidden characters escaped.
func (t Text) Quoted() string {
	var raw bytes.Buffer
	encoder := json.NewEncoder(&raw)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(t.sent) != nil {
		return `""` // a string can always be encoded
	}
	line, err := JSONLine(raw.Bytes())
	if err != nil {
		return `""` // the encoder's output is valid JSON
	}
	return string(line)
}
