// Package release says which Assay this is: its version, which stands here alone, and what it was built from. It imports the standard library.
package release

import (
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// What .ci/binary sets when it links: -ldflags "-X assay/client/release.version=0.2.0". Without commit, what Go itself noted of the repository counts;
// it notes nothing outside of one.
var (
	version = "0.2.0" // a plain string, so that the linker can set it
	commit  string    // all of its digits
	date    string    // of the commit, as of RFC 3339
	changed string    // "true" where files differed from the commit
	updates string    // see Updates
)

// shortCommit is how many digits of a commit name it.
const shortCommit = 7

// Build is what a program was built from.
type Build struct {
	Version string
	Commit  string    // all of its digits, "" where it is not known
	Changed bool      // files differed from the commit
	Date    time.Time // of the commit, so that two builds of it are the same; zero where it is not known
	Go      string    // "1.26.1"
	System  string    // "linux/amd64"
}

// Version is this program's, such as "0.1.0".
func Version() string { return version }

// Full is the version with the commit that the program was built from, if that is known: "0.1.0 (3f2a1c9)".
func Full() string {
	if b := This(); len(b.Commit) >= shortCommit {
		return version + " (" + b.Commit[:shortCommit] + ")"
	}
	return version
}

// Updates is the address that says which version is the latest, "" in packages that a system updates: they never ask.
func Updates() string { return updates }

// This is what this program was built from.
func This() Build {
	b := Build{Version: version, Commit: commit, Changed: changed == "true", Go: strings.TrimPrefix(runtime.Version(), "go"), System: runtime.GOOS + "/" + runtime.GOARCH}
	stamped := date
	if made, ok := debug.ReadBuildInfo(); ok && b.Commit == "" {
		for _, setting := range made.Settings {
			switch setting.Key {
			case "vcs.revision":
				b.Commit = setting.Value
			case "vcs.modified":
				b.Changed = setting.Value == "true"
			case "vcs.time":
				stamped = setting.Value
			}
		}
	}
	if at, err := time.Parse(time.RFC3339, stamped); err == nil {
		b.Date = at.UTC()
	}
	return b
}

// String is the build in plain lines, as `assay --version` prints it.
func (b Build) String() string {
	lines := []string{"Assay " + b.Version}
	if b.Commit != "" {
		line := "commit " + b.Commit
		if !b.Date.IsZero() {
			line += " of " + b.Date.Format("2006-01-02 15:04 MST")
		}
		if b.Changed {
			line += ", changed since"
		}
		lines = append(lines, line)
	}
	return strings.Join(append(lines, "built with Go "+b.Go+" for "+b.System), "\n")
}
