// Package i18n is for the person's language: texts, counts, numbers, dates. The English text itself is the key of its translations,
// which are in assets/lang. It imports the standard library, client/plain and assets/lang.
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

// Key is an English text that has a translation in every language. Only constants may become a Key (they convert implicitly), because
// the test of the languages finds keys by their type. Tables hold keys, and T is called where the text is shown: a text that is translated
// at the program's start would stay English.
type Key string

// Plural is a pair of keys for tables: the forms that N takes.
type Plural struct{ One, Other Key }

// T returns the text in the person's language.
func T(text Key) string { return current().text(text) }

// F is T, formatted like fmt.Sprintf. The text must be a whole sentence, because other languages order its parts differently, with %[2]s. The
// arguments must be names, numbers, or texts that are already translated.
func F(text Key, args ...any) string {
	s := current()
	return s.filled(s.text(text), args)
}

// N is F with the form for the number n. The first argument of the text is the number, Count(n); args come after it. A form need not
// use all of them.
func N(n int, one, other Key, args ...any) string {
	s := current()
	return s.filled(s.plural(n, one, other), append([]any{s.count(int64(n))}, args...))
}

// For is N with the pair's forms.
func (p Plural) For(n int, args ...any) string { return N(n, p.One, p.Other, args...) }

// C is T for an English text with two meanings: the context, such as "button", distinguishes them for translators. Its key in a
// translation's file is "Open ‹button›".
func C(context string, text Key) string { return current().inContext(context, text) }

// List joins parts as in a sentence: "a, b and c".
func List(parts ...string) string {
	switch len(parts) {
	case 0:
		return ""
	case 1:
		return parts[0]
	}
	return F("%s and %s", strings.Join(parts[:len(parts)-1], ", "), parts[len(parts)-1])
}

// entry is one translation; a key of N also has a form for one.
type entry struct {
	One   string `json:"one"`
	Other string `json:"other"`
}

// UnmarshalJSON accepts a text, or an object with the forms.
func (e *entry) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, &e.Other)
	}
	type forms entry
	return json.Unmarshal(raw, (*forms)(e))
}

// catalogue reads all files of a language.
func catalogue(language string) (map[string]entry, error) {
	files, err := lang.Files.ReadDir(language)
	if err != nil {
		return nil, fmt.Errorf("language %q: %w", language, err)
	}
	all := map[string]entry{}
	for _, file := range files {
		raw, err := lang.Files.ReadFile(path.Join(language, file.Name()))
		if err == nil {
			err = json.Unmarshal(raw, &all) // adds to the entries that are there
		}
		if err != nil {
			return nil, fmt.Errorf("language %q, %s: %w", language, file.Name(), err)
		}
	}
	return all, nil
}

// filled is fmt.Sprintf, with two differences: a text may omit arguments ("one file waits" has no number); and line breaks and the like in
// arguments, which may come from outside, are replaced.
func (s *spoken) filled(text string, args []any) string {
	if unnamed, indexed := verbs(text); !indexed && unnamed < len(args) {
		args = args[:unnamed]
	}
	return fmt.Sprintf(text, inLine(args)...)
}

// inLine returns arguments with each text made plain.
func inLine(args []any) []any {
	copied := false
	for i, arg := range args {
		text := ""
		switch v := arg.(type) {
		case plain.Text, nil:
			continue // its own String is plain
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
			args, copied = slices.Clone(args), true // the caller may own the list
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

// verbLength is the length of the verb at the beginning of a text: a percent sign, flags and index, and a letter. A percent sign before a
// space begins no verb.
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
