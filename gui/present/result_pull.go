package present

import (
	"fmt"
	"time"
)

// The words of fetching the service's own list.
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
		return fmt.Sprintf("Fetching: %s found, %s new", CountInFull(p.Found), CountInFull(p.New))
	case p.Problem != "":
		return p.Problem
	case p.Fetched.IsZero():
		return "Not fetched yet"
	}
	return "Last fetched " + dateTime(p.Fetched, now)
}
