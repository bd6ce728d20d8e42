package i18n

import (
	"fmt"
	"time"
)

// Day is a day as a person at now would say it, in now's zone: "2 Jan", with its year where that is another, "2 Jan 2006". Where now
// is the zero time, it is the day in t's own zone, always with its year.
func Day(t, now time.Time) string { return current().day(t, now) }

// DayTime is Day with the time of day: "2 Jan, 15:04", "2 Jan 2006, 15:04".
func DayTime(t, now time.Time) string {
	s := current()
	if !now.IsZero() {
		t = t.In(now.Location())
	}
	return s.day(t, now) + ", " + s.clock(t, false)
}

// Clock is a time of day: "15:04", or "3:04 PM".
func Clock(t time.Time) string { return current().clock(t, false) }

// Moment is for evidence: to the second, and with the zone, which an editor elsewhere must be able to read: "2 Jan 2006, 15:04:05
// (UTC+01:00)".
func Moment(t time.Time) string { return current().moment(t) + t.Format(" (UTC-07:00)") }

// LogMoment is Moment for a narrow column: "2 Jan 2006, 15:04:05 +01:00".
func LogMoment(t time.Time) string { return current().moment(t) + t.Format(" -07:00") }

func (s *spoken) moment(t time.Time) string {
	return s.day(t, time.Time{}) + ", " + s.clock(t, true)
}

func (s *spoken) day(t, now time.Time) string {
	pattern := s.forms.date
	if !now.IsZero() {
		if t = t.In(now.Location()); t.Year() == now.Year() {
			pattern = s.forms.dayOfYear
		}
	}
	return fmt.Sprintf(pattern, t.Day(), s.forms.months[t.Month()-1], t.Year())
}

func (s *spoken) clock(t time.Time, seconds bool) string {
	switch {
	case s.forms.halfDays && seconds:
		return t.Format("3:04:05 PM")
	case s.forms.halfDays:
		return t.Format("3:04 PM")
	case seconds:
		return t.Format("15:04:05")
	}
	return t.Format("15:04")
}
