package inbox

import (
	"assay/client"
	"assay/client/i18n"
	"assay/client/submission"
	"assay/client/verdict"
)

// Filter chooses a part of the inbox. A row of its own belongs to one part at most, its group.
type Filter string

// The filters. What was cancelled, or stays on this computer, is in All alone.
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

// Urgency orders rows by how much they need a human, the most first.
type Urgency int

// The urgencies: first what only a human can decide, then what is flagged, then what is on its way, and what may rest last.
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
