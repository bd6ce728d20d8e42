package logs

import (
	"fmt"
	"regexp"
)

// An address, up to what ends it: a space, a quote, a bracket that closes what it stands in. A backslash is a part of it, unless it
// quotes what ends it: JSON writes an ampersand as \u0026.
const (
	inAddress = `(?:[^\s"'<>` + "`" + `\\\x00-\x1f]|\\[^"'nrt])`
	inHost    = `(?:[^\s"'<>` + "`" + `\\\x00-\x1f/?#]|\\[^"'nrt/])`
	scheme    = `[a-zA-Z][a-zA-Z0-9+.\-]*:(?:\\?/){2}`
)

var (
	// login is the name and the password before a host.
	login = regexp.MustCompile(`(` + scheme + `)` + inHost + `*@`)
	// query is what follows an address's question mark or hash sign.
	query = regexp.MustCompile(`(` + scheme + `(?:[^\s"'<>` + "`" + `\\\x00-\x1f?#]|\\[^"'nrt])*)[?#]` + inAddress + `+`)
	// looseQuery is one that stands without an address's beginning, as in a request's first line.
	looseQuery = regexp.MustCompile(`\?[A-Za-z0-9_.~%\-\[\]$]+=` + inAddress + `*`)
	// innerQuery is one of an address that is itself escaped within another.
	innerQuery = regexp.MustCompile(`(?i)(%3A(?:%2F){2}` + `(?:[^\s"'<>&%]|%[0-24-9A-F][0-9A-F]|%3[0-9A-E])*)%3F` + inAddress + `+`)
)

// withoutQueries leaves out the queries of addresses, their fragments, and the names and passwords before their hosts.
func withoutQueries(text string) string {
	text = login.ReplaceAllString(text, "${1}"+left+"@")
	text = query.ReplaceAllString(text, "${1}?"+left)
	text = innerQuery.ReplaceAllString(text, "${1}%3F"+left)
	return looseQuery.ReplaceAllString(text, "?"+left)
}

// keyed begins what stands behind the name of a key, in a header, a form, JSON or Go's own way of printing.
const keyed = `\b((?:[a-z0-9]+[-_])*(?:%s))((?:\\*["'])?\s*[:=]\s*\[?(?:\\*["'])?)`

var (
	// wholeHeaders are those whose whole line is secret.
	wholeHeaders = regexp.MustCompile(`(?i)` + named(`authorization|cookie`) + `[^"'\]\r\n\\]+`)
	// keyNames are those whose value is one word.
	keyNames = regexp.MustCompile(`(?i)` + named(`api[-_]?key|apikey|password|passwd|passphrase|secret|token|signature|credential`) +
		`[^\s"'\],;&\\}]+`)
)

// withoutKeys leaves out what stands behind the names of keys.
func withoutKeys(text string) string {
	text = wholeHeaders.ReplaceAllString(text, "${1}${2}"+left)
	return keyNames.ReplaceAllString(text, "${1}${2}"+left)
}

func named(names string) string { return fmt.Sprintf(keyed, names) }
