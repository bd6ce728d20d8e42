package i18n

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"assay/client/plain"
)

// filled is fmt.Sprintf, but that a text may leave arguments out: "one file waits" names no number; and that what is filled in stays in
// the sentence's line: names and errors may come from outside.
func (s *spoken) filled(text string, args []any) string {
	if unnamed, indexed := verbs(text); !indexed && unnamed < len(args) {
		args = args[:unnamed]
	}
	return fmt.Sprintf(text, inLine(args)...)
}

// inLine are arguments of which each text is made plain.
func inLine(args []any) []any {
	copied := false
	for i, arg := range args {
		text := ""
		switch v := arg.(type) {
		case plain.Text, nil:
			continue // prints itself so
		case string:
			text = v
		case error:
			text = v.Error()
		default:
			if value := reflect.ValueOf(arg); value.Kind() == reflect.String {
				text = value.String()
			}
		}
		shown := plain.From(text).String()
		if shown == text {
			continue
		}
		if !copied {
			args, copied = slices.Clone(args), true // they may be the caller's own list
		}
		args[i] = shown
	}
	return args
}

// verbs counts the verbs of a text, and reports whether one of them names its argument, as %[2]s does.
func verbs(text string) (unnamed int, indexed bool) {
	for {
		at := strings.IndexByte(text, '%')
		if at < 0 || at+1 == len(text) {
			return unnamed, indexed
		}
		switch text[at+1] {
		case '%':
		case '[':
			indexed = true
		default:
			unnamed++
		}
		text = text[at+2:]
	}
}
