package inbox

import (
	"cmp"

	"assay/client"
	"assay/client/i18n"
	"assay/client/submission"
	"assay/client/verdict"
)

// Filter selects a part of the inbox. A row is in at most one part besides All, its group.
type Filter string

// The filters. What was cancelled, or stays on this computer, is only in All.
const (
	FilterAll      Filter = ""
	FilterUnderWay Filter = "under-way" // goes on by itself
	FilterNeedsYou Filter = "needs-you" // waits for the person's decision, was refused or failed
	FilterAnswered Filter = "answered"
	FilterPaused   Filter = "paused" // one by one, by the person
)

// Filters lists them in the order in which they are offered.
func Filters() []Filter {
	return []Filter{FilterAll, FilterUnderWay, FilterNeedsYou, FilterAnswered, FilterPaused}
}

// Words is the filter's name on screen.
func (f Filter) Words() string {
	switch f {
	case FilterUnderWay:
		return i18n.T("Under way")
	case FilterNeedsYou:
		return i18n.T("Needs you")
	case FilterAnswered:
		return i18n.T("Answered")
	case FilterPaused:
		return i18n.T("Paused")
	}
	return i18n.T("All")
}

func groupOf(s submission.Submission) Filter {
	switch {
	case s.State == submission.Done:
		return FilterAnswered
	case s.State == submission.Held || s.State == submission.Failed || s.State == submission.Refused:
		return FilterNeedsYou
	case s.State.Ended():
		return FilterAll
	case s.Paused:
		return FilterPaused
	}
	return FilterUnderWay
}

// Urgency is how much a row needs a human; lists are ordered by it.
type Urgency int

// The urgencies: first what only a human can decide, then what is flagged, then what is under way, and last what can wait.
const (
	UrgencyHeld Urgency = iota
	UrgencySuspicious
	UrgencyNotEvaluated
	UrgencyFailed
	UrgencyRefused
	UrgencyUnrecognised
	UrgencyFake
	UrgencyNotAssessable
	UrgencyPaused
	UrgencySending
	UrgencyAnalysing
	UrgencyWaiting
	UrgencyAuthentic
	UrgencyStays
	UrgencyCancelled
)

func urgencyOf(s submission.Submission) Urgency {
	switch s.State {
	case submission.Held:
		return UrgencyHeld
	case submission.Stays:
		return UrgencyStays
	case submission.Done:
		return urgencyOfResult(s.Result)
	case submission.Failed:
		return UrgencyFailed
	case submission.Refused:
		return UrgencyRefused
	case submission.Cancelled:
		return UrgencyCancelled
	}
	switch {
	case s.Paused:
		return UrgencyPaused
	case s.State == submission.Sending:
		return UrgencySending
	case s.State == submission.Analysing:
		return UrgencyAnalysing
	}
	return UrgencyWaiting
}

func urgencyOfResult(r *client.Result) Urgency {
	if r.VoiceDiffers() {
		return UrgencySuspicious
	}
	switch verdict.Of(r).Mark {
	case verdict.MarkSuspicious:
		return UrgencySuspicious
	case verdict.MarkFailed:
		return UrgencyNotEvaluated
	case verdict.MarkFake:
		return UrgencyFake
	case verdict.MarkNotAssessable:
		return UrgencyNotAssessable
	case verdict.MarkAuthentic:
		return UrgencyAuthentic
	}
	return UrgencyUnrecognised
}

// Sort is an order of the inbox.
type Sort string

// The orders. Rows that are equal are in the order of acceptance, the latest first.
const (
	SortNewest     Sort = ""
	SortHumanFirst Sort = "human-first" // by Urgency
	SortName       Sort = "name"
	SortSize       Sort = "size" // the largest first
)

// Sorts lists them in the order in which they are offered.
func Sorts() []Sort { return []Sort{SortNewest, SortHumanFirst, SortName, SortSize} }

// Words is the order's name on screen.
func (s Sort) Words() string {
	switch s {
	case SortHumanFirst:
		return i18n.T("Needs a human first")
	case SortName:
		return i18n.T("By name")
	case SortSize:
		return i18n.T("Largest first")
	}
	return i18n.T("Newest first")
}

// compare orders two entries of a list; no two are equal.
func (s Sort) compare(a, b *listEntry) int {
	by := 0
	switch s {
	case SortHumanFirst:
		by = cmp.Compare(a.row.Urgency, b.row.Urgency)
	case SortName:
		by = cmp.Compare(a.name, b.name)
	case SortSize:
		by = cmp.Compare(b.row.Bytes, a.row.Bytes)
	}
	if by != 0 {
		return by
	}
	if by = b.row.Accepted.Compare(a.row.Accepted); by != 0 {
		return by
	}
	return cmp.Compare(a.accepted, b.accepted)
}
