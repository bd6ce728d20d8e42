package cases

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/client/i18n"
	"assay/client/report"
	"assay/client/store"
	"assay/client/verdict"
	"assay/gui/present"
)

// Event is what happened in a case, as it is shown. It can be compared.
type Event struct {
	Who  string // "" where it isn't recorded
	Text string
	When string
	New  bool // a colleague did it since the person looked
	// Entries are the IDs of what can be removed for everyone, with spaces between; "" for nothing.
	Entries string
}

// same reports whether another entry is this one, also where time has gone by or it is no longer new.
func (e Event) same(other Event) bool { return e.Who == other.Who && e.Text == other.Text }

// Groups are how many entries events make: items that were added or removed at once are one.
func Groups(events []store.CaseEvent) (n int) {
	var before store.CaseEvent
	for _, e := range events {
		if !together(before, e) {
			n++
		}
		before = e
	}
	return n
}

// together reports whether two events that follow each other are of one action.
func together(a, b store.CaseEvent) bool {
	return a.Kind == b.Kind && (a.Kind == store.CaseItemAdded || a.Kind == store.CaseItemRemoved) && a.By == b.By && a.At.Sub(b.At).Abs() < time.Second
}

// namesShown is how many names an entry has of items that were added at once.
const namesShown = 3

// eventsOf are the entries of what happened.
func eventsOf(k Kept, now time.Time) (all []Event) {
	renamed, drawn := false, false // a later entry did so
	for i := 0; i < len(k.Events); {
		n := 1
		for i+n < len(k.Events) && together(k.Events[i], k.Events[i+n]) {
			n++
		}
		e := k.Events[i]
		text := eventText(e, k.Questions, now)
		if n > 1 {
			var names []string
			for _, each := range slices.Backward(k.Events[i : i+n]) {
				names = append(names, oneLine(each.Text))
			}
			text = itemsEventText(e.Kind, names)
		}
		switch e.Kind {
		case store.CaseRenamed:
			text = joinLines(text, lost(e, k.Case, !renamed))
			renamed = true
		case store.CaseDrawn, store.CaseClosed:
			text = joinLines(text, lost(e, k.Case, !drawn))
			drawn = drawn || e.Text != ""
		}
		var removable []string
		for _, each := range k.Events[i : i+n] {
			if k.Removable[each.ID] {
				removable = append(removable, each.ID)
			}
		}
		all = append(all, Event{Who: oneLine(e.By), Text: text, When: present.PastTime(e.At, now), New: k.New[e.ID], Entries: strings.Join(removable, " ")})
		i += n
	}
	return all
}

func itemsEventText(kind store.CaseEventKind, names []string) string {
	shown := names[:min(namesShown, len(names))]
	list := i18n.List(shown...)
	if left := len(names) - len(shown); left > 0 {
		list = i18n.N(left, "%[2]s and %[1]s more", "%[2]s and %[1]s more", joinNames(shown))
	}
	if kind == store.CaseItemRemoved {
		return i18n.N(len(names), "Removed %s item: %s", "Removed %s items: %s", list)
	}
	return i18n.N(len(names), "Added %s item: %s", "Added %s items: %s", list)
}

func joinNames(names []string) (list string) {
	for i, n := range names {
		if i > 0 {
			list += ", "
		}
		list += n
	}
	return list
}

// eventText says what was done.
func eventText(e store.CaseEvent, questions []store.CaseQuestion, now time.Time) string {
	text := oneLine(e.Text)
	switch e.Kind {
	case store.CaseNoted:
		return paragraphs(e.Text)
	case store.CaseCreated:
		return i18n.T("Created the case")
	case store.CaseItemAdded:
		return i18n.F("Added %s", text)
	case store.CaseItemRemoved:
		return i18n.F("Removed %s", text)
	case store.CaseChecked:
		return i18n.F("Finding for %s: %s", report.CheckWords(e.Check), text)
	case store.CaseAsked:
		return i18n.F("Asked: %s", text)
	case store.CaseAnswered:
		for _, q := range questions {
			if q.ID == e.About {
				return i18n.F("Answered “%s”: %s", oneLine(q.Text), text)
			}
		}
		return i18n.F("Answered: %s", text)
	case store.CaseAssigned:
		return assignedText(e, questions, now)
	case store.CaseTagged:
		if text == "" {
			return i18n.T("Removed all tags")
		}
		return i18n.F("Tags: %s", text)
	case store.CaseRenamed:
		return i18n.F("New title: %s", text)
	case store.CaseDrawn:
		return i18n.F("Wrote the conclusion: %s", text)
	case store.CaseClosed:
		if text == "" {
			return i18n.T("Concluded the case")
		}
		return i18n.F("Concluded the case: %s", text)
	case store.CaseReopened:
		return i18n.T("Reopened the case")
	case store.CaseJudgement:
		if text == "" {
			return i18n.F("Judgement: %s", verdict.Label(e.Label))
		}
		return i18n.F("Judgement: %s. %s", verdict.Label(e.Label), text)
	case store.CaseJudgementWithdrawn:
		return i18n.F("Withdrew the judgement: %s", verdict.Label(e.Label))
	case store.CaseSignedOff:
		return i18n.F("Signed off the judgement of %s: %s", text, verdict.Label(e.Label))
	case store.CaseSignOffWithdrawn:
		return i18n.F("Withdrew the sign-off of the judgement of %s: %s", text, verdict.Label(e.Label))
	case store.CaseRetention:
		if days, err := strconv.Atoi(text); err == nil {
			return i18n.N(days, "The desk keeps this case for %s day after its last entry", "The desk keeps this case for %s days after its last entry")
		}
		return i18n.T("The desk keeps this case without limit")
	case store.CaseExpired:
		return i18n.T("The time for which the desk keeps this case was over. What colleagues had shared was removed. What you did on this computer is still here.")
	case store.CaseEmptied:
		if text == "" {
			return i18n.F("No longer kept, %s", present.PastTime(e.Removed, now))
		}
		return i18n.F("Removed by %s, %s", text, present.PastTime(e.Removed, now))
	case store.CaseSignOffRequired:
		return i18n.T("Sign-off by a second person is required now")
	case store.CaseSignOffNotRequired:
		return i18n.T("Sign-off by a second person is no longer required")
	}
	return text
}
