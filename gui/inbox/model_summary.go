package inbox

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/media"
	"assay/gui/present"
)

// QueueAction is an action on the inbox as a whole.
type QueueAction string

// The actions.
const (
	PauseAll    QueueAction = "pause-all"
	ResumeAll   QueueAction = "resume-all"
	RetryFailed QueueAction = "retry-failed"
	ClearDone   QueueAction = "clear-done"
	ToSettings  QueueAction = "settings" // opens them, at the service and its key
)

// Summary is the line above the table, for the inbox as a whole.
type Summary struct {
	Counts   string        // "4 answered · 8 not sent · 22 under way"
	Detail   string        // "48 of 210 MB · about 2 min of upload left", "" when nothing is being sent
	Progress *float64      // 0..1 of the bytes to be sent; nil if there are none, or all are sent
	Active   int           // submissions that go on by themselves
	Failed   int           // submissions that Retry may help
	Answered int           // submissions that can be cleared away
	Held     int           // submissions that wait for the person's decision
	NeedsYou int           // submissions that wait for the person's decision, were refused or failed: the number in the rail
	Can      []QueueAction // the possible actions, in the order in which they are offered

	// Notice says in a sentence or two why the queue is halted or waits; "" where it does not.
	Notice string
	// Help is the action that helps, with HelpWords on its button; "" if it passes by itself, or nothing here helps.
	Help      QueueAction
	HelpWords string
}

// Offers reports whether an action is possible.
func (o Summary) Offers(w QueueAction) bool { return slices.Contains(o.Can, w) }

// WithKey shows a sentence about the key, such as that the keychain is locked, in place of any other.
func (o Summary) WithKey(sentence string) Summary {
	o.Notice, o.Help, o.HelpWords = sentence, ToSettings, i18n.T("Open Settings")
	return o
}

// SummaryOf makes the summary.
func SummaryOf(t intake.Totals, st intake.QueueStatus) Summary {
	o := Summary{Active: t.Active(), Failed: t.Failed, Answered: t.Done, Held: t.Held, NeedsYou: t.Held + t.Failed + t.Refused}
	o.Counts = counts(t)
	o.Detail, o.Progress = onItsWay(t, st)
	switch {
	case st.Stopped():
		o.Can = append(o.Can, ResumeAll)
	case o.Active > 0:
		o.Can = append(o.Can, PauseAll)
	}
	if t.Failed > 0 {
		o.Can = append(o.Can, RetryFailed)
	}
	if t.Done > 0 {
		o.Can = append(o.Can, ClearDone)
	}
	if st.Cause != intake.Busy || o.Active > 0 { // else nobody waits for it
		o.Notice, o.Help, o.HelpWords = inTheWay(st)
	}
	return o
}

// counts says what has become of all; what is not there is not named.
func counts(t intake.Totals) string {
	if t.All == 0 {
		return i18n.T("Nothing is under way")
	}
	var parts []string
	add := func(n int, words string) {
		if n > 0 {
			parts = append(parts, words)
		}
	}
	add(t.Done, i18n.N(t.Done, "%s answered", "%s answered"))
	add(t.Unsent, i18n.N(t.Unsent, "%s not sent", "%s not sent"))
	add(t.Unanswered, i18n.N(t.Unanswered, "%s not answered", "%s not answered"))
	add(t.Paused, i18n.N(t.Paused, "%s paused", "%s paused"))
	add(t.Active(), i18n.N(t.Active(), "%s under way", "%s under way"))
	return strings.Join(parts, " · ")
}

// onItsWay says how much is sent of what is to be sent, and how long the rest may take.
func onItsWay(t intake.Totals, st intake.QueueStatus) (detail string, progress *float64) {
	var parts []string
	if st.Cause == intake.PausedAll {
		parts = append(parts, i18n.T("paused"))
	}
	if t.Active() > 0 && t.Bytes > 0 && t.Sent < t.Bytes {
		share := float64(max(t.Sent, 0)) / float64(t.Bytes)
		progress = &share
		parts = append(parts, i18n.SizeOf(t.Sent, t.Bytes))
		if t.Rate > 0 && st.Cause == intake.Running {
			left := time.Duration(float64(t.Bytes-t.Sent) / t.Rate * float64(time.Second))
			parts = append(parts, i18n.F("about %s of upload left", i18n.Wait(left)))
		}
	}
	return strings.Join(parts, " · "), progress
}

// inTheWay says why the queue is halted, and what helps. If the person has paused it, it says nothing.
func inTheWay(st intake.QueueStatus) (notice string, help QueueAction, words string) {
	notice = st.Reason.String()
	switch st.Cause {
	case intake.Running, intake.PausedAll:
		return "", "", ""
	case intake.NoKey:
		help, words = ToSettings, i18n.T("Open Settings")
		notice = cmp.Or(notice, i18n.T("The service did not accept the key. Everything waits for a key that works."))
	case intake.NoQuota:
		help, words = ResumeAll, i18n.T("Try again")
		notice = cmp.Or(notice, i18n.T("This plan has no uploads left. What was sent is still answered. The rest waits until there are more."))
	case intake.NoDisk:
		help, words = ResumeAll, i18n.T("Try again")
		notice = cmp.Or(notice, i18n.T("Assay can't write to its folder, so it has stopped sending. It goes on by itself once that is possible again."))
	case intake.Busy:
		notice = cmp.Or(notice, i18n.T("The service is busy. Assay goes on by itself as soon as it can."))
	case intake.NoNetwork:
		notice = cmp.Or(notice, i18n.T("The service can't be reached. Assay goes on by itself as soon as it can."))
	}
	return notice, help, words
}

// Held counts what waits for the person's approval.
type Held struct {
	Files int // files and links
	Links int // of these, links
	Bytes int64
}

// Words say how many wait; "" for none.
func (h Held) Words() string {
	switch {
	case h.Files == 0:
		return ""
	case h.Links == 0:
		return i18n.N(h.Files, "%s file waits for your decision", "%s files wait for your decision")
	case h.Links == h.Files:
		return i18n.N(h.Files, "%s link waits for your decision", "%s links wait for your decision")
	}
	return i18n.N(h.Files, "%s file or link waits for your decision", "%s files and links wait for your decision")
}

// Detail says how large they are and where they are.
func (h Held) Detail() string {
	size := ""
	if h.Bytes > 0 {
		size = media.SizeText(h.Bytes)
	}
	return present.Joined(size, i18n.T("not sent yet"))
}

// Buttons are the words of the two buttons for all of them.
func (h Held) Buttons() (look, keep string) {
	if h.Files == 1 {
		return i18n.T("Look and send…"), i18n.T("Keep it here")
	}
	return i18n.T("Send all…"), i18n.T("Keep all here")
}

// Held counts what waits among all rows, visible or not.
func (l *List) Held() Held { return l.held }

// HeldIDs are the IDs of the rows that wait, visible or not, in the order of acceptance.
func (l *List) HeldIDs() []string {
	waiting := make([]*listEntry, 0, l.held.Files)
	for _, e := range l.entries {
		if e.row.Held() {
			waiting = append(waiting, e)
		}
	}
	slices.SortFunc(waiting, func(a, b *listEntry) int { return cmp.Compare(a.accepted, b.accepted) })
	ids := make([]string, len(waiting))
	for i, e := range waiting {
		ids[i] = e.row.ID
	}
	return ids
}
