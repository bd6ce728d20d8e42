package settings

import (
	"context"

	"assay/client/i18n"
)

// Updates are how newer versions are asked for. Only Ask blocks.
type Updates struct {
	Host    string      // who is asked
	Own     string      // the version of this program
	Offline func() bool // reports whether nothing is asked now, since Assay works with the sandbox
	// Ask asks at once; the zero Newer means that there is none.
	Ask  func(ctx context.Context) (Newer, error)
	Open func(Newer) // opens its page in the browser
}

// Newer is a newer version, and the page about it.
type Newer struct{ Version, Page string }

// UpdateWords say that there is a newer version.
func UpdateWords(version, own string) string {
	return i18n.F("Assay %s is available. You have %s.", version, own)
}

// NewestWords say that there is none.
func NewestWords(own string) string { return i18n.F("You have the newest version: %s.", own) }

// UpdateActions are what can be done about a newer version: read about it, or hear no more of it.
func UpdateActions() (more, notNow string) { return i18n.T("What is new…"), i18n.T("Not now") }

// UpdateHint says what a host is asked, and what it sees.
func UpdateHint(host string) string {
	return i18n.F("Assay asks %s, through the proxy if one is set. That site sees your computer's address and that somebody uses Assay, nothing else. Nothing is downloaded or installed.", host)
}
