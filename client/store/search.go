package store

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// shortestFound is how many letters the index of the search needs; shorter words are looked for row by row.
	shortestFound = 3
	// longestFound is how many letters of a word the index is asked for; what is longer is compared in the rows as well.
	longestFound = 100
	// longestPattern is the longest that SQLite compares, in bytes; no text that is searched comes near.
	longestPattern = 40_000
	// mostWords are looked for.
	mostWords = 32
)

// search limits the results to those in whose name, link or note each of the text's words occurs, in small or capital
// letters. In words of three letters and more accents count for nothing; in shorter ones they do.
func (sel *selection) search(text string) {
	text = strings.Map(func(r rune) rune {
		if r == 0 || r == utf8.RuneError { // ends the search's text; stands for what is no letter
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
	words := strings.Fields(text)
	var indexed []string
	for _, word := range words[:min(len(words), mostWords)] {
		letters := []rune(word)
		if basic(letters) >= shortestFound {
			indexed = append(indexed, `"`+strings.ReplaceAll(string(letters[:min(len(letters), longestFound)]), `"`, `""`)+`"`)
			if len(letters) <= longestFound {
				continue
			}
		}
		if len(word) > longestPattern {
			sel.and("0")
			continue
		}
		sel.like(word)
	}
	if len(indexed) > 0 {
		sel.found = true
		sel.from = "search f CROSS JOIN submissions s ON s.key = f.rowid"
		sel.and("f.search MATCH ?", strings.Join(indexed, " "))
	}
}

// basic counts the letters without the marks upon them, which the index leaves out.
func basic(letters []rune) int {
	n := 0
	for _, letter := range letters {
		if !unicode.Is(unicode.Mn, letter) {
			n++
		}
	}
	return n
}

// like compares a word row by row. SQLite's LIKE knows small and capital letters of English alone, so each spelling is
// looked for.
func (sel *selection) like(word string) {
	var patterns []any
	var either []string
	for _, spelling := range spellings(word) {
		pattern := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(spelling) + "%"
		for _, column := range []string{"s.name", "s.link", "s.note"} {
			either = append(either, column+` LIKE ? ESCAPE '\'`)
			patterns = append(patterns, pattern)
		}
	}
	sel.and("("+strings.Join(either, " OR ")+")", patterns...)
}

// spellings are the word and, where it has other letters than English ones, the word in small and in capital letters and
// with a capital first.
func spellings(word string) []string {
	all := []string{word}
	if strings.IndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return all
	}
	lower := strings.ToLower(word)
	first, size := utf8.DecodeRuneInString(lower)
	last, lastSize := utf8.DecodeLastRuneInString(lower)
	for _, other := range []string{
		lower, strings.ToUpper(word), string(unicode.ToUpper(first)) + lower[size:], lower[:len(lower)-lastSize] + string(unicode.ToUpper(last)),
	} {
		known := false
		for _, spelling := range all {
			known = known || spelling == other
		}
		if !known {
			all = append(all, other)
		}
	}
	return all
}
