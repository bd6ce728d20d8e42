package logs

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/client/bounded"
)

// The attributes that diagnostics tell, each by the form of what Assay itself puts there: nobody's words have it.
var toldAttributes = map[string]*regexp.Regexp{
	"id":      regexp.MustCompile(`^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`),
	"count":   regexp.MustCompile(`^[0-9]{1,9}$`),
	"status":  regexp.MustCompile(`^(?:[0-9]{3}|FAKE|SUSPICIOUS|AUTHENTIC|NOT_APPLICABLE|UNABLE_TO_EVALUATE|ANALYZING|DOWNLOADING)$`),
	"state":   oneOf(states),
	"cause":   oneOf(slices.Concat(standings, keychains)),
	"kind":    oneOf([]string{"setup", "key", "network", "stalled", "busy", "service", "refused", "expired", "answer", "file"}),
	"attempt": regexp.MustCompile(`^[0-9]{1,4}$`),
	"call": oneOf([]string{"ask for an upload address", "fetch the result", "find the upload among your results",
		"read the details of the analysis", "send the feedback", "upload the file"}),
}

var (
	toldMessage = regexp.MustCompile(`^[a-z][a-z ,;:'()-]{0,120}$`) // ours are fixed, and in such letters
	toldLevel   = regexp.MustCompile(`^(?:DEBUG|INFO|WARN|ERROR)(?:[+-][0-9]{1,2})?$`)
)

func oneOf(words []string) *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + strings.Join(words, "|") + `)$`)
}

// lastLines are what may be told of the log's last n lines, which lie in one or two files.
func lastLines(dir string, n int) []string {
	if dir == "" {
		return nil
	}
	var raw []string
	for file := range 2 {
		text, err := bounded.ReadFile(filepath.Join(dir, fileName(file)), 2*fileSize)
		if err != nil || len(raw) >= n {
			break
		}
		raw = append(slices.Collect(strings.Lines(string(text))), raw...)
	}
	var told []string
	for _, line := range raw[max(0, len(raw)-n):] {
		if line = toldLine(line); line != "" {
			told = append(told, line)
		}
	}
	return told
}

// toldLine is what may be told of a line; "" for one that is none of slog's.
func toldLine(line string) string {
	attributes := attributesOf(line)
	if len(attributes) < 3 || attributes[0].name != "time" || attributes[1].name != "level" || attributes[2].name != "msg" {
		return ""
	}
	at, err := time.Parse(time.RFC3339Nano, attributes[0].value)
	if err != nil || !toldLevel.MatchString(attributes[1].value) {
		return ""
	}
	message := attributes[2].value
	if !toldMessage.MatchString(message) {
		message = left
	}
	parts := []string{at.UTC().Format("2006-01-02T15:04:05.000Z"), attributes[1].value, message}
	for _, a := range attributes[3:] {
		if form, ok := toldAttributes[a.name]; ok && form.MatchString(a.value) {
			parts = append(parts, a.name+"="+a.value)
		}
	}
	return strings.Join(parts, " ")
}

type attribute struct{ name, value string }

// attributesOf reads a line of slog's text handler, as far as it is one.
func attributesOf(line string) []attribute {
	var all []attribute
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeft(line, " ") {
		name, rest, ok := word(line, "=")
		if !ok || !strings.HasPrefix(rest, "=") {
			break
		}
		value, after, ok := word(rest[1:], " ")
		if !ok {
			break
		}
		all = append(all, attribute{name, value})
		line = after
	}
	return all
}

// word is a word, or a quoted text, at the beginning of a text, up to one of the ends.
func word(text, ends string) (word, rest string, ok bool) {
	if strings.HasPrefix(text, `"`) {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return "", "", false
		}
		word, err = strconv.Unquote(quoted)
		return word, text[len(quoted):], err == nil
	}
	end := strings.IndexAny(text, ends)
	if end < 0 {
		end = len(text)
	}
	return text[:end], text[end:], true
}
