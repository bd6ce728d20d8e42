// Package logs has what Assay writes about itself: a log without secrets, in files of bounded size, crash reports, and the diagnostics that a person
// may hand on. It imports the standard library, lazyregexp, plain and i18n.
package logs

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"assay/client/lazyregexp"
	"assay/client/plain"
)

// New makes a logger to w, from level on, a line each. From the finished line it removes the secrets, the query of every URL, and the values after
// names of keys. secrets may get more while it logs.
func New(w io.Writer, level slog.Level, secrets *Secrets) *slog.Logger {
	return slog.New(slog.NewTextHandler(&cleaner{w: w, secrets: secrets}, &slog.HandlerOptions{Level: level}))
}

// cleaner redacts the lines that are written to it, and makes them plain. Each call of Write is one line, as with slog's handlers.
type cleaner struct {
	w       io.Writer
	secrets *Secrets
}

// Write redacts a line and passes it on.
func (c *cleaner) Write(line []byte) (int, error) {
	text := plain.Line(strings.TrimSuffix(c.secrets.Redact(string(line)), "\n"))
	if _, err := io.WriteString(c.w, text+"\n"); err != nil {
		return 0, err
	}
	return len(line), nil
}

// left replaces what was removed.
const left = "…"

// shortestSecret is the shortest text that counts as secret: removing shorter ones would garble every line.
const shortestSecret = 4

// Secrets are texts that must not be written. The zero value and nil have none; queries of URLs and the values after names of keys are removed all
// the same. It is safe for use by many goroutines.
type Secrets struct {
	adding sync.Mutex
	forms  atomic.Pointer[[]string] // every way in which they may be written, the longest first, in lower case
}

// Add has a text removed from now on: a key or a password, as soon as it is known. One of fewer than four bytes is ignored.
func (s *Secrets) Add(text string) {
	text = strings.TrimSpace(text)
	if len(text) < shortestSecret {
		return
	}
	s.adding.Lock()
	defer s.adding.Unlock()
	var forms []string
	if known := s.forms.Load(); known != nil {
		forms = slices.Clone(*known)
	}
	for _, form := range written(text) {
		if form = lower(form); len(form) >= shortestSecret && !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	slices.SortStableFunc(forms, func(a, b string) int { return len(b) - len(a) })
	s.forms.Store(&forms)
}

// written are the forms that a secret may have in a line: as it is, as Go, JSON and URLs quote it, and encoded.
func written(secret string) []string {
	forms := []string{secret, url.QueryEscape(secret), url.PathEscape(secret), hex.EncodeToString([]byte(secret)),
		strings.Trim(fmt.Sprintf("%d", []byte(secret)), "[]")}
	if text, err := json.Marshal(secret); err == nil { // not as Go quotes it: <, > and & too
		quoted := strconv.Quote(string(text[1 : len(text)-1]))
		forms = append(forms, string(text[1:len(text)-1]), quoted[1:len(quoted)-1])
	}
	quoted := secret
	for range 3 { // a text quoted inside a quoted text, inside a quoted line
		quoted = strconv.Quote(quoted)
		quoted = quoted[1 : len(quoted)-1]
		forms = append(forms, quoted)
	}
	// In base64 of a longer text, such as a name, a colon and a password, the secret begins at one of three offsets within a group of three bytes;
	// the characters that it shares with its neighbours are not known.
	for before := range 3 {
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := encoding.EncodeToString(append(make([]byte, before), secret...))
			from, to := (before*8+5)/6, (before+len(secret))*8/6
			if from < to {
				forms = append(forms, text[from:to])
			}
		}
	}
	return forms
}

// lower is a text with its ASCII letters in lower case, and so of the same length.
func lower(text string) string {
	bytes := []byte(text)
	for i, b := range bytes {
		if b >= 'A' && b <= 'Z' {
			bytes[i] = b - 'A' + 'a'
		}
	}
	return string(bytes)
}

// Redact removes what is secret from a text: the secrets in any case and encoding, the queries of URLs, and the values after names of keys.
func (s *Secrets) Redact(text string) string {
	return withoutKeys(withoutQueries(s.without(text)))
}

func (s *Secrets) without(text string) string {
	if s == nil {
		return text
	}
	known := s.forms.Load()
	if known == nil {
		return text
	}
	for _, form := range *known {
		text = replaceAll(text, form)
	}
	return text
}

// replaceAll removes a form, which is in lower case, from a text.
func replaceAll(text, form string) string {
	small := lower(text)
	at := strings.Index(small, form)
	if at < 0 {
		return text
	}
	var out strings.Builder
	for at >= 0 {
		out.WriteString(text[:at])
		out.WriteString(left)
		text, small = text[at+len(form):], small[at+len(form):]
		at = strings.Index(small, form)
	}
	out.WriteString(text)
	return out.String()
}

// A URL, up to what ends it: a space, a quote, or the bracket that closes the one before it. A backslash is part of it, unless it quotes what ends
// it: JSON writes an ampersand as \u0026.
const (
	inAddress = `(?:[^\s"'<>` + "`" + `\\\x00-\x1f]|\\[^"'nrt])`
	inHost    = `(?:[^\s"'<>` + "`" + `\\\x00-\x1f/?#]|\\[^"'nrt/])`
	scheme    = `[a-zA-Z][a-zA-Z0-9+.\-]*:(?:\\?/){2}`
)

var (
	// login is the name and the password before a host.
	login = lazyregexp.New(`(` + scheme + `)` + inHost + `*@`)
	// query is what follows the question mark or hash sign of a URL.
	query = lazyregexp.New(`(` + scheme + `(?:[^\s"'<>` + "`" + `\\\x00-\x1f?#]|\\[^"'nrt])*)[?#]` + inAddress + `+`)
	// looseQuery is a query without the beginning of its URL, as in the first line of a request.
	looseQuery = lazyregexp.New(`\?[A-Za-z0-9_.~%\-\[\]$]+=` + inAddress + `*`)
	// innerQuery is the query of a URL that is itself escaped inside another.
	innerQuery = lazyregexp.New(`(?i)(%3A(?:%2F){2}` + `(?:[^\s"'<>&%]|%[0-24-9A-F][0-9A-F]|%3[0-9A-E])*)%3F` + inAddress + `+`)
)

// withoutQueries removes the queries and fragments of URLs, and the names and passwords before their hosts.
func withoutQueries(text string) string {
	text = login().ReplaceAllString(text, "${1}"+left+"@")
	text = query().ReplaceAllString(text, "${1}?"+left)
	text = innerQuery().ReplaceAllString(text, "${1}%3F"+left)
	return looseQuery().ReplaceAllString(text, "?"+left)
}

// keyed is the pattern of the name of a key and what stands between it and the value, in a header, a form, JSON or Go's own way of printing.
const keyed = `\b((?:[a-z0-9]+[-_])*(?:%s))((?:\\*["'])?\s*[:=]\s*\[?(?:\\*["'])?)`

var (
	// wholeHeaders are names whose whole line is secret.
	wholeHeaders = lazyregexp.New(`(?i)` + named(`authorization|cookie`) + `[^"'\]\r\n\\]+`)
	// keyNames are names whose value is one word.
	keyNames = lazyregexp.New(`(?i)` + named(`api[-_]?key|apikey|password|passwd|passphrase|secret|token|signature|credential`) +
		`[^\s"'\],;&\\}]+`)
)

// withoutKeys removes the values after names of keys.
func withoutKeys(text string) string {
	text = wholeHeaders().ReplaceAllString(text, "${1}${2}"+left)
	return keyNames().ReplaceAllString(text, "${1}${2}"+left)
}

func named(names string) string { return fmt.Sprintf(keyed, names) }
