package keys

import (
	"strings"
	"unicode"

	"assay/client/i18n"
)

// longest is how many bytes a key may have: a header of more is refused by most servers, whatever it holds.
const longest = 8 << 10

// Unusable says why a text can't be a key, without repeating any of it.
type Unusable struct{ sentence string }

// Error is the sentence.
func (u *Unusable) Error() string { return u.sentence }

// Sentence says it to the person.
func (u *Unusable) Sentence() string { return u.sentence }

// Clean trims what pasting and piping leave around a key. Its error is an *Unusable.
func Clean(given string) (key string, err error) {
	key = trimmed(given)
	switch {
	case key == "":
		return "", &Unusable{i18n.T("There is no key: what was given is empty.")}
	case len(key) > longest:
		return "", &Unusable{i18n.F("That is too long for a key: it has more than %s letters.", i18n.Count(longest))}
	case strings.ContainsAny(key, "\r\n"):
		return "", &Unusable{i18n.T("That is more than one line: give the key alone.")}
	case strings.ContainsFunc(key, unicode.IsSpace):
		return "", &Unusable{i18n.T("There is a space in it: give the key alone.")}
	case strings.ContainsFunc(key, foreign):
		return "", &Unusable{i18n.T("There is a letter in it that no key can have: copy the key again.")}
	}
	return key, nil
}

// trimmed is a key without what may stand around it.
func trimmed(key string) string { return strings.TrimFunc(key, around) }

// around reports what is no part of a key at its ends: white space, and marks that can't be seen.
func around(r rune) bool {
	return unicode.IsSpace(r) || r == '\uFEFF' || r == '\u200B' // the mark before piped text on Windows, the space of no width
}

// foreign reports what can't be sent in a header as one would read it.
func foreign(r rune) bool { return r <= ' ' || r > '~' }
