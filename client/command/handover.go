package command

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/plain"
	"assay/client/submission"
)

// What a later start asks of the process that holds the folder (instance.Request.Op).
const (
	opOpen    = "open"    // a window starts: openAnswer
	opScan    = "scan"    // `assay scan`, with a scanJob as options: scanEvents
	opWatch   = "watch"   // `assay watch`, with a watchJob as options: watchEvents, until it hangs up
	opKey     = "key"     // a service's key has changed in the keychain, with a keyJob as options: keyAnswer
	opService = "service" // a subcommand that asks the service something: serviceAnswer, of the embedded sandbox alone
)

// taker takes files and links over and knows what has become of them: the session.
type taker interface {
	// Accept is intake.Queue.Accept.
	Accept(ctx context.Context, given []string, o intake.Options) (intake.Accepted, error)
	// Get returns a submission, from the queue, or from the store where it is out of the inbox.
	Get(ctx context.Context, id string) (s submission.Submission, ok bool, err error)
	Watch() changes
	// Standing says how the queue as a whole stands, with a reason wherever it waits.
	Standing() intake.QueueStatus
	// Stopped is intake.Queue.Stopped.
	Stopped(id string) bool
	FromSandbox() bool
}

// changes is *intake.Changes.
type changes interface {
	Ready() <-chan struct{}
	Take() intake.News
	Close()
}

// openAnswer answers a window that starts.
type openAnswer struct {
	Taken   int    `json:"taken"`             // submissions that the open window took
	LeftOut string `json:"leftOut,omitempty"` // a sentence
	Later   int    `json:"later,omitempty"`   // what was given is taken once Assay is set up: so much
	// GivesWay says that no window is open: the process that answers ends its work, which is on disk, and leaves the folder.
	GivesWay bool `json:"givesWay,omitempty"`
}

// serviceAnswer is where the embedded sandbox listens.
type serviceAnswer struct {
	URL string `json:"url"`
	Key string `json:"key"` // the sandbox's own, never a service's
}

// scanJob is what `assay scan` wants. What is given travels beside it (instance.Request.Given).
type scanJob struct {
	Given  []string `json:"-"`
	Follow []string `json:"follow,omitempty"` // instead of Given: submissions that were accepted, whose answers are still to come
	Again  bool     `json:"again,omitempty"`
	// Gate is whether these may leave; nil: as the settings say.
	Gate   *submission.Gate `json:"gate,omitempty"`
	NoWait bool             `json:"noWait,omitempty"` // an item has ended for scan once the service has it
	// Timeout is how long is waited for the answers, from when the job is handed over; 0: for as long as it takes.
	Timeout time.Duration `json:"timeout,omitempty"`
	// TimeoutSaid is the timeout that the person gave, of which Timeout is what is left; 0: the same.
	TimeoutSaid time.Duration `json:"timeoutSaid,omitempty"`
}

// scanEvent is one piece of news for `assay scan`: one of its fields is set.
type scanEvent struct {
	Accepted *acceptedEvent `json:"accepted,omitempty"` // the first, unless the job follows
	Progress *progressEvent `json:"progress,omitempty"`
	Item     *itemEvent     `json:"item,omitempty"`  // in the order of the IDs
	Said     string         `json:"said,omitempty"`  // a sentence: what is waited for
	Alive    bool           `json:"alive,omitempty"` // a sign of life for another process, each remindTick
}

// acceptedEvent says that all is on disk: whoever holds the folder next can follow it.
type acceptedEvent struct {
	IDs     []string `json:"ids"`
	LeftOut string   `json:"leftOut,omitempty"` // a sentence
	Problem string   `json:"problem,omitempty"` // a sentence: why what was given after these was not taken
}

// progressEvent is for the person who waits.
type progressEvent struct {
	Ended    int    `json:"ended"` // of the items that this job or followed one still had to answer
	Of       int    `json:"of"`
	Standing string `json:"standing,omitempty"` // a sentence: why nothing more is sent
}

// itemEvent is an ended item, ready to be printed.
type itemEvent struct {
	JSON     string `json:"json"`     // a line of scan --json
	Line     string `json:"line"`     // of scan
	Answered bool   `json:"answered"` // or sent, where nobody waits
}

// endedFor reports whether scan has nothing to wait for any more: what is held may wait for days.
func endedFor(s submission.Submission, noWait bool) bool {
	return hasEnd(s.State) || noWait && s.State == submission.Analysing && s.RequestID != ""
}

func newItemEvent(s submission.Submission, fromSandbox bool) (*itemEvent, error) {
	e := &itemEvent{Line: line(s), Answered: s.State == submission.Done}
	switch {
	case s.State == submission.Held:
		e.Line = heldLine(s, true)
	case !s.State.Ended():
		e.Line, e.Answered = i18n.F("%s: sent, not answered yet", s.Name), true
	}
	e.Line = plain.Line(e.Line) // the same line wherever the work is done
	var err error
	e.JSON, err = oneLine(answerOf(s, fromSandbox))
	return e, err
}

// leftItem is one that a scan ends without the answer to.
func leftItem(s submission.Submission, why string, fromSandbox bool) (*itemEvent, error) {
	a := answerOf(s, fromSandbox)
	a.Error = leftText(s, why)
	text, err := oneLine(a)
	return &itemEvent{JSON: text, Line: strings.ToValidUTF8(notAnswered(s.Name, a.Error), "\ufffd")}, err
}

// notTaken stands for what was given to a scan that ended before it was taken.
func notTaken(given, why string) (*itemEvent, error) {
	a, name := answer{Path: given, Error: why}, plain.From(filepath.Base(given)).String()
	if strings.Contains(given, "://") {
		a.Path, a.Link, name = "", given, plain.From(given).String()
	}
	text, err := oneLine(a)
	return &itemEvent{JSON: text, Line: notAnswered(name, why)}, err
}

// unknownItem stands for a submission that is in no store any more.
func unknownItem(id string) (*itemEvent, error) {
	problem := i18n.T("It is no longer known: someone removed it.")
	text, err := oneLine(answer{Error: problem})
	return &itemEvent{JSON: text, Line: notAnswered(id, problem)}, err
}

// leftOut says in a sentence which files of folders were not taken, or that there was nothing to take; "" where all was taken.
func leftOut(a intake.Accepted) string {
	switch out := a.LeftOut(); {
	case len(a.IDs) == 0 && a.Folders > 0 && out == "":
		return i18n.T("No file taken: there is none in it.")
	case len(a.IDs) == 0 && a.Folders > 0:
		return i18n.F("No file taken. Left out: %s.", out)
	case out != "":
		return i18n.F("Left out of the folders: %s.", out)
	}
	return ""
}
