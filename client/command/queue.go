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
	"assay/client/plain"
	"assay/client/session"
	"assay/client/store"
	"assay/client/submission"
)

// What a later start may ask of an open session, besides the operations of package session.
const (
	opScan     ipc.Operation[scanJob, scanEvent]              = "scan"
	opWatch    ipc.Operation[watchJob, watchEvent]            = "watch" // until the caller hangs up
	opFeedback ipc.Operation[feedbackJob, feedbackAnswer]     = "feedback"
	opExport   ipc.Operation[exportJob, exported]             = "export"
	opVerify   ipc.Operation[struct{}, session.LogCheck]      = "verify"
	opRecheck  ipc.Operation[recheckJob, session.RecheckPlan] = "recheck" // only says what it would do: opScan does it
	opCase     ipc.Operation[caseJob, caseAnswer]             = "case"
	opDesk     ipc.Operation[deskJob, deskAnswer]             = "desk"
)

// queue is what scan and watch need of a session; tests have their own.
type queue interface {
	session.Acceptor
	// Get returns a submission, from the queue or else from the store.
	Get(ctx context.Context, id string) (s submission.Submission, ok bool, err error)
	// Hub publishes the changes of submissions and of the queue.
	Hub() *events.Hub
	// QueueStatus is the status of the queue as a whole, with a reason whenever it waits.
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

// operations are what later starts may ask of the open session.
type operations struct {
	queue  queue
	window bool                                 // a window is open
	after  func(time.Duration) <-chan time.Time // time.After, except in tests

	watching sync.Mutex     // guards folders
	folders  watchedFolders // nil until folders are first watched
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
		string(opExport):   opExport.Handle(o.export),
		string(opVerify):   opVerify.Handle(o.verify),
		string(opRecheck):  opRecheck.Handle(o.planRecheck),
		string(opCase):     opCase.Handle(o.cases),
		string(opDesk):     opDesk.Handle(o.desk),
	}
}

// local is what a subcommand needs to do its work itself, as the process that holds the folder.
type local struct {
	// open opens the session. closing waits until all is on disk, and until its ctx ends also for what the next run would have to fetch again.
	open    func(ctx context.Context) (q queue, closing func(ctx context.Context), err error)
	sandbox func() session.SandboxAddress // of the embedded sandbox, once the session is open
	log     *slog.Logger
}

// newLocal makes a local for a service; opened is called with the session.
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

// work opens the session, and runs do while it serves later starts. When a window wants the folder, the context working ends, and the error is
// ipc.ErrGaveWay; ctx does not end then.
func (l local) work(ctx context.Context, h *ipc.Holder, do func(working context.Context, o *operations) error) error {
	return session.Hold(ctx, h, l.log, func(working context.Context, e *session.Endpoint) error {
		q, closing, err := l.open(ctx)
		if err != nil {
			return err
		}
		settling, enough := context.WithCancel(working)
		defer enough()
		defer func() { closing(settling) }()
		defer h.StopServing() // before the session closes, since calls use it; the folder is released after that
		o := newOperations(q, false)
		e.Open(q, l.sandbox(), o.handlers())
		if err = do(working, o); err != nil {
			enough() // nobody waits any longer
		}
		return err
	})
}

// settleFor is how long a subcommand waits at its end for the artifacts of the answers, as long as some arrive.
const settleFor = time.Minute

// settle waits for those artifacts, and says so if it takes a while.
func settle(ctx context.Context, s *session.Session, said io.Writer) {
	ctx, cancel := context.WithTimeout(ctx, settleFor)
	defer cancel()
	defer time.AfterFunc(remindTick, func() {
		say(said, i18n.T("Saving the pictures and details of the answers."))
	}).Stop()
	s.Settle(ctx)
}

// saySetAside says under which name damaged records were set aside, if name is not "".
func saySetAside(said io.Writer, name string) {
	if name != "" {
		say(said, i18n.F("damaged records were set aside as %s", name))
	}
}

// withRecords opens the records as the process that holds the folder, for do. Who comes waits until this process ends, which is soon.
func withRecords(ctx context.Context, s *session.Service, h *ipc.Holder, said io.Writer, do func(ctx context.Context, records *store.Store) error) error {
	return session.Hold(ctx, h, s.Log, func(working context.Context, _ *session.Endpoint) error {
		records, err := store.OpenForReading(working, s.Folder, store.Options{Log: s.Log, Sandbox: s.Sandbox})
		if err != nil {
			return err
		}
		defer func() {
			if err := records.Close(); err != nil {
				s.Log.Error("close the records", "error", err)
			}
		}()
		saySetAside(said, records.SetAside())
		sayNewer(said, records.ReadOnly())
		return do(working, records)
	})
}

// sayNewer says that records were made by a newer Assay and are only read.
func sayNewer(said io.Writer, newer *store.Newer) {
	if newer != nil {
		say(said, i18n.F("These records were made by Assay %s, which is newer than this one. This Assay reads them and changes nothing.", plain.From(newer.Version).String()))
	}
}
