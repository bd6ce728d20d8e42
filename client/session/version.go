package command

import "runtime/debug"

// Version is this program's, as of FyneApp.toml.
const Version = "0.1.0"

// shortRevision is how many digits of a commit name it.
const shortRevision = 7

// FullVersion is the version with the commit that the program was made from, where that is known: "0.1.0 (3f2a1c9)".
func FullVersion() string {
	made, ok := debug.ReadBuildInfo()
	if !ok {
		return Version
	}
	for _, setting := range made.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= shortRevision {
			return Version + " (" + setting.Value[:shortRevision] + ")"
		}
	}
	return Version
}
