package explain

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Clean makes a text safe to show: what is no UTF-8, and control characters, become U+FFFD; characters that turn the order of
// the text around them are shown by their number instead of obeyed. Line ends and tabs become spaces.
func Clean(s string) string {
	if isClean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for _, r := range s {
		writeClean(&b, r)
	}
	return b.String()
}

func isClean(s string) bool {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c < ' ' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || r < 0xa0 || ordersText(r) || endsLine(r) || isHidden(r) {
			return false
		}
		i += size
	}
	return true
}

func writeClean(b *strings.Builder, r rune) {
	switch {
	case r == '\n' || r == '\t' || r == '\r' || r == '\f' || r == '\v' || endsLine(r):
		b.WriteByte(' ')
	case r < ' ' || r >= 0x7f && r < 0xa0:
		b.WriteRune(utf8.RuneError)
	case ordersText(r) || isHidden(r):
		fmt.Fprintf(b, "[U+%04X]", r)
	default:
		b.WriteRune(r)
	}
}

// ordersText tells the characters that embed, override and isolate directions.
func ordersText(r rune) bool { return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 }

func endsLine(r rune) bool { return r == 0x85 || r == 0x2028 || r == 0x2029 }

// isHidden tells characters that carry text which is not seen: tags, of which only the flags of regions are in use, and
// annotations.
func isHidden(r rune) bool { return r >= 0xe0000 && r <= 0xe0fff || r >= 0xfff9 && r <= 0xfffb }
