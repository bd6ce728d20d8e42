package jsontree

import "strings"

// skipSpace is the index of the first byte from i on that is no white space, at most len(text).
func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t') {
		i++
	}
	return i
}

// The readers below return the end of a token. If there is none, ok is false and end is where the text stopped being one: len(text) if the
// text breaks off within it.

// special are the bytes at which a string ends, is escaped, or stops being one.
var special = func() (is [256]bool) {
	for c := range 0x20 {
		is[c] = true
	}
	is['"'], is['\\'] = true, true
	return is
}()

// readString reads the string that opens at text[i].
func readString(text []byte, i int) (end int, ok bool) {
	for i++; i < len(text); i++ {
		if !special[text[i]] {
			continue
		}
		switch text[i] {
		case '"':
			return i + 1, true
		case '\\':
			i++
			switch {
			case i >= len(text) || text[i] == 'u' && i+4 >= len(text):
				return len(text), false
			case text[i] == 'u':
				if _, valid := hex4(text, i+1); !valid {
					return i, false
				}
				i += 4
			case strings.IndexByte(`"\/bfnrt`, text[i]) < 0:
				return i, false
			}
		default:
			return i, false
		}
	}
	return len(text), false
}

// hex4 reads the four hexadecimal digits at text[i].
func hex4(text []byte, i int) (r rune, ok bool) {
	if i+4 > len(text) {
		return 0, false
	}
	for _, c := range text[i : i+4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// readScalar reads the number, true, false or null at text[i]. If other characters follow directly, it is none, so that nothing of 01 is
// shown rather than a part.
func readScalar(text []byte, i int) (end int, ok bool) {
	switch text[i] {
	case 't':
		end, ok = readWord(text, i, "true")
	case 'f':
		end, ok = readWord(text, i, "false")
	case 'n':
		end, ok = readWord(text, i, "null")
	default:
		end, ok = readNumber(text, i)
	}
	return end, ok && (end == len(text) || endsScalar(text[end]))
}

func readWord(text []byte, i int, word string) (end int, ok bool) {
	end = min(i+len(word), len(text))
	if !strings.HasPrefix(word, string(text[i:end])) {
		return i, false
	}
	return end, end == i+len(word)
}

func endsScalar(c byte) bool {
	switch c {
	case ' ', '\n', '\r', '\t', ',', ']', '}':
		return true
	}
	return false
}

func readNumber(text []byte, i int) (end int, ok bool) {
	if i < len(text) && text[i] == '-' {
		i++
	}
	if i < len(text) && text[i] == '0' {
		i++
	} else if i, ok = readDigits(text, i); !ok {
		return i, false
	}
	if i < len(text) && text[i] == '.' {
		if i, ok = readDigits(text, i+1); !ok {
			return i, false
		}
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		if i, ok = readDigits(text, i); !ok {
			return i, false
		}
	}
	return i, true
}

func readDigits(text []byte, i int) (end int, ok bool) {
	start := i
	for i < len(text) && '0' <= text[i] && text[i] <= '9' {
		i++
	}
	return i, i > start
}
