// Package i18n has the person's language: words, counts, numbers, dates. The English text itself is the key of its translations,
// which lie in assets/lang. It imports the standard library, client/plain and assets/lang.
package i18n

import (
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"assay/assets/lang"
	"assay/client/plain"
)

// Key is an English text that has a translation in every language. Constants become one by themselves; nothing else may, for the
// test of the languages finds the keys by their type. Tables hold keys, and T is called where the text is shown: what is translated
// when the program starts stays English.
type Key string

// Plural is a pair for tables: the forms that N takes.
type Plural struct{ One, Other Key }

// T is the text in the person's language.
func T(text Key) string { return current().text(text) }

// F is T, filled in like fmt.Sprintf. The text is a whole sentence, for other languages order its parts otherwise, by %[2]s. What is
// filled in must be a name, a number, or words that were translated already.
func F(text Key, args ...any) string {
	s := current()
	return s.filled(s.text(text), args)
}

// N is F in the form that goes with n. The first argument of the text is the number, Count(n); args come after it. A form need not
// use all of them.
func N(n int, one, other Key, args ...any) string {
	s := current()
	return s.filled(s.plural(n, one, other), append([]any{s.count(int64(n))}, args...))
}

// For is N with the pair's forms.
func (p Plural) For(n int, args ...any) string { return N(n, p.One, p.Other, args...) }

// C is T where one English text means two things: the context, such as "button", tells them apart for translators. In a
// translation's file its key is "Open ‹button›".
func C(context string, text Key) string { return current().inContext(context, text) }

// List joins parts as a sentence does: "a, b and c".
func List(parts ...string) string {
	switch len(parts) {
	case 0:
		return ""
	case 1:
		return parts[0]
	}
	return F("%s and %s", strings.Join(parts[:len(parts)-1], ", "), parts[len(parts)-1])
}

// entry is one translation, with a form for one where its key is that of N.
type entry struct {
	One   string `json:"one"`
	Other string `json:"other"`
}

// UnmarshalJSON takes a text, or an object of the forms.
func (e *entry) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, &e.Other)
	}
	type forms entry
	return json.Unmarshal(raw, (*forms)(e))
}

// catalogue reads all of a language's files.
func catalogue(language string) (map[string]entry, error) {
	files, err := lang.Files.ReadDir(language)
	if err != nil {
		return nil, fmt.Errorf("language %q: %w", language, err)
	}
	all := map[string]entry{}
	for _, file := range files {
		raw, err := lang.Files.ReadFile(path.Join(language, file.Name()))
		if err == nil {
			err = json.Unmarshal(raw, &all) // adds to what is there
		}
		if err != nil {
			return nil, fmt.Errorf("language %q, %s: %w", language, file.Name(), err)
		}
	}
	return all, nil
}

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
