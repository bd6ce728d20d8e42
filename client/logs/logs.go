// Package logs has what Assay writes of itself: lines without secrets, a file that does not grow for ever, crash reports, and the
// diagnostics that a person may hand on. It imports the standard library, plain and i18n.
package logs

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"assay/client/plain"
)

// New logs to w, from level on, a line each, with what is secret left out of the finished line: the secrets, the query of every address,
// and what stands behind the names of keys. secrets may gain more while it logs.
func New(w io.Writer, level slog.Level, secrets *Secrets) *slog.Logger {
	return slog.New(slog.NewTextHandler(&cleaner{w: w, secrets: secrets}, &slog.HandlerOptions{Level: level}))
}

// cleaner redacts the lines that are written to it, and makes them plain. A line is one call of Write, as slog's handlers make them.
type cleaner struct {
	w       io.Writer
	secrets *Secrets
}

// Write passes on what may be seen of a line.
func (c *cleaner) Write(line []byte) (int, error) {
	text := plain.Line(strings.TrimSuffix(c.secrets.Redact(string(line)), "\n"))
	if _, err := io.WriteString(c.w, text+"\n"); err != nil {
		return 0, err
	}
	return len(line), nil
}

// left stands where something was left out.
const left = "…"

// shortestSecret is the length of the shortest text that counts as secret: leaving shorter ones out would garble every line.
const shortestSecret = 4

// Secrets are texts that nothing written may hold. The zero value and nil have none of their own; queries of addresses and what stands
// behind the names of keys are left out all the same. It is safe for use by many goroutines.
type Secrets struct {
	adding sync.Mutex
	forms  atomic.Pointer[[]string] // every way in which they may be written, the longest first, in lower case
}

// Add has a text left out from now on: a key or a password, as soon as it is known. One of fewer than four bytes is no secret.
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

// written are the ways in which a secret may stand in a line: as it is, as Go, JSON and addresses quote it, and encoded.
func written(secret string) []string {
	forms := []string{secret, url.QueryEscape(secret), url.PathEscape(secret), hex.EncodeToString([]byte(secret)),
		strings.Trim(fmt.Sprintf("%d", []byte(secret)), "[]")}
	if text, err := json.Marshal(secret); err == nil { // not as Go quotes it: <, > and & too
		quoted := strconv.Quote(string(text[1 : len(text)-1]))
		forms = append(forms, string(text[1:len(text)-1]), quoted[1:len(quoted)-1])
	}
	quoted := secret
	for range 3 { // a quoted text within a quoted text within a quoted line
		quoted = strconv.Quote(quoted)
		quoted = quoted[1 : len(quoted)-1]
		forms = append(forms, quoted)
	}
	// Base64 of a longer text, such as a name, a colon and the password, has the secret at one of three places within its groups of
	// three bytes; what the neighbours have a part in can't be known.
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

// Redact is a text without what is secret in it: the secrets in any case and encoding, the queries of addresses, and what stands behind
// the names of keys.
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

// replaceAll leaves out a text that is given in lower case.
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
