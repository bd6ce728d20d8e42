package command

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"assay/client"
	"assay/client/custody"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/session"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/verdict"
)

// answer is one line of scan --json and list --json. Absent numbers are null.
type answer struct {
	Path     string     `json:"path,omitempty"`
	Link     string     `json:"link,omitempty"`    // instead of path
	Name     plain.Text `json:"name,omitzero"`     // list: the service's name of it
	Uploaded plain.Text `json:"uploaded,omitzero"` // list: as sent
	SHA256   string     `json:"sha256,omitempty"`
	// Of the copy that was sent in place of the file.
	SentSHA256 string   `json:"sentSha256,omitempty"`
	SentName   string   `json:"sentName,omitempty"`
	CopyOf     string   `json:"copyOf,omitempty"`   // the file's SHA-256, where the copy is in another format or a part
	Copy       string   `json:"copy,omitempty"`     // which copy was analysed, in words
	SentFrom   *float64 `json:"sentFrom,omitempty"` // seconds: where the part begins that was sent of a clip
	SentTo     *float64 `json:"sentTo,omitempty"`
	RequestID  string   `json:"requestId,omitempty"`
	Status     string   `json:"status,omitempty"` // as sent
	Verdict    string   `json:"verdict,omitempty"`
	// Contradiction says how the answer contradicts itself; the verdict then says only that it does.
	Contradiction string     `json:"contradiction,omitempty"`
	Score         *float64   `json:"score"` // the ensemble's, 0..100
	Models        []model    `json:"models,omitempty"`
	Checked       []checked  `json:"checked,omitempty"` // by colleagues at the desk, the latest first
	Before        *before    `json:"before,omitempty"`  // recheck: the answer before on the same content
	Changed       *bool      `json:"changed,omitempty"` // recheck: whether the verdict is another one than before
	WhatChanged   string     `json:"whatChanged,omitempty"`
	Error         string     `json:"error,omitempty"`
	Earlier       bool       `json:"earlier,omitempty"` // this is the answer of an earlier submission of the same content
	Release       plain.Text `json:"releaseVersion,omitzero"`
	Note          string     `json:"note,omitempty"`
	// State is "held" for a file that waits for the person's approval, and "stays" for one that stays on this computer.
	State submission.State `json:"state,omitempty"`
}

type model struct {
	Name   plain.Text `json:"name"`
	Status string     `json:"status"`
	Score  *float64   `json:"score"` // normalised, 0..100
	// Contradiction says that the model's decision is the opposite of its status.
	Contradiction string `json:"contradiction,omitempty"`
}

// checked is that a colleague has checked the same content.
type checked struct {
	By      plain.Text `json:"by"`
	At      time.Time  `json:"at"`
	Status  string     `json:"status"` // as sent
	Release plain.Text `json:"release"`
	Case    string     `json:"case"` // the ID of the case that it was shared in
}

// colleagues knows what colleagues have checked; it is a session's.
type colleagues interface {
	checked(ctx context.Context, s submission.Submission) ([]checked, error)
}

func (q sessionQueue) checked(ctx context.Context, s submission.Submission) ([]checked, error) {
	return checkedOf(ctx, q.session.Store, s)
}

// checkedOf are the colleagues who have checked a submission's content.
func checkedOf(ctx context.Context, records *store.Store, s submission.Submission) (all []checked, err error) {
	theirs, err := records.CheckedByColleagues(ctx, s.SHA256)
	for _, c := range theirs {
		all = append(all, checked{By: plain.From(c.By), At: c.At.UTC(), Status: string(c.Status), Release: plain.From(c.Release), Case: c.Case})
	}
	return all, err
}

// checkedResult are the colleagues who have checked the content of a result, by its ID.
func checkedResult(ctx context.Context, records *store.Store, requestID string) ([]checked, error) {
	known, err := records.ByRequest(ctx, []string{requestID})
	if err != nil {
		return nil, err
	}
	sub, found, err := records.Get(ctx, known[requestID])
	if err != nil || !found {
		return nil, err
	}
	return checkedOf(ctx, records, sub)
}

// answerOf makes an answer of an ended submission.
func answerOf(s submission.Submission, fromSandbox bool) answer {
	a := answer{Path: s.Path, Link: s.Link, SHA256: s.SHA256, RequestID: s.RequestID, Earlier: s.Earlier != "", Error: problem(s)}
	if s.Copy.SHA256 != "" {
		a.SentSHA256, a.SentName, a.Copy = s.Copy.SHA256, s.SendName, custody.CopyWords(s)
		if s.Copy.Format != "" {
			a.CopyOf = s.SHA256
		}
		if part := s.Copy.Part; part != (submission.Part{}) {
			from, to := part.From.Seconds(), part.To.Seconds()
			a.SentFrom, a.SentTo = &from, &to
		}
	}
	switch s.State {
	case submission.Held, submission.Stays:
		a.State = s.State
	case submission.Done:
		a.fill(s.Result, fromSandbox)
	}
	return a
}

// fill sets what a result says.
func (a *answer) fill(r *client.Result, fromSandbox bool) {
	v := verdict.Of(r)
	a.Status, a.Verdict, a.Contradiction, a.Release = string(v.Status), v.Headline, v.Contradiction, r.ReleaseVersion
	if v.Score != nil {
		a.Score = &v.Score.Value
	}
	for _, m := range r.Models {
		row := model{Name: m.Name, Status: string(m.Status), Contradiction: verdict.ModelContradiction(m)}
		if n := verdict.ModelScore(m); n != nil {
			row.Score = &n.Value
		}
		a.Models = append(a.Models, row)
	}
	if len(v.Reasons) > 0 {
		a.Error = v.Reasons[0].Said()
	}
	if fromSandbox {
		a.Note = i18n.T(verdict.SandboxNote)
	}
}

func problem(s submission.Submission) string {
	switch {
	case s.State == submission.Cancelled && s.Problem.IsZero():
		return i18n.T("Cancelled.")
	case s.State == submission.Stays && s.Gate == submission.GateNever && !s.Problem.IsZero():
		return s.Problem.String()
	case s.State == submission.Stays && s.Gate == submission.GateNever && s.Folder != "":
		return i18n.T("It stays on this computer: nothing in its folder is sent.")
	case s.State == submission.Stays:
		return i18n.T("It stays on this computer, as you have decided.")
	}
	return s.Problem.String()
}

// line is an ended submission as one line of text.
func line(s submission.Submission) string {
	if s.State != submission.Done {
		return notAnswered(s.Name, problem(s))
	}
	if s.Earlier != "" {
		return i18n.F("%s: %s [same file as before]", s.Name, verdict.Of(s.Result).Line())
	}
	said := verdict.Of(s.Result).Line()
	if copied := custody.CopyWords(s); copied != "" {
		said += " " + copied
	}
	return i18n.F("%s: %s", s.Name, said)
}

// notAnswered is the line of a submission without an answer.
func notAnswered(name, problem string) string { return i18n.F("%s: not answered. %s", name, problem) }

// printAnswers prints a line for each submission as it ends, until the returned function is called.
func printAnswers(s *session.Session, w io.Writer) (stop func()) {
	changes := s.Queue.Events.Subscribe(events.Submission)
	stopped := make(chan struct{})
	printed := map[string]bool{}
	printEnded := func() {
		for _, id := range changes.Take().IDs(events.Submission) {
			item, ok := s.Queue.Get(id)
			if ok && item.State.Ended() && !printed[id] {
				printed[id] = true
				_ = printLine(w, line(item)) // if it can't be printed, nobody reads it
			}
		}
	}
	var printer sync.WaitGroup
	printer.Go(func() {
		for {
			select {
			case <-changes.Ready():
				printEnded()
			case <-stopped:
				return
			}
		}
	})
	return func() {
		changes.Close()
		close(stopped)
		printer.Wait()
	}
}

// endedFor reports whether scan need not wait for a submission any more: one that is held may be so for days.
func endedFor(s submission.Submission, noWait bool) bool {
	return hasEnd(s.State) || noWait && s.State == submission.Analysing && s.RequestID != ""
}

func newItemEvent(s submission.Submission, by []checked, fromSandbox bool) (*itemEvent, error) {
	e := &itemEvent{Line: line(s), Answered: s.State == submission.Done}
	switch {
	case s.State == submission.Held:
		e.Line = heldLine(s, true)
	case !s.State.Ended():
		e.Line, e.Answered = i18n.F("%s: sent, not answered yet", s.Name), true
	}
	if len(by) > 0 {
		e.Line = i18n.F("%s [checked by %s: %s]", e.Line, by[0].By.Folded(), verdict.Say(client.Status(by[0].Status)).Short)
	}
	e.Line = plain.Line(e.Line) // so that the line is the same, whichever process does the work
	var err error
	a := answerOf(s, fromSandbox)
	a.Checked = by
	e.JSON, err = oneLine(a)
	return e, err
}

// leftItem is the line of a submission that a scan does not wait for any longer.
func leftItem(s submission.Submission, why string, fromSandbox bool) (*itemEvent, error) {
	a := answerOf(s, fromSandbox)
	a.Error = leftText(s, why)
	text, err := oneLine(a)
	return &itemEvent{JSON: text, Line: strings.ToValidUTF8(notAnswered(s.Name, a.Error), "\ufffd")}, err
}

// notTaken is the line of an input of a scan that ended before it was accepted.
func notTaken(given, why string) (*itemEvent, error) {
	a, name := answer{Path: given, Error: why}, plain.From(filepath.Base(given)).String()
	if strings.Contains(given, "://") {
		a.Path, a.Link, name = "", given, plain.From(given).String()
	}
	text, err := oneLine(a)
	return &itemEvent{JSON: text, Line: notAnswered(name, why)}, err
}

// unknownItem is the line of a submission that is not in the store any more.
func unknownItem(id string) (*itemEvent, error) {
	problem := i18n.T("It is gone: someone removed it.")
	text, err := oneLine(answer{Error: problem})
	return &itemEvent{JSON: text, Line: notAnswered(id, problem)}, err
}
