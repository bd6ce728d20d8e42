// Package plain has text that came from outside: from the service, from files and their names, from proxies, keychains and other
// programs. It is shown in one line, without anything that moves, hides or turns what stands around it. It imports the standard
// library alone.
package plain

import (
	"strings"
	"unicode"
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
