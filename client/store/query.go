package store

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// selection is a query in SQL; s is the table of submissions.
type selection struct {
	from   string
	where  []string
	values []any
	found  bool // the hits of the text search, f, come first in the join; their rowid is the key
}

// selection returns the conditions of a query.
func (s *Store) selection(q Query) *selection {
	sel := &selection{from: "submissions s", where: []string{"s.listed = 1"}}
	sel.search(q.Text)
	if !sel.found {
		sel.from += " INDEXED BY " + indexFor(q)
	}
	if q.Changed {
		sel.and("s.changed = 1")
	}
	in(sel, "s.status", q.Statuses)
	in(sel, "s.type", q.Types)
	in(sel, "s.source", q.Sources)
	in(sel, "s.gate", q.Gates)
	if q.Links != nil {
		sel.and("s.linked = ?", *q.Links)
	}
	// The key is the date in microseconds, or up to longest shift more.
	if !q.From.IsZero() {
		sel.and("s.accepted >= ?", timeValue(q.From))
		sel.and(sel.key()+" >= ?", keyOf(q.From))
	}
	if !q.To.IsZero() {
		sel.and("s.accepted < ?", timeValue(q.To))
		sel.and(sel.key()+" <= ?", keyOf(q.To)+s.longest.Load())
	}
	return sel
}

// indexFor is the index that has a query's results in their order, so that no sort is needed, or that has only few of them.
func indexFor(q Query) string {
	switch {
	case q.Changed:
		return "results_changed" // few are, so that sorting them takes no time
	case q.Order == HumanFirst:
		return "results_human"
	case q.Order == ByName:
		return "results_name"
	case len(q.Statuses) == 1:
		return "results_status"
	case len(q.Types) == 1:
		return "results_type"
	}
	return "results_date"
}

// key is the cheapest column that holds the key.
func (sel *selection) key() string {
	if sel.found {
		return "f.rowid"
	}
	return "s.key"
}

func (sel *selection) and(condition string, values ...any) {
	sel.where = append(sel.where, condition)
	sel.values = append(sel.values, values...)
}

// in requires a column to have one of some values; none of them is no condition.
func in[T ~string](sel *selection, column string, allowed []T) {
	switch len(allowed) {
	case 0:
		return
	case 1:
		sel.and(column+" = ?", string(allowed[0]))
		return
	}
	values := make([]any, len(allowed))
	for i, value := range allowed {
		values[i] = string(value)
	}
	sel.and(column+" IN (?"+strings.Repeat(", ?", len(allowed)-1)+")", values...)
}

// after requires the results to come after a cursor.
func (sel *selection) after(o Order, c Cursor) {
	if !c.begun {
		return
	}
	switch o {
	case HumanFirst:
		sel.and("s.human > ?", c.human)
	case ByName:
		sel.and("(s.sort_name, s.newness) > (?, ?)", c.name, -c.key)
	case Oldest:
		sel.and(sel.key()+" > ?", c.key)
	default:
		sel.and(sel.key()+" < ?", c.key)
	}
}

// plain is the statement that reads columns of the results in any order.
func (sel *selection) plain(columns string) string {
	return "SELECT " + columns + " FROM " + sel.from + " WHERE " + strings.Join(sel.where, " AND ")
}

// ordered is the statement that reads columns of the results in their order.
func (sel *selection) ordered(columns string, o Order) string {
	order := sel.key() + " DESC"
	switch o {
	case HumanFirst:
		order = "s.human"
	case ByName:
		order = "s.sort_name, s.newness"
	case Oldest:
		order = sel.key()
	}
	return sel.plain(columns) + " ORDER BY " + order
}

const (
	// shortestFound is how many letters a word needs for the search index; shorter words are compared row by row.
	shortestFound = 3
	// longestFound is how many letters of a word are looked up in the index; a longer word is compared row by row as well.
	longestFound = 100
	// longestPattern is the longest that SQLite compares, in bytes; no text that is searched comes near.
	longestPattern = 40_000
	// mostWords is how many words are searched for.
	mostWords = 32
)

// search requires each of the text's words to occur in the name, the link, the note or a tag, in small or capital letters. In words of three letters and more
// accents are ignored; in shorter ones they count.
func (sel *selection) search(text string) {
	text = strings.Map(func(r rune) rune {
		if r == 0 || r == utf8.RuneError { // U+0000 ends SQLite's text; U+FFFD stands for an invalid byte
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

// basic counts letters without combining marks, which the index leaves out.
func basic(letters []rune) int {
	n := 0
	for _, letter := range letters {
		if !unicode.Is(unicode.Mn, letter) {
			n++
		}
	}
	return n
}

// like compares a word row by row. SQLite's LIKE ignores case for English letters alone, so that other spellings are compared as well.
func (sel *selection) like(word string) {
	var patterns []any
	var either []string
	for _, spelling := range spellings(word) {
		pattern := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(spelling) + "%"
		for _, column := range []string{"s.name", "s.link", "s.note", "s.tags"} {
			either = append(either, column+` LIKE ? ESCAPE '\'`)
			patterns = append(patterns, pattern)
		}
	}
	sel.and("("+strings.Join(either, " OR ")+")", patterns...)
}

// spellings are the word itself and, if it has letters that are not English, the word in small letters, in capitals, and with a first capital.
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
		if !slices.Contains(all, other) {
			all = append(all, other)
		}
	}
	return all
}
