package cases

import (
	"time"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/store"
	"assay/gui/present"
)

// Assigned is who is to answer a question, and by when. Its texts are safe for the screen.
type Assigned struct {
	Name    string // "" for nobody
	Login   string // a member's; "" where it is none
	Due     string // a day as time.DateOnly; "" for none
	Says    string // by when
	Overdue bool
}

// longestAssigned is how much of a name has room in a card, in characters.
const longestAssigned = 40

// short is the name as far as there is room for it.
func (a Assigned) short() string { return plain.From(a.Name).Clip(longestAssigned).String() }

func assignedOf(all []store.Assignment, now time.Time) (shown []Assigned) {
	for _, a := range all[:min(len(all), mostAssigned)] {
		each := Assigned{Name: oneLine(a.To), Login: a.Login, Due: a.Due}
		each.Says, each.Overdue = dueText(a.Due, now)
		shown = append(shown, each)
	}
	return shown
}

// mostAssigned is how many are shown who were assigned at the same time.
const mostAssigned = 8

// dueText says by when a question is to be answered; "" where no day is given.
func dueText(due string, now time.Time) (says string, overdue bool) {
	day, err := time.ParseInLocation(time.DateOnly, due, now.Location())
	if err != nil {
		return "", false
	}
	switch today := now.Format(time.DateOnly); {
	case due == today:
		return i18n.T("due today"), false
	case due == now.AddDate(0, 0, 1).Format(time.DateOnly):
		return i18n.T("due tomorrow"), false
	case due < today:
		return i18n.F("overdue, was due %s", i18n.Day(day, now)), true
	}
	return i18n.F("due %s", i18n.Day(day, now)), false
}

// daysOffered are the days by which a question can be answered, as they are kept and in words: none first, the present one last where it is another.
func daysOffered(present string, now time.Time) (days, words []string) {
	days, words = []string{""}, []string{i18n.T("No day")}
	for n := range 15 {
		day := now.AddDate(0, 0, n)
		say := i18n.Day(day, now)
		switch n {
		case 0:
			say = i18n.T("Today")
		case 1:
			say = i18n.T("Tomorrow")
		}
		days, words = append(days, day.Format(time.DateOnly)), append(words, say)
	}
	for _, day := range days {
		if day == present {
			return days, words
		}
	}
	day, err := time.ParseInLocation(time.DateOnly, present, now.Location())
	if err != nil {
		return days, words
	}
	return append(days, present), append(words, i18n.Day(day, now))
}

// assignedText says who was to answer a question from then on.
func assignedText(e store.CaseEvent, questions []store.CaseQuestion, now time.Time) string {
	to := oneLine(e.Text)
	if day, err := time.ParseInLocation(time.DateOnly, e.Due, now.Location()); err == nil {
		to = present.Joined(to, i18n.F("due %s", i18n.Day(day, now)))
	}
	if to == "" {
		to = i18n.T("nobody")
	}
	for _, q := range questions {
		if q.ID == e.About {
			return i18n.F("Assigned “%s” to: %s", oneLine(q.Text), to)
		}
	}
	return i18n.F("Assigned to: %s", to)
}
