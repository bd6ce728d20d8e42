// Package i18n has the person's language: words, counts, numbers, dates. The English text itself is the key of its translations,
// which lie in assets/lang. It imports the standard library, client/plain and assets/lang.
package i18n

import "strings"

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
