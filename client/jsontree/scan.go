package jsontree

// The classes of bytes that the scanners tell apart.
const (
	plainByte = iota
	quoteByte
	escapeByte
	controlByte // not allowed inside a string
	wideByte    // of a character beyond ASCII
)

var stringClass = func() (class [256]uint8) {
	for i := range class {
		switch {
		case i < 0x20:
			class[i] = controlByte
		case i >= 0x80:
			class[i] = wideByte
		}
	}
	class['"'], class['\\'] = quoteByte, escapeByte
	return class
}()

// skipSpace is the index of the first byte from i on that is no white space, at most len(text).
func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t') {
		i++
	}
	return i
}

// literal is what a scan over a string learned in passing.
type literal struct {
	end     int  // behind the closing quote
	escaped bool // has escapes
	wide    bool // has bytes beyond ASCII
}

// readString reads the string that opens at text[i]; ok is false where it does not end or holds what JSON forbids.
func readString(text []byte, i int) (found literal, ok bool) {
	for i++; i < len(text); i++ {
		switch stringClass[text[i]] {
		case quoteByte:
			found.end = i + 1
			return found, true
		case wideByte:
			found.wide = true
		case controlByte:
			return found, false
		case escapeByte:
			found.escaped = true
			i++
			if i >= len(text) {
				return found, false
			}
			switch text[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				if _, valid := hex4(text, i+1); !valid {
					return found, false
				}
				i += 4
			default:
				return found, false
			}
		}
	}
	return found, false
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

// readScalar is the end of the number, true, false or null at text[i]; ok is false where there is none, or where something else
// follows without a break: of 01 nothing is shown rather than a part.
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
	end = i + len(word)
	return end, end <= len(text) && string(text[i:end]) == word
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
	switch {
	case i < len(text) && text[i] == '0':
		i++
	default:
		if i, ok = readDigits(text, i); !ok {
			return i, false
		}
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
