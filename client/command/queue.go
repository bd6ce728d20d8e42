package command

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"assay/client/events"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/ipc"
	"assay/client/session"
	"assay/client/submission"
)

// What a later start asks of an open session, beside what package session answers.
const (
	opScan     ipc.Operation[scanJob, scanEvent]          = "scan"
	opWatch    ipc.Operation[watchJob, watchEvent]        = "watch" // until it hangs up
	opFeedback ipc.Operation[feedbackJob, feedbackAnswer] = "feedback"
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
	status := q.Queue.QueueStatus()
	if status.Cause == intake.PausedAll {
		status.Reason = i18n.M("Everything is paused: resume it in Assay's window.")
		status.Why = status.Reason
	}
	return status
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
		string(opScan):     opScan.Handle(o.scan),
		string(opWatch):    opWatch.Handle(o.watch),
		string(opFeedback): opFeedback.Handle(o.feedback),
	}
}

// local is what a subcommand needs to work by itself, as the process that holds the folder.
type local struct {
	// open opens the session. Its closing waits until all is on disk, and beside that for what would else be fetched again by the next
	// run, until its ctx ends.
	open    func(ctx context.Context) (q queue, closing func(ctx context.Context), err error)
	sandbox func() session.SandboxAddress // of the embedded sandbox, once the session is open
	log     *slog.Logger
}

// newLocal is local for a service: opened is called with the session.
func newLocal(s *session.Service, said io.Writer, opened func(*session.Session)) local {
	return local{sandbox: s.SandboxAddress, log: s.Log, open: func(ctx context.Context) (queue, func(context.Context), error) {
		open, err := session.Open(ctx, s)
		if err != nil {
			return nil, nil, err
		}
		saySetAside(said, open.SetAside())
		opened(open)
		return sessionQueue{open.Queue, open}, func(ctx context.Context) {
			settle(ctx, open, said)
			open.Close()
		}, nil
	}}
}

// work opens the session, has do work with it and serves later starts meanwhile. working ends, and ipc.ErrGaveWay is returned, where a
// window wants the folder; ctx goes on then.
func (l local) work(ctx context.Context, h *ipc.Holder, do func(working context.Context, o *operations) error) error {
	return session.Hold(ctx, h, l.log, func(working context.Context, e *session.Endpoint) error {
		q, closing, err := l.open(ctx)
		if err != nil {
			return err
		}
		settling, enough := context.WithCancel(working)
		defer enough()
		defer func() { closing(settling) }()
		defer h.StopServing() // before the session closes, which its calls work with; the folder is given free after that
		o := newOperations(q, false)
		e.Open(q, l.sandbox(), o.handlers())
		if err = do(working, o); err != nil {
			enough() // nobody waits for more
		}
		return err
	})
}

// settleFor is how long a subcommand waits at its end for the copies of what stands behind the answers, where those come in.
const settleFor = time.Minute

// settle waits for these copies, and says so where it takes a while.
func settle(ctx context.Context, s *session.Session, said io.Writer) {
	ctx, cancel := context.WithTimeout(ctx, settleFor)
	defer cancel()
	defer time.AfterFunc(remindTick, func() {
		say(said, i18n.T("The pictures and details behind the answers are being kept."))
	}).Stop()
	s.Settle(ctx)
}

// saySetAside says under which name damaged records were set aside; "" for none.
func saySetAside(said io.Writer, name string) {
	if name != "" {
		say(said, i18n.F("damaged records were set aside as %s", name))
	}
}
