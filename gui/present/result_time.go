package present

import "time"

// resultTime says when something was: by its age on the same day, then "Yesterday" with its time, and a date from two days
// on. Days are those of now's time zone.
func resultTime(at, now time.Time) string {
	if at.IsZero() {
		return "at an unknown time"
	}
	at = at.In(now.Location())
	age := now.Sub(at)
	switch day := daysBetween(at, now); {
	case day == 0 && age < 0:
		return "now" // two clocks that differ a little
	case day == 0:
		return ago(age)
	case day == 1:
		return "Yesterday, " + at.Format("15:04")
	}
	return dateTime(at, now)
}

// dateTime is a date with its time of day, and with its year where that is not the present one.
func dateTime(at, now time.Time) string {
	at = at.In(now.Location())
	if at.Year() == now.Year() {
		return at.Format("2 Jan, 15:04")
	}
	return at.Format("2 Jan 2006, 15:04")
}

// daysBetween counts midnights; both times are in one zone.
func daysBetween(from, to time.Time) int {
	day := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC) }
	return int(day(to).Sub(day(from)) / (24 * time.Hour))
}

func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < 90*time.Second:
		return "1 min ago" // of something past, seconds tell nothing
	}
	return durationText(d) + " ago"
}
