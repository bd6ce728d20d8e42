package present

import (
	"time"

	"assay/client/i18n"
)

// resultTime says when something was: by its age on the same day, then "Yesterday" with its time, and a date from two days
// on. Days are those of now's time zone.
func resultTime(at, now time.Time) string {
	if at.IsZero() {
		return i18n.T("at an unknown time")
	}
	at = at.In(now.Location())
	age := now.Sub(at)
	switch day := daysBetween(at, now); {
	case day == 0 && age < 0:
		return i18n.T("now") // two clocks that differ a little
	case day == 0:
		return ago(age)
	case day == 1:
		return i18n.F("Yesterday, %s", i18n.Clock(at))
	}
	return i18n.DayTime(at, now)
}

// dateTime is a date with its time of day, and with its year where that is not the present one.
func dateTime(at, now time.Time) string { return i18n.DayTime(at, now) }

// daysBetween counts midnights; both times are in one zone.
func daysBetween(from, to time.Time) int {
	day := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC) }
	return int(day(to).Sub(day(from)) / (24 * time.Hour))
}

func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return i18n.T("now")
	case d < 90*time.Second:
		return i18n.T("1 min ago") // of something past, seconds tell nothing
	}
	return i18n.F("%s ago", i18n.Wait(d))
}
