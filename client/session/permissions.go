package command

import (
	"fmt"

	"assay/client/config"
	"assay/client/i18n"
	"assay/client/plain"
)

// homeFindings are what is wrong with who may do what in a home.
type homeFindings struct {
	refusal  string          // why nothing may be opened there: a sentence; "" for no reason
	warnings []func() string // sentences, in the language in use then
}

// checkHome is examineHome for the user of this process. An error is Misuse.
func checkHome(home string) (warnings []func() string, err error) {
	found := examineHome(home, currentUser())
	if found.refusal != "" {
		return nil, &Misuse{Sentence: found.refusal}
	}
	return found.warnings, nil
}

// openSettings reads the settings of a home, which others must not have written. What else is wrong with it is among their notices.
func openSettings(p config.Params) (*config.Config, error) {
	warnings, err := checkHome(p.Dir)
	if err != nil {
		return nil, err
	}
	settings, err := config.Open(p)
	if err != nil {
		return nil, misuse(err)
	}
	for _, warning := range warnings {
		settings.Note(warning)
	}
	return settings, nil
}

// quotedPath is a path for the person.
func quotedPath(path string) string { return i18n.F("“%s”", plain.From(path).String()) }

func refuseOwner(path string) string {
	return fmt.Sprintf("%s belongs to another user, who could read and change what Assay keeps: give a folder of your own with --home.", quotedPath(path))
}

func refuseWritable(path, home string) string {
	return fmt.Sprintf("Others on this computer may have changed %s, which holds what Assay keeps: they may write to it. See that it is as you left it, then close it with chmod -R go-rwx %s.",
		quotedPath(path), quotedPath(home))
}

func warnWritable(path string) func() string {
	return func() string {
		return i18n.F("Others on this computer may write to Assay's folder %s. Close it with chmod go-w.", quotedPath(path))
	}
}

func warnReadable(path string) func() string {
	return func() string {
		return i18n.F("Others on this computer may read %s. Close it with chmod go-rwx.", quotedPath(path))
	}
}

func warnSwapped(path string) func() string {
	return func() string {
		return i18n.F("Others on this computer may put another folder in the place of Assay's: they may change %s.", quotedPath(path))
	}
}

func warnRoot(path string) func() string {
	return func() string {
		return i18n.F("Assay runs as root in a folder of another user's, %s: what it writes there belongs to root.", quotedPath(path))
	}
}
