package logs

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"assay/client/i18n"
)

// Facts are what Diagnostics may tell. A word that is none of those that its field can have is told as "other".
type Facts struct {
	Version    string         // "0.1.0", or with its commit "0.1.0 (3f2a1c9)"
	Display    string         // "x11", "wayland", "windows", "macos", "none"
	Language   string         // a code of i18n.All, or "" for the system's
	Theme      string         // config.Appearance.Theme
	Scale      float64        // config.Appearance.Scale
	Service    string         // config.Service.Use: "", "sandbox", "service"
	Encrypted  bool           // the service is reached by https
	Proxy      bool           // one is set
	Keychain   string         // keys.Cause, "" where it answers
	HasKey     bool           // for the service
	FFmpeg     bool           // it was found
	States     map[string]int // submissions by submission.State
	Standing   string         // intake.Cause, "" where the queue moves
	VaultBytes int64
	FreeBytes  int64  // of the disk
	LogDir     string // the folder of OpenFile, whose last lines are told; "" for none
}

// The words that may be told. A test holds them to what the packages say.
var (
	displays  = []string{"x11", "wayland", "windows", "macos", "none"}
	themes    = []string{"light", "dark", "high-contrast"}
	services  = []string{"sandbox", "service"}
	keychains = []string{"missing", "absent", "locked", "slow", "refused", "too large", "waiting"}
	standings = []string{"paused", "key", "quota", "disk", "network"}
	states    = []string{"waiting", "checking", "held", "sending", "analysing", "done", "refused", "failed", "cancelled", "stays"}
)

var (
	versionForm = regexp.MustCompile(`^v?[0-9]+(?:\.[0-9]+){0,3}(?: \([0-9a-f]{7,40}\))?$`)
	commitForm  = regexp.MustCompile(`^[0-9a-f]{7,64}$`)
)

// toldLines is how many lines of the log are told.
const toldLines = 200

// Diagnostics is a text for whoever helps, in English: these facts alone, and of the log its times, levels, fixed messages and a few
// values that nobody's words can be in. There is no key, name, path, address or message of others in it. It reads the log: not for the
// UI thread.
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
	tell("Queue", among(standings, f.Standing, "moves"))
	tell("Submissions", counts(f.States))
	tell("Vault", megabytes(f.VaultBytes))
	tell("Free on the disk", megabytes(f.FreeBytes))
	lines := lastLines(f.LogDir, toldLines)
	_, _ = fmt.Fprintf(&out, "\nLog, its last %d lines:\n%s", len(lines), strings.Join(append(lines, ""), "\n"))
	return out.String()
}

// among is a word, if it is one of those; without one it is what that means.
func among(words []string, word, without string) string {
	switch {
	case word == "":
		return without
	case slices.Contains(words, word):
		return word
	}
	return "other"
}

func formed(form *regexp.Regexp, text string) string {
	if form.MatchString(text) {
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

// commit is what the program was built from, as far as it knows.
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
