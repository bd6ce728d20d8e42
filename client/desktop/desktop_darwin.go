package desktop

import (
	"path/filepath"
	"strings"
)

func (e Entries) offered() bool { return false }

// "Open with" is the bundle's own: macOS offers what its Info.plist names. There is no "Send to".
func (e Entries) possible() (autostart, openWith, sendTo bool) {
	_, err := e.agent()
	return err == nil, false, false
}

// agent is the path of the file with which the system starts Assay.
func (e Entries) agent() (string, error) {
	home := e.variable("HOME")
	if !filepath.IsAbs(home) {
		return "", errNone
	}
	return filepath.Join(home, "Library", "LaunchAgents", appID+".plist"), nil
}

func (e Entries) ownAutostart() (bool, error) {
	path, err := e.agent()
	text, unfit := launchAgent(e.Program, nil)
	if err != nil || unfit != nil {
		return false, nil //nolint:nilerr // without its folder, or with such a name, no entry was ever written
	}
	begin, _, _ := strings.Cut(text, "\n\t</array>") // up to the program; arguments may follow
	content, err := contentOf(path)
	return strings.HasPrefix(string(content), begin), err
}

func (e Entries) ownOpenWith() (bool, error) { return false, nil }
func (e Entries) ownSendTo() (bool, error)   { return false, nil }

func (e Entries) autostart(on bool) error {
	path, err := e.agent()
	if err != nil {
		return err
	}
	if !on {
		return remove(path)
	}
	text, err := launchAgent(e.Program, e.Arguments)
	if err != nil {
		return err
	}
	return put(path, []byte(text))
}

func (e Entries) openWith(on bool) error { return none(on) }

func (e Entries) sendTo(on bool) error { return none(on) }
