package i18n

import "strings"

var pseudoLetters = strings.NewReplacer(
	"a", "á", "b", "ƀ", "c", "ç", "d", "đ", "e", "é", "f", "ƒ", "g", "ğ", "h", "ĥ", "i", "í", "j", "ĵ", "k", "ķ", "l", "ļ", "m", "ɱ",
	"n", "ñ", "o", "ö", "p", "þ", "q", "ɋ", "r", "ř", "s", "š", "t", "ţ", "u", "ü", "v", "ṽ", "w", "ŵ", "x", "ẋ", "y", "ý", "z", "ž",
	"A", "Á", "B", "Ɓ", "C", "Ç", "D", "Đ", "E", "É", "F", "Ƒ", "G", "Ğ", "H", "Ĥ", "I", "Í", "J", "Ĵ", "K", "Ķ", "L", "Ļ", "M", "Ɱ",
	"N", "Ñ", "O", "Ö", "P", "Þ", "Q", "Ɋ", "R", "Ř", "S", "Š", "T", "Ţ", "U", "Ü", "V", "Ṽ", "W", "Ŵ", "X", "Ẋ", "Y", "Ý", "Z", "Ž")

// pseudo writes an English text in letters beyond ASCII and a third longer, between ‹ and ›. Verbs stay as they are.
func pseudo(text string) string {
	var out strings.Builder
	out.WriteString("‹")
	for rest := text; rest != ""; {
		at := strings.IndexByte(rest, '%')
		if at < 0 {
			at = len(rest)
		}
		out.WriteString(pseudoLetters.Replace(rest[:at]))
		rest = rest[at:]
		if rest == "" {
			break
		}
		end := verbLength(rest)
		out.WriteString(rest[:end])
		rest = rest[end:]
	}
	for more := len([]rune(text)) * 35 / 100; more > 0; more -= 8 {
		out.WriteString(" " + strings.Repeat("·", min(more, 7)))
	}
	out.WriteString("›")
	return out.String()
}

// verbLength is that of the verb with which a text begins: a percent sign, flags and index, and a letter. A percent sign before a space
// is none.
func verbLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '%', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			return i + 1
		case c == ' ', c == ':':
			return 1
		}
	}
	return len(text)
}
