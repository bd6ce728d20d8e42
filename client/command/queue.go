package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"assay/client/events"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/ipc"
	"assay/client/plain"
	"assay/client/session"
	"assay/client/submission"
)

// What a later start asks of an open session (ipc.Request.Op), beside what package session answers.
const (
	opScan     = "scan"     // `assay scan`, with a scanJob as options: scanEvents
	opWatch    = "watch"    // `assay watch`, with a watchJob as options: watchEvents, until it hangs up
	opFeedback = "feedback" // `assay feedback`, with a feedbackJob as options: feedbackAnswer
)

// queue takes files and links over and knows what has become of them: the session's, or a test's.
type queue interface {
	session.Acceptor
	// Get returns a submission, from the queue, or from the store where it is out of the inbox.
	Get(ctx context.Context, id string) (s submission.Submission, ok bool, err error)
	// Hub publishes what changes of submissions and of the queue.
	Hub() *events.Hub
	// QueueStatus says how the queue as a whole stands, with a reason wherever it waits.
	QueueStatus() intake.QueueStatus
	// Stopped is intake.Queue.Stopped.
	Stopped(id string) bool
	FromSandbox() bool
}

// sessionQueue is the queue of a session, with the records behind it.
type sessionQueue struct {
	*intake.Queue
	session *session.Session
}

// Get implements queue.
func (q sessionQueue) Get(ctx context.Context, id string) (submission.Submission, bool, error) {
	if sub, ok := q.Queue.Get(id); ok {
		return sub, true, nil
	}
	return q.session.Store.Get(ctx, id)
}

// Hub implements queue.
func (q sessionQueue) Hub() *events.Hub { return q.Events }

// QueueStatus implements queue.
func (q sessionQueue) QueueStatus() intake.QueueStatus {
	standing := q.Queue.QueueStatus()
	if standing.Cause == intake.PausedAll {
		standing.Reason = i18n.M("Everything is paused: resume it in Assay's window.")
		standing.Why = standing.Reason
	}
	return standing
}

// FromSandbox implements queue.
func (q sessionQueue) FromSandbox() bool { return q.session.Sandbox }

// operations are what later starts may ask of an open session.
type operations struct {
	queue  queue
	window bool                                 // a window is open
	after  func(time.Duration) <-chan time.Time // lets time pass

	watching sync.Mutex     // guards folders
	folders  watchedFolders // nil until the first are wanted
}

func newOperations(q queue, window bool) *operations {
	return &operations{queue: q, window: window, after: time.After}
}

// handlers are for session.Endpoint.Open.
func (o *operations) handlers() map[string]ipc.Handle {
	return map[string]ipc.Handle{
		opFeedback: o.feedback,
		opScan: func(ctx context.Context, r ipc.Request, answer func(any) error) error {
			var job scanJob
			if err := json.Unmarshal(r.Options, &job); err != nil {
				return ipc.OtherVersion()
			}
			job.Given = r.Given
			return o.scan(ctx, job, func(e scanEvent) error { return answer(e) })
		},
		opWatch: func(ctx context.Context, r ipc.Request, answer func(any) error) error {
			var job watchJob
			if err := json.Unmarshal(r.Options, &job); err != nil {
				return ipc.OtherVersion()
			}
			job.Given = r.Given
			return o.watch(ctx, job, func(e watchEvent) error { return answer(e) })
		},
	}
}

// scan does a job of another process's.
func (o *operations) scan(ctx context.Context, job scanJob, emit func(scanEvent) error) error {
	var over <-chan time.Time
	if job.Timeout > 0 {
		over = o.after(job.Timeout) // before a large folder is walked: the caller does not wait much longer than that
	}
	ids := job.Follow
	if len(ids) == 0 {
		var err error
		if ids, err = accept(ctx, o.queue, job, emit); err != nil {
			return err
		}
	}
	err := follow(ctx, o.queue, followed{
		ids: ids, noWait: job.NoWait, alone: !o.window, over: over, timeout: cmp.Or(job.TimeoutSaid, job.Timeout), alive: true, after: o.after,
	}, emit)
	if errors.Is(err, errOutOfTime) {
		return nil // the caller has all its lines
	}
	return err
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
