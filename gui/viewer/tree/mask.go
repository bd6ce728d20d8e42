package tree

import (
	"encoding/json"
	"regexp"
	"strings"

	"assay/client"
)

// ownLink is the field whose whole value is social media's own link, which has its query by right.
const ownLink = "socialLink"

var (
	address = regexp.MustCompile(`(?i)https?:\\?/\\?/[^\s"]*`)
	query   = regexp.MustCompile(`(?i)[?#]|\\u00(3f|23)`)
)

// mask leaves the query of every address in a text out, as client.Shareable does, so that nothing of a pre-signed URL's is seen,
// found or copied. It also takes a text that is no JSON, in which an address may be escaped.
func mask(key, text string) string {
	if key == ownLink || !strings.Contains(text, ":") || !strings.Contains(text, "/") {
		return text
	}
	if before, ok := plainAddress(text); ok {
		return before
	}
	if !address.MatchString(text) {
		return text
	}
	return address.ReplaceAllStringFunc(shareable(text), func(found string) string {
		if at := query.FindStringIndex(found); at != nil {
			return found[:at[0]] + "?…"
		}
		return found
	})
}

// plainAddress masks a text that is an address and nothing else, as most are, in a fraction of the time.
func plainAddress(text string) (masked string, ok bool) {
	if !strings.HasPrefix(text, "https://") && !strings.HasPrefix(text, "http://") || strings.ContainsAny(text, " \t\r\n\"\\@") {
		return "", false
	}
	if at := strings.IndexAny(text, "?#"); at >= 0 {
		return text[:at] + "?…", true
	}
	return text, true
}

// shareable is a text after client.Shareable.
func shareable(text string) string {
	if !strings.Contains(text, "://") {
		return text
	}
	sent, err := json.Marshal(text)
	if err != nil {
		return text
	}
	var clean string
	if json.Unmarshal(client.Shareable(sent), &clean) != nil {
		return text
	}
	return clean
}
