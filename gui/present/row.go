// Package present holds the view models: what to show, in which words and in which order. It is pure: it imports
// the packages of client and never the toolkit, and nothing in it blocks.
package present

import (
	"fmt"
	"strings"
	"time"

	"assay/client"
	"assay/client/media"
	"assay/client/submission"
	"assay/client/verdict"
)

// Action is something that a row offers.
type Action string

// The actions.
const (
	Open   Action = "open"
	Retry  Action = "retry"
	Cancel Action = "cancel"
	Remove Action = "remove"
)

// Symbol is the sign beside a row's state, where no verdict's mark stands there.
type Symbol string

// The symbols.
const (
	SymbolMark    Symbol = ""        // the verdict's mark
	SymbolUpload  Symbol = "upload"  // on its way up
	SymbolProblem Symbol = "problem" // not sent, or given up
	SymbolStopped Symbol = "stopped" // cancelled
)

// Row is a submission in the inbox.
type Row struct {
	ID       string
	Name     string
	Size     string // "" until known
	Medium   Medium
	Symbol   Symbol
	Mark     verdict.Mark
	State    string
	Detail   string   // the second line, "" for none
	Progress *float64 // 0..1 of the upload; nil: no bar
	Actions  []Action // the first is what opening the row does
}

// InboxRow puts a submission into a row.
func InboxRow(s submission.Submission) Row {
	r := Row{ID: s.ID, Name: s.Name, Medium: mediumOfSubmission(s), Symbol: SymbolUpload, Actions: []Action{Cancel}}
	if s.Size > 0 {
		r.Size = media.SizeText(s.Size)
	}
	switch s.State {
	case submission.Waiting:
		r.State = "Waiting for a slot"
	case submission.Checking:
		r.State = "Looking at the file"
	case submission.Sending:
		r.sending(s)
	case submission.Analysing:
		r.analysing(s)
	case submission.Done:
		r.done(s)
	case submission.Refused:
		r.Symbol, r.State, r.Detail = SymbolProblem, "Not sent", s.Problem
		r.Actions = []Action{Retry, Remove}
	case submission.Failed:
		r.Symbol, r.State, r.Detail = SymbolProblem, "Not sent", s.Problem
		switch {
		case s.Link != "" && s.Result != nil && bool(s.Result.SocialLinkFailed):
			r.State = "Could not be fetched by the service"
		case !s.Uploaded.IsZero():
			r.State = "Sent, but not answered"
		}
		r.Actions = []Action{Retry, Remove}
	case submission.Cancelled:
		r.Symbol, r.State = SymbolStopped, "Cancelled"
		if !s.Uploaded.IsZero() {
			r.Detail = "The service already has the " + thing(s) + "."
		}
		r.Actions = []Action{Retry, Remove}
	}
	if s.Delay != "" {
		r.Detail = s.Delay
	}
	return r
}

func (r *Row) sending(s submission.Submission) {
	if s.Link != "" {
		r.State, r.Detail = "Submitting the link", s.Warning
		return
	}
	r.State = "Uploading"
	if s.Sent == 0 || s.Size == 0 {
		r.State, r.Detail = "Asking for an upload address", s.Warning
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
	if n := len(s.Result.Models); n > 0 {
		r.Detail = fmt.Sprintf("%d of %d models done", n-s.Result.Running(), n)
	}
	if verdict.Of(s.Result).Status.Terminal() {
		r.Actions = []Action{Open, Cancel}
	}
}

func (r *Row) done(s submission.Submission) {
	v := verdict.Of(s.Result)
	r.Symbol, r.Mark, r.State = SymbolMark, v.Mark, v.Short
	r.Actions = []Action{Open, Remove}
	var parts []string
	if s.Earlier != "" {
		parts = append(parts, "Same "+thing(s)+" as before: not sent again")
	}
	switch {
	case len(v.Reasons) > 0:
		parts = append(parts, v.Reasons[0].Message)
	case v.Score != nil:
		parts = append(parts, "Ensemble "+v.Score.Text()+" of 100")
	}
	r.Detail = strings.Join(parts, " · ")
}

// thing is the word for what was handed over.
func thing(s submission.Submission) string {
	if s.Link != "" {
		return "link"
	}
	return "file"
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
