package results

import (
	"time"

	"assay/client/i18n"
)

// The words of fetching the service's own list, to be translated where they are shown.
const (
	PullTitle = "Your uploads on the service…"
	PullScope = "This key's own uploads only"
)

// Pull is how the fetching of the service's own list stands.
type Pull struct {
	Running    bool
	Found, New int       // so far, where it runs or broke off
	Problem    string    // why it broke off, a sentence; it can go on
	Fetched    time.Time // when the whole list was fetched last; zero: never
}

// Line says how it stands.
func (p Pull) Line(now time.Time) string {
	switch {
	case p.Running:
		return i18n.F("Fetching: %s found, %s new", i18n.Count(p.Found), i18n.Count(p.New))
	case p.Problem != "":
		return p.Problem
	case p.Fetched.IsZero():
		return i18n.T("Not fetched yet")
	}
	return i18n.F("Last fetched %s", i18n.DayTime(p.Fetched, now))
}
