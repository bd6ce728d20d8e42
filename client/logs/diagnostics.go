package logs

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/client/bounded"
	"assay/client/i18n"
	"assay/client/lazyregexp"
)

// Facts are what Diagnostics may report. A word that is not among those allowed for its field becomes "other".
type Facts struct {
	Version     string         // "0.1.0", or with its commit "0.1.0 (3f2a1c9)"
	Display     string         // "x11", "wayland", "windows", "macos", "none"
	Language    string         // a code of i18n.All, or "" for the system's
	Theme       string         // config.Appearance.Theme
	Scale       float64        // config.Appearance.Scale
	Service     string         // config.Service.Use: "", "sandbox", "service"
	Encrypted   bool           // the service is reached by https
	Proxy       bool           // one is set
	Keychain    string         // keys.Cause, "" where it answers
	HasKey      bool           // for the service
	FFmpeg      bool           // it was found
	States      map[string]int // submissions by submission.State
	QueueStatus string         // intake.Cause, "" where the queue moves
	VaultBytes  int64
	FreeBytes   int64  // of the disk
	LogDir      string // the folder of OpenFile, whose last lines are reported; "" for none
}

// The words that may be reported. A test compares them with those of the packages.
var (
	displays  = []string{"x11", "wayland", "windows", "macos", "none"}
	themes    = []string{"light", "dark", "high-contrast"}
	services  = []string{"sandbox", "service"}
	keychains = []string{"missing", "absent", "locked", "slow", "refused", "too large", "waiting"}
	standings = []string{"paused", "key", "quota", "disk", "network"}
	states    = []string{"waiting", "checking", "held", "sending", "analysing", "done", "refused", "failed", "cancelled", "stays"}
)

var (
	versionForm = lazyregexp.New(`^v?[0-9]+(?:\.[0-9]+){0,3}(?: \([0-9a-f]{7,40}\))?$`)
	commitForm  = lazyregexp.New(`^[0-9a-f]{7,64}$`)
)

// shownLines is how many lines of the log are reported.
const shownLines = 200

// Diagnostics is a text for whoever helps the person, in English: these facts, and of the log its times, levels, fixed messages and a few values that
// can't hold any text of others. It has no key, name, path, address or message of others in it. It reads the log: not for the UI thread.
func Diagnostics(f Facts) string {
	var out strings.Builder
	tell := func(name, value string) { _, _ = fmt.Fprintf(&out, "%s: %s\n", name, value) } // never fails
	tell("Assay", formed(versionForm, f.Version))
	tell("Commit", formed(commitForm, commit()))
	tell("System", runtime.GOOS+" "+runtime.GOARCH)
	tell("Built with", runtime.Version())
	tell("Processors", strconv.Itoa(runtime.NumCPU()))
	tell("Display", among(displays, f.Display, "unknown"))
	tell("Language", among(languages(), f.Language, "as the system"))
	tell("Theme", among(themes, f.Theme, "as the system"))
	tell("Scale", scale(f.Scale))
	tell("Service", among(services, f.Service, "undecided")+map[bool]string{true: ", https"}[f.Encrypted])
	tell("Proxy", yesNo(f.Proxy))
	tell("Keychain", among(keychains, f.Keychain, "answers"))
	tell("Key", yesNo(f.HasKey))
	tell("ffmpeg", yesNo(f.FFmpeg))
	tell("Queue", among(standings, f.QueueStatus, "moves"))
	tell("Submissions", counts(f.States))
	tell("Vault", megabytes(f.VaultBytes))
	tell("Free on the disk", megabytes(f.FreeBytes))
	lines := lastLines(f.LogDir, shownLines)
	_, _ = fmt.Fprintf(&out, "\nLog, its last %d lines:\n%s", len(lines), strings.Join(append(lines, ""), "\n"))
	return out.String()
}

// among is a word if it is one of words, else "other", or without if it is "".
func among(words []string, word, without string) string {
	switch {
	case word == "":
		return without
	case slices.Contains(words, word):
		return word
	}
	return "other"
}

func formed(form func() *regexp.Regexp, text string) string {
	if form().MatchString(text) {
		return text
	}
	return "unknown"
}

func languages() []string {
	var codes []string
	for _, name := range i18n.All() {
		codes = append(codes, name.Code)
	}
	return codes
}

// commit is the commit that the program was built from, if that is known.
func commit() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				return setting.Value
			}
		}
	}
	return ""
}

func scale(s float64) string {
	if s == 0 || math.IsNaN(s) {
		return "automatic"
	}
	return strconv.FormatFloat(s, 'f', 2, 64)
}

func yesNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

func counts(of map[string]int) string {
	told := map[string]int{}
	for state, n := range of {
		told[among(states, state, "other")] += n
	}
	var parts []string
	for _, state := range slices.SortedFunc(maps.Keys(told), func(a, b string) int {
		return cmp.Or(cmp.Compare(slices.Index(states, a), slices.Index(states, b)), cmp.Compare(a, b))
	}) {
		parts = append(parts, fmt.Sprintf("%d %s", told[state], state))
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}

func megabytes(bytes int64) string { return fmt.Sprintf("%d MB", bytes/1_000_000) }

// The attributes that are reported, each with the form of the values that Assay itself writes; no text of others has it.
var safeAttributes = map[string]func() *regexp.Regexp{
	"id":      lazyregexp.New(`^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`),
	"count":   lazyregexp.New(`^[0-9]{1,9}$`),
	"status":  lazyregexp.New(`^(?:[0-9]{3}|FAKE|SUSPICIOUS|AUTHENTIC|NOT_APPLICABLE|UNABLE_TO_EVALUATE|ANALYZING|DOWNLOADING)$`),
	"state":   oneOf(states),
	"cause":   oneOf(slices.Concat(standings, keychains)),
	"kind":    oneOf([]string{"setup", "key", "network", "stalled", "busy", "service", "refused", "expired", "answer", "file"}),
	"attempt": lazyregexp.New(`^[0-9]{1,4}$`),
	"call": oneOf([]string{"ask for an upload address", "fetch the result", "find the upload among your results",
		"read the details of the analysis", "send the feedback", "upload the file"}),
}

var (
	safeMessage = lazyregexp.New(`^[a-z][a-z ,;:'()-]{0,120}$`) // ours are fixed, and in such letters
	safeLevel   = lazyregexp.New(`^(?:DEBUG|INFO|WARN|ERROR)(?:[+-][0-9]{1,2})?$`)
)

func oneOf(words []string) func() *regexp.Regexp {
	return lazyregexp.New(`^(?:` + strings.Join(words, "|") + `)$`)
}

// lastLines are the reportable parts of the log's last n lines, which are in one or two files.
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
		if line = safeLine(line); line != "" {
			told = append(told, line)
		}
	}
	return told
}

// safeLine is the reportable part of a line; "" if it is not from slog.
func safeLine(line string) string {
	attributes := attributesOf(line)
	if len(attributes) < 3 || attributes[0].name != "time" || attributes[1].name != "level" || attributes[2].name != "msg" {
		return ""
	}
	at, err := time.Parse(time.RFC3339Nano, attributes[0].value)
	if err != nil || !safeLevel().MatchString(attributes[1].value) {
		return ""
	}
	message := attributes[2].value
	if !safeMessage().MatchString(message) {
		message = left
	}
	parts := []string{at.UTC().Format("2006-01-02T15:04:05.000Z"), attributes[1].value, message}
	for _, a := range attributes[3:] {
		if form, ok := safeAttributes[a.name]; ok && form().MatchString(a.value) {
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
