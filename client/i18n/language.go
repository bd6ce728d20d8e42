package i18n

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// Name is a language as Settings lists it, with its own name.
type Name struct{ Code, Text string }

// All are the languages of Assay.
func All() []Name {
	return []Name{{"en", "English"}, {"es", "Español"}, {"pt", "Português"}, {"fr", "Français"}, {"de", "Deutsch"}}
}

// PseudoLanguage is for tests only: English in letters that no keyboard has, and longer, so that an untranslated word is noticed, and so
// is a text that does not fit.
const PseudoLanguage = "xx"

// spoken is a language in use. It is immutable.
type spoken struct {
	language, region string
	texts            map[string]entry // nil: English
	forms            forms
}

var inUse atomic.Pointer[spoken]

var english = &spoken{language: "en", forms: formsOf("en", "")}

func current() *spoken {
	if s := other(); s != nil {
		return s
	}
	if s := inUse.Load(); s != nil {
		return s
	}
	return english
}

// Use sets the language of all later texts: a code of All, "" for English. The region, such as "US", chooses between the forms of dates
// and numbers; "" means the language's usual one. It takes a few milliseconds to read the language's texts. Other goroutines may look up
// texts meanwhile: each gets the old or the new language.
func Use(language, region string) error {
	next, err := speak(language, region)
	if err != nil {
		return err
	}
	inUse.Store(next)
	return nil
}

// speak reads a language's texts.
func speak(language, region string) (*spoken, error) {
	if language == "" {
		language = "en"
	}
	next := &spoken{language: language, region: strings.ToUpper(region)}
	next.forms = formsOf(language, next.region)
	switch {
	case language == "en", language == PseudoLanguage:
	case known(language):
		var err error
		if next.texts, err = catalogue(language); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("language %q is not spoken here", language)
	}
	return next, nil
}

// Language is the code of the language in which texts are said here and now.
func Language() string { return current().language }

func known(language string) bool {
	for _, name := range All() {
		if name.Code == language {
			return true
		}
	}
	return false
}

func (s *spoken) text(key Key) string {
	if s.language == PseudoLanguage && key != "" {
		return pseudo(string(key))
	}
	if e, ok := s.texts[string(key)]; ok {
		return e.Other
	}
	return string(key)
}

func (s *spoken) plural(n int, one, other Key) string {
	e, ok := s.texts[string(other)]
	switch single := s.single(n); {
	case ok && single && e.One != "":
		return e.One
	case ok:
		return e.Other
	case s.language == PseudoLanguage && single:
		return pseudo(string(one))
	case s.language == PseudoLanguage:
		return pseudo(string(other))
	case n == 1:
		return string(one)
	}
	return string(other)
}

// single reports whether a number takes the form for one. (In French, Portuguese and Spanish, whole millions have a form of their
// own, "un million de"; numbers written in digits do not.)
func (s *spoken) single(n int) bool {
	if s.language == "fr" || s.language == "pt" {
		return n == 0 || n == 1
	}
	return n == 1
}

func (s *spoken) inContext(context string, text Key) string {
	if e, ok := s.texts[InContext(context, text)]; ok {
		return e.Other
	}
	return s.text(text)
}

// InContext is the key that C looks up.
func InContext(context string, text Key) string { return string(text) + " ‹" + context + "›" }

// Best chooses from All: wanted, if it is one of them, else the first of the system's locales (such as "pt-BR",
// "de_AT.UTF-8" or "C") that is, else English. The region is the first that the system gives for this language.
func Best(wanted string, system []string) (language, region string) {
	if code, own := parts(wanted); known(code) {
		language, region = code, own
	}
	for _, locale := range system {
		code, own := parts(locale)
		if language == "" && known(code) {
			language = code
		}
		if region == "" && code == language {
			region = own
		}
	}
	if language == "" {
		return "en", ""
	}
	return language, region
}

// parts splits a locale's name. The region is "" if there is none.
func parts(locale string) (language, region string) {
	if at := strings.IndexAny(locale, ".@"); at >= 0 {
		locale = locale[:at]
	}
	all := strings.FieldsFunc(locale, func(r rune) bool { return r == '-' || r == '_' })
	if len(all) == 0 {
		return "", ""
	}
	for _, part := range all[1:] {
		if len(part) == 2 || len(part) == 3 && part[0] >= '0' && part[0] <= '9' { // a region, and not a script as in zh-Hant-TW
			region = strings.ToUpper(part)
			break
		}
	}
	return strings.ToLower(all[0]), region
}
