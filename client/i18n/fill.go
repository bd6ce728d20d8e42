package i18n

import (
	"fmt"
	"strings"
)

// filled is fmt.Sprintf, but that a text may leave arguments out: "one file waits" names no number.
func (s *spoken) filled(text string, args []any) string {
	if plain, indexed := verbs(text); !indexed && plain < len(args) {
		args = args[:plain]
	}
	return fmt.Sprintf(text, args...)
}

// verbs counts the verbs of a text, and reports whether one of them names its argument, as %[2]s does.
func verbs(text string) (plain int, indexed bool) {
	for {
		at := strings.IndexByte(text, '%')
		if at < 0 || at+1 == len(text) {
			return plain, indexed
		}
		switch text[at+1] {
		case '%':
		case '[':
			indexed = true
		default:
			plain++
		}
		text = text[at+2:]
	}
}
