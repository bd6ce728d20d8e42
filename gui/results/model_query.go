package results

import (
	"slices"
	"strconv"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/verdict"
	"assay/gui/present"
)

// Query is the filter and the order of the list of results. The zero value lists all, the newest first.
type Query struct {
	Text     string          // in name, link or note
	Statuses []client.Status // any of these; none: all. Suspicious includes contradictory answers
	Medium   present.Medium  // Unknown: all
	Dates    Dates
	Source   Source
	Changed  bool // only those whose verdict differs from the one before on the same content, until somebody has marked them as seen
	Order    Order
}

// Filtered reports whether it leaves anything out.
func (q Query) Filtered() bool {
	return q.Text != "" || len(q.Statuses) > 0 || q.Medium != present.Unknown || q.Dates != AnyDate || q.Source != AllSources || q.Changed
}

// Unfiltered lists all, in the same order.
func (q Query) Unfiltered() Query { return Query{Order: q.Order} }

// Has reports whether a status was chosen.
func (q Query) Has(s client.Status) bool { return slices.Contains(q.Statuses, s) }

// Toggled adds a status, or removes it.
func (q Query) Toggled(s client.Status) Query {
	if q.Has(s) {
		q.Statuses = slices.DeleteFunc(slices.Clone(q.Statuses), func(o client.Status) bool { return o == s })
		return q
	}
	q.Statuses = append(slices.Clone(q.Statuses), s)
	return q
}

// Counts are the counts for a query.
type Counts struct {
	Shown    int                   // how many match
	All      int                   // how many match without regard to Statuses
	ByStatus map[client.Status]int // of these, how many have each status
	Changed  int                   // how many there are for Query.Changed alone
	Since    string                // the release of the answers before, where all of those are of the same; else ""
}

// ChangedText is the number of those whose verdict has changed.
func (c Counts) ChangedText() string {
	if c.Since == "" || c.Changed == 0 {
		return i18n.N(c.Changed, "%s changed", "%s changed")
	}
	return i18n.N(c.Changed, "%s changed since release %[2]s", "%s changed since release %[2]s", plain.From(c.Since).Clip(longestRelease))
}

// longestRelease is how many characters of a release are shown.
const longestRelease = 16

// StatusFilter is a status to filter by.
type StatusFilter struct {
	Status client.Status
	Mark   verdict.Mark
	Words  string
}

// StatusFilters lists them in the order of the chips.
func StatusFilters() []StatusFilter {
	var all []StatusFilter
	for _, s := range []client.Status{client.Fake, client.Suspicious, client.Authentic, client.NotApplicable, client.UnableToEvaluate} {
		words := verdict.Say(s)
		status := StatusFilter{Status: s, Mark: words.Mark, Words: words.Short}
		if s == client.Suspicious { // one chip for both, which have one mark: both need a human
			status.Words = i18n.T("Suspicious, or contradicts itself")
		}
		all = append(all, status)
	}
	return all
}

// CountText is a count for a small place: thousands from 10,000 on, rounded down.
func CountText(n int) string {
	if n >= 10_000 {
		return i18n.F("%sk", i18n.Count(n/1000))
	}
	return strconv.Itoa(n)
}

// Order is the order of the list.
type Order int

// The orders, as the menu lists them.
const (
	NewestFirst Order = iota
	OldestFirst
	ByName
	HumanFirst
)

// OrderWords are the menu's words.
func OrderWords() []string {
	return []string{NewestFirst: i18n.T("Newest first"), OldestFirst: i18n.T("Oldest first"), ByName: i18n.T("By name"),
		HumanFirst: i18n.T("Needs a human first")}
}

// Media are the media to filter by, with the menu's words.
func Media() (media []present.Medium, words []string) {
	return []present.Medium{present.Unknown, present.Picture, present.Clip, present.Recording, present.Text}, []string{i18n.T("All types"), i18n.T("Pictures"), i18n.T("Clips"),
		i18n.T("Recordings"), i18n.T("Texts")}
}

// Dates is a span of time up to now.
type Dates int

// The spans, as the menu lists them.
const (
	AnyDate Dates = iota
	Today
	LastWeek
	LastMonth
	ThisYear
)

// DatesWords are the menu's words.
func DatesWords() []string {
	return []string{AnyDate: i18n.T("Any date"), Today: i18n.T("Today"), LastWeek: i18n.T("Last 7 days"), LastMonth: i18n.T("Last 30 days"),
		ThisYear: i18n.T("This year")}
}

// From is the midnight, in now's time zone, at which the span begins; the zero time for AnyDate. Today is one of the 7 or 30 days.
func (d Dates) From(now time.Time) time.Time {
	midnight := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 0, 0, 0, 0, now.Location())
	}
	year, month, day := now.Date()
	switch d {
	case Today:
		return midnight(year, month, day)
	case LastWeek:
		return midnight(year, month, day-6)
	case LastMonth:
		return midnight(year, month, day-29)
	case ThisYear:
		return midnight(year, time.January, 1)
	}
	return time.Time{}
}

// Source is where results came from.
type Source int

// The sources, as the menu lists them.
const (
	AllSources Source = iota
	OwnFiles
	OwnLinks
	AnotherDevice
	WatchedFolders
)

// SourceWords are the menu's words.
func SourceWords() []string {
	return []string{AllSources: i18n.T("All sources"), OwnFiles: i18n.T("Dropped or chosen"), OwnLinks: i18n.T("Links"),
		AnotherDevice: i18n.T("Another device"), WatchedFolders: i18n.T("Watched folders")}
}

// The words for fetching the service's list; they are translated where they are shown.
const (
	PullTitle = "Your uploads on the service…"
	PullScope = "Only uploads of this key"
)

// Pull is the state of fetching the service's list.
type Pull struct {
	Running    bool
	Found, New int       // so far, while it runs or after it failed
	Problem    string    // why it failed, a sentence; it can be resumed
	Fetched    time.Time // when the whole list was fetched last; zero: never
}

// Line is the state in words.
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
