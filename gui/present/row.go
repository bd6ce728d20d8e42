// Package present holds the view models: what to show, in which words and in which order. It is pure: it imports
// the packages of client and never the toolkit, and nothing in it blocks.
package present

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/client"
	"assay/client/media"
	"assay/client/submission"
	"assay/client/verdict"
)

// Action is something that a row offers.
type Action string

// The actions. What is cancelled can be taken back by Retry.
const (
	Open      Action = "open"
	Retry     Action = "retry"
	Cancel    Action = "cancel"
	Remove    Action = "remove"
	Pause     Action = "pause"
	Resume    Action = "resume"
	ScanAgain Action = "scan-again"
	Allow     Action = "allow"    // lets it leave this computer
	Withhold  Action = "withhold" // keeps it on this computer; Allow takes that back
)

// Symbol is the sign beside a row's state, where no verdict's mark stands there.
type Symbol string

// The symbols.
const (
	SymbolMark    Symbol = ""        // the verdict's mark
	SymbolUpload  Symbol = "upload"  // on its way up
	SymbolPaused  Symbol = "paused"  // by the person
	SymbolProblem Symbol = "problem" // not sent, or given up
	SymbolStopped Symbol = "stopped" // cancelled
	SymbolHeld    Symbol = "held"    // waits for the person's decision
	SymbolStays   Symbol = "stays"   // on this computer
)

// Row is a submission in the inbox. What follows Offered is not shown: the list is filtered, searched and sorted by it.
type Row struct {
	ID       string
	Name     string
	Link     string // "" for a file
	Size     string // "" until known
	From     string // the name of the watched folder that it came from, "" for none
	Medium   Medium
	Symbol   Symbol
	Mark     verdict.Mark
	State    string
	Detail   string   // the second line, "" for none
	Progress *float64 // 0..1 of the upload; nil: no bar
	Actions  []Action // the first is what opening the row does
	Offered  []Action // of these, those that stand on the row in words

	Accepted time.Time
	Bytes    int64 // 0 until known
	Group    Filter
	Urgency  Urgency
}

// Can reports whether a row offers an action.
func (r Row) Can(a Action) bool { return slices.Contains(r.Actions, a) }

// Held reports whether a row waits for the person to say whether it may leave this computer.
func (r Row) Held() bool { return r.Can(Withhold) }

// Watched reports whether a watched folder brought it, so that nobody may have looked at it yet.
func (r Row) Watched() bool { return r.From != "" }

// Under is what stands under the name: size and origin.
func (r Row) Under() string {
	if r.From == "" {
		return r.Size
	}
	return joined(r.Size, "from "+r.From)
}

// AllowWords is what Allow is called on a row.
func (r Row) AllowWords() string {
	if r.Held() {
		return "Send"
	}
	return "Send after all"
}

// InboxRow puts a submission into a row. That the queue as a whole stands still is said once, by Overall.
func InboxRow(s submission.Submission) Row {
	r := Row{ID: s.ID, Name: s.Name, Link: s.Link, Medium: mediumOfSubmission(s), Symbol: SymbolUpload,
		Accepted: s.Accepted, Bytes: s.Size, Group: groupOf(s), Urgency: urgencyOf(s)}
	if s.Size > 0 {
		r.Size = media.SizeText(s.Size)
	}
	if s.Source == submission.Watched {
		r.From = folderName(s.Folder)
	}
	switch {
	case s.State == submission.Held:
		r.held(s)
	case s.State == submission.Done:
		r.done(s)
	case s.State == submission.Stays:
		r.stays(s)
	case s.State.Ended():
		r.ended(s)
	case s.Paused:
		r.paused(s)
	default:
		r.underWay(s)
	}
	return r
}

func (r *Row) held(s submission.Submission) {
	r.Symbol, r.State = SymbolHeld, "Waiting for your decision"
	r.Detail = joined("Not sent yet", s.Warning)
	r.Actions = []Action{Allow, Withhold}
	r.Offered = r.Actions
}

func (r *Row) stays(s submission.Submission) {
	r.Symbol, r.State, r.Actions = SymbolStays, "Stays on this computer", []Action{Remove}
	if s.Gate == submission.GateAsk {
		r.Detail = "You kept it here"
		r.Actions, r.Offered = []Action{Allow, Remove}, []Action{Allow}
		return
	}
	r.Detail = "The files of its folder are never sent"
}

func (r *Row) underWay(s submission.Submission) {
	r.Actions = []Action{Pause, Cancel}
	switch s.State {
	case submission.Waiting:
		r.State = "Waiting"
	case submission.Checking:
		r.State = "Looking at the file"
	case submission.Sending:
		r.sending(s)
	case submission.Analysing:
		r.analysing(s)
	}
	if s.Delay != "" {
		r.Detail = s.Delay
	}
	if s.Earlier != "" {
		r.Detail = joined("Same "+thing(s)+" as before: not sent again", r.Detail)
	}
}

func (r *Row) sending(s submission.Submission) {
	if s.Link != "" {
		r.State, r.Detail = "Submitting the link", s.Warning
		return
	}
	r.State = "Uploading"
	if s.Sent == 0 || s.Size == 0 {
		r.Detail = s.Warning
		if s.Step != submission.URLHeld && s.Step != submission.SendingBytes {
			r.State = "Asking for an upload address"
		}
		return
	}
	share := min(1, float64(s.Sent)/float64(s.Size))
	r.Progress = &share
	if s.Sent >= s.Size {
		r.Detail = "Sent; the service is taking it in"
		return
	}
	r.Detail = s.Warning
	if s.Rate > 0 {
		left := time.Duration(float64(s.Size-s.Sent) / s.Rate * float64(time.Second))
		r.Detail = fmt.Sprintf("%s/s · %s left", media.SizeText(int64(s.Rate)), durationText(left))
	}
}

func (r *Row) analysing(s submission.Submission) {
	r.Symbol, r.Mark, r.State = SymbolMark, verdict.MarkAnalysing, "Analysing"
	if s.Result == nil {
		return
	}
	if s.Link != "" && s.Result.Status() == client.Downloading {
		r.State = "Being fetched by the service"
	}
	r.Detail = modelsDone(s.Result)
	r.openIfAnswered(s)
}

// openIfAnswered lets a result be looked at whose status is there while single models are still at work.
func (r *Row) openIfAnswered(s submission.Submission) {
	if s.Result != nil && verdict.Of(s.Result).Status.Terminal() {
		r.Actions = append([]Action{Open}, r.Actions...)
		r.Offered = []Action{Open}
	}
}

func (r *Row) paused(s submission.Submission) {
	r.Symbol, r.State = SymbolPaused, "Paused"
	r.Actions = []Action{Resume, Cancel}
	if !s.Uploaded.IsZero() {
		r.Detail = "The service already has the " + thing(s) + "; its answer is fetched once this goes on."
	}
	r.openIfAnswered(s)
}

func (r *Row) done(s submission.Submission) {
	v := verdict.Of(s.Result)
	r.Symbol, r.Mark, r.State = SymbolMark, v.Mark, v.Short
	r.Actions, r.Offered = []Action{Open, Remove}, []Action{Open}
	if s.Path != "" || s.Link != "" {
		r.Actions = []Action{Open, ScanAgain, Remove}
	}
	var parts []string
	if s.Source == submission.Service {
		parts = append(parts, "From another device")
	}
	if s.Earlier != "" {
		r.State = "Scanned before: " + v.Short
		if !s.Answered.IsZero() {
			r.State += ", " + dayText(s.Answered, s.Accepted)
		}
		if r.Can(ScanAgain) {
			r.Offered = []Action{Open, ScanAgain}
		}
		parts = append(parts, "Same "+thing(s)+": not sent again")
	}
	switch {
	case len(v.Reasons) > 0:
		parts = append(parts, v.Reasons[0].Message)
	case v.Score != nil:
		parts = append(parts, "Ensemble "+v.Score.Text()+" of 100")
	}
	r.Detail = joined(parts...)
}

// ended is what ended without an answer.
func (r *Row) ended(s submission.Submission) {
	r.Symbol, r.State, r.Detail = SymbolProblem, "Not sent", s.Problem
	r.Actions = []Action{Retry, Remove}
	switch {
	case s.State == submission.Cancelled:
		r.Symbol, r.State, r.Detail = SymbolStopped, "Cancelled", ""
		if !s.Uploaded.IsZero() {
			r.Detail = "The service already has the " + thing(s) + "."
		}
	case s.State == submission.Refused:
	case s.Link != "" && (s.Asking.Refetch || s.Result != nil && bool(s.Result.SocialLinkFailed)):
		r.State = "Could not be fetched by the service"
	case !s.Uploaded.IsZero():
		r.State = "Sent, but not answered"
	}
}

// modelsDone counts the models that have finished; "" where none is named yet.
func modelsDone(r *client.Result) string {
	n := len(r.Models)
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d models done", n-r.Running(), n)
}

// joined puts the parts of a detail that are not empty behind each other.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " · ")
}

// thing is the word for what was handed over.
func thing(s submission.Submission) string {
	if s.Link != "" {
		return "link"
	}
	return "file"
}

// dayText is a day as a person at the given time would say it: the year is said where it is another.
func dayText(day, from time.Time) string {
	if day.Year() != from.In(day.Location()).Year() {
		return day.Format("2 Jan 2006")
	}
	return day.Format("2 Jan")
}

// durationText is a rough time to wait: seconds under a minute and a half, then minutes, then hours.
func durationText(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return fmt.Sprintf("%d s", max(1, int(d.Round(time.Second)/time.Second)))
	case d < 90*time.Minute:
		return fmt.Sprintf("%d min", int(d.Round(time.Minute)/time.Minute))
	}
	return fmt.Sprintf("%d h", int(d.Round(time.Hour)/time.Hour))
}
