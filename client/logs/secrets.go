package logs

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

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
