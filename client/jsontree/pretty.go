package jsontree

import (
	"encoding/json"
	"strings"
)

// Pretty is a node's text for copying, of about limit bytes at most: of a string the text itself, of a number its digits as sent, of
// what holds others JSON with a line to each child. It is masked. whole is false where it was cut.
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
	key, keyed := "", false // that of the value to come
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

// literal is a string as it was sent, or its masked text as JSON where something of it must not be shown.
func (d *Document) literal(key, decoded string, sent []byte) string {
	clean := d.masked(key, decoded)
	if clean == decoded {
		return string(sent)
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(clean) // a string always can be
	return strings.TrimSuffix(out.String(), "\n")
}
