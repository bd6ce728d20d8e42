package recheck

import (
	"time"

	"assay/client/i18n"
)

// Age is how long ago results must have been answered to be checked again.
type Age int

// The ages, as the menu lists them.
const (
	AnyAge Age = iota
	Month
	Quarter
	HalfYear
	Year
)

// AgeWords are the menu's words.
func AgeWords() []string {
	return []string{AnyAge: i18n.T("All of them"), Month: i18n.T("Older than 30 days"), Quarter: i18n.T("Older than 90 days"),
		HalfYear: i18n.T("Older than 180 days"), Year: i18n.T("Older than a year")}
}

// Before is the time before which they must have been answered; zero for AnyAge.
func (a Age) Before(now time.Time) time.Time {
	switch a {
	case Month:
		return now.AddDate(0, 0, -30)
	case Quarter:
		return now.AddDate(0, 0, -90)
	case HalfYear:
		return now.AddDate(0, 0, -180)
	case Year:
		return now.AddDate(-1, 0, 0)
	}
	return time.Time{}
}

// Plan says what checking results again would do.
type Plan struct {
	IDs      []string // of the results that would be checked again
	Forecast string   // what it would use, in sentences
	Left     []Left   // what can't be checked again
}

// Left is a result that can't be checked again.
type Left struct{ Name, Why string }

// leftShown is how many of those are named.
const leftShown = 6

// LeftLines name what can't be checked again, and how many more there are.
func (p Plan) LeftLines() []string {
	var lines []string
	for _, left := range p.Left[:min(len(p.Left), leftShown)] {
		lines = append(lines, i18n.F("%s: %s", left.Name, left.Why))
	}
	if more := len(p.Left) - leftShown; more > 0 {
		lines = append(lines, i18n.N(more, "and %s more", "and %s more"))
	}
	return lines
}

// LeftTitle counts them.
func (p Plan) LeftTitle() string {
	return i18n.N(len(p.Left), "%s result can't be scanned again", "%s results can't be scanned again")
}

// Button is what the button that begins says.
func (p Plan) Button() string {
	if len(p.IDs) == 0 {
		return i18n.T("Scan again")
	}
	return i18n.N(len(p.IDs), "Scan %s again", "Scan %s again")
}
