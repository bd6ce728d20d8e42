package jsontree

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"assay/client/plain"
)

// nextRune reads one character from inside a string. An unpaired surrogate is returned as it is, invalid UTF-8 as utf8.RuneError of
// size 1.
func nextRune(s []byte) (r rune, size int) {
	if s[0] != '\\' {
		if s[0] < utf8.RuneSelf {
			return rune(s[0]), 1
		}
		return utf8.DecodeRune(s)
	}
	if len(s) < 2 {
		return '\\', 1
	}
	switch s[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r, ok := hex4(s, 2)
		if !ok {
			return '\\', 1
		}
		if utf16.IsSurrogate(r) && len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
			if low, ok := hex4(s, 8); ok {
				if pair := utf16.DecodeRune(r, low); pair != unicode.ReplacementChar {
					return pair, 12
				}
			}
		}
		return r, 6
	}
	return rune(s[1]), 2
}

// inside is a string's text without its quotes.
func (d *Document) inside(start, end int) []byte {
	if end-start < 2 {
		return nil
	}
	return d.text[start+1 : end-1]
}

// decode decodes the inside of a string as encoding/json does, until the result has limit bytes; a negative limit is none.
func decode(s []byte, limit int) (text string, whole bool) {
	var out strings.Builder
	for len(s) > 0 {
		if limit >= 0 && out.Len() >= limit {
			return out.String(), false
		}
		r, size := nextRune(s)
		out.WriteRune(r) // unpaired surrogates become U+FFFD
		s = s[size:]
	}
	return out.String(), true
}

// masked is the part of a text that may be shown.
func (d *Document) masked(key, text string) string {
	if d.Mask == nil {
		return text
	}
	return d.Mask(key, text)
}

// plainLimit is how many bytes of a text are read in order to show its beginning.
const plainLimit = 8 << 10

// Key is a node's key for the screen: masked, with invisible characters escaped, and of at most so many characters.
func (d *Document) Key(n Node, limit int) string {
	if !n.HasKey() {
		return ""
	}
	shown, _ := d.shown("", d.inside(n.keyStart, n.keyEnd), limit, false)
	return shown
}

func (d *Document) keyText(n Node) string {
	if !n.HasKey() {
		return ""
	}
	text, _ := decode(d.inside(n.keyStart, n.keyEnd), plainLimit)
	return text
}

// Preview is a node on one line of at most about so many characters: as sent, but masked, with invisible characters escaped; of a value
// with children, the beginning. whole is false if something is left out.
func (d *Document) Preview(n Node, limit int) (line string, whole bool) {
	switch n.Kind {
	case None:
		return "", true
	case Unread:
		return d.shown("", d.data[n.Start:min(n.End, n.Start+plainLimit)], limit, true)
	case Object, Array:
		return d.previewChildren(n, limit)
	}
	return d.scalar(n, limit)
}

func (d *Document) scalar(n Node, limit int) (line string, whole bool) {
	if n.Kind != String {
		if n.End-n.Start > limit {
			return string(d.text[n.Start:n.Start+limit]) + "…", false
		}
		return string(d.text[n.Start:n.End]), true
	}
	line, whole = d.shown(d.keyText(n), d.inside(n.Start, n.End), limit, false)
	if whole {
		return `"` + line + `"`, true
	}
	return `"` + line, false
}

// previewChildren writes the first children on one line.
func (d *Document) previewChildren(n Node, limit int) (line string, whole bool) {
	var out strings.Builder
	opening, closing := brackets(n.Kind)
	out.WriteString(opening)
	whole = true
	d.walk(n, 0, func(index int, child Node) bool {
		if index > 0 {
			out.WriteString(", ")
		}
		left := limit - out.Len()
		if left <= 0 {
			out.WriteString("…")
			whole = false
			return false
		}
		if n.Kind == Object {
			out.WriteString(`"` + d.Key(child, left) + `": `)
		}
		switch opening, closing := brackets(child.Kind); {
		case !child.HasChildren():
			text, all := d.scalar(child, max(left, 8))
			out.WriteString(text)
			whole = whole && all
		case d.Count(child) == 0:
			out.WriteString(opening + closing)
		default:
			out.WriteString(opening + "…" + closing)
			whole = false
		}
		return true
	})
	return out.String() + closing, whole
}

func brackets(kind Kind) (opening, closing string) {
	if kind == Object {
		return "{", "}"
	}
	return "[", "]"
}

// shown writes a text for the screen. raw means that the text is not the inside of a string, so that a backslash in it is only that.
func (d *Document) shown(key string, inside []byte, limit int, raw bool) (line string, whole bool) {
	var text string
	if raw {
		text, whole = strings.ToValidUTF8(string(inside), "�"), true
	} else {
		text, whole = decode(inside, max(plainLimit, limit))
	}
	if clean := d.masked(key, text); raw || clean != text {
		line, all := visible(clean, limit, raw)
		return line, all && whole
	}
	var out strings.Builder
	for written := 0; len(inside) > 0; written++ {
		if written >= limit {
			return out.String() + "…", false
		}
		r, size := nextRune(inside)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&out, `\x%02x`, inside[0])
		} else {
			writeVisible(&out, r, false)
		}
		inside = inside[size:]
	}
	return out.String(), true
}

// visible writes a decoded text for the screen.
func visible(text string, limit int, raw bool) (line string, whole bool) {
	var out strings.Builder
	written := 0
	for _, r := range text {
		if written >= limit {
			return out.String() + "…", false
		}
		writeVisible(&out, r, raw)
		written++
	}
	return out.String(), true
}

// writeVisible writes a character as it is, or escaped if it is invisible, would break the line or would reverse the text around it.
func writeVisible(out *strings.Builder, r rune, raw bool) {
	switch {
	case r == '\n':
		out.WriteString(`\n`)
	case r == '\r':
		out.WriteString(`\r`)
	case r == '\t':
		out.WriteString(`\t`)
	case (r == '"' || r == '\\') && !raw:
		out.WriteByte('\\')
		out.WriteRune(r)
	case hidden(r) && r > 0xFFFF:
		high, low := utf16.EncodeRune(r)
		fmt.Fprintf(out, `\u%04x\u%04x`, high, low)
	case hidden(r) || utf16.IsSurrogate(r):
		fmt.Fprintf(out, `\u%04x`, r)
	default:
		out.WriteRune(r)
	}
}

// hidden reports whether a character is invisible. The joiners in emoji and in Persian words, and the selectors of emoji, are not escaped.
func hidden(r rune) bool {
	return r != '\u200c' && r != '\u200d' && r != '\ufe0e' && r != '\ufe0f' && plain.Hidden(r)
}

// Pretty is a node's text for copying, of at most about limit bytes: of a string the text itself, of a number its digits as sent, of a
// value with children JSON with a line for each child. It is masked. whole is false if it was cut.
func (d *Document) Pretty(n Node, limit int) (text string, whole bool) {
	switch n.Kind {
	case None:
		return "", true
	case Unread:
		end := min(n.End, n.Start+limit)
		return d.masked("", strings.ToValidUTF8(string(d.data[n.Start:end]), "�")), end == n.End
	case String:
		text, whole = decode(d.inside(n.Start, n.End), limit)
		return d.masked(d.keyText(n), text), whole
	case Object, Array:
		return d.prettyTree(n, limit)
	}
	return string(d.text[n.Start:n.End]), true
}

func (d *Document) prettyTree(n Node, limit int) (text string, whole bool) {
	var out strings.Builder
	depth := 0
	newLine := func() {
		out.WriteByte('\n')
		for range min(depth, limit) {
			out.WriteString("  ")
		}
	}
	key, keyed := "", false // of the next value
	for i := n.Start; i < n.End; {
		if out.Len() >= limit {
			out.WriteString("…")
			return out.String(), false
		}
		switch c := d.text[i]; c {
		case ' ', '\t', '\r', '\n':
			i++
		case '{', '[':
			out.WriteByte(c)
			keyed = false
			depth++
			i = skipSpace(d.text, i+1)
			if i < n.End && d.text[i] == c+2 {
				depth--
				out.WriteByte(c + 2)
				i++
				continue
			}
			newLine()
		case '}', ']':
			depth--
			newLine()
			out.WriteByte(c)
			i++
		case ',':
			out.WriteByte(c)
			keyed = false
			newLine()
			i++
		case ':':
			out.WriteString(": ")
			i++
		case '"':
			end := d.skip(i)
			after := skipSpace(d.text, end)
			isKey := !keyed && after < n.End && d.text[after] == ':'
			decoded, all := decode(d.inside(i, end), limit)
			if !all {
				out.WriteString(d.masked(key, decoded) + "…")
				return out.String(), false
			}
			under := key
			if isKey || !keyed {
				under = ""
			}
			out.WriteString(d.literal(under, decoded, d.text[i:end]))
			if isKey {
				key, keyed = decoded, true
			}
			i = end
		default:
			end := d.skip(i)
			out.Write(d.text[i:end])
			i = max(end, i+1)
		}
	}
	return out.String(), true
}

// literal is a string as it was sent, or, if part of it must not be shown, its masked text as JSON.
func (d *Document) literal(key, decoded string, sent []byte) string {
	clean := d.masked(key, decoded)
	if clean == decoded {
		return string(sent)
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(clean) // a string can always be encoded
	return strings.TrimSuffix(out.String(), "\n")
}
