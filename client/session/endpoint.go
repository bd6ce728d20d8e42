package session

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"

	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/ipc"
	"assay/client/report/bundle"
	"assay/client/submission"
)

// What later starts may ask of every process that holds a folder.
const (
	OpOpen    ipc.Operation[ipc.Paths, OpenAnswer]    = "open"    // a window is started, with these files, folders and links
	OpKey     ipc.Operation[KeyJob, KeyAnswer]        = "key"     // a service's key has changed in the keychain
	OpFront   ipc.Operation[FrontJob, struct{}]       = "front"   // the window is to come to the front, by the desktop's leave
	OpService ipc.Operation[struct{}, SandboxAddress] = "service" // for a subcommand that uses the service; only the embedded sandbox answers
)

// OpenAnswer answers a start of the window.
type OpenAnswer struct {
	Taken   int    `json:"taken"`             // submissions that the open window accepted
	LeftOut string `json:"leftOut,omitempty"` // a sentence
	Later   int    `json:"later,omitempty"`   // how many were given that are accepted once Assay is set up
	// GivesWay says that the process that answers has no window: it ends its work, which is on disk, and releases the folder.
	GivesWay bool `json:"givesWay,omitempty"`

	Followed string `json:"-"` // the version of the window that ended in favour of this one
	Stays    string `json:"-"` // a sentence: why an older window did not
}

// SandboxAddress is where the embedded sandbox listens.
type SandboxAddress struct {
	URL string `json:"url"`
	Key string `json:"key"` // the sandbox's own, never a service's
}

// Sentence says what the open window has done with this start.
func (a OpenAnswer) Sentence() string {
	said := i18n.T("the window is already open.")
	if a.Stays != "" {
		said = a.Stays
	}
	switch {
	case a.Later > 0:
		said = i18n.N(a.Later, "the open window takes %s once Assay is set up.", "the open window takes %s once Assay is set up.")
	case a.Taken > 0:
		said = i18n.N(a.Taken, "the open window took %s.", "the open window took %s.")
	}
	if a.LeftOut != "" {
		said += " " + a.LeftOut
	}
	return said
}

// KeyJob is what `assay key` tells the window, which answers with a KeyAnswer. Neither holds a key.
type KeyJob struct {
	Address string `json:"address"`
}

// KeyAnswer reports whether the window has read the keychain again.
type KeyAnswer struct {
	Read bool `json:"read"`
}

// noSandbox refuses OpService where no sandbox is embedded.
func noSandbox() *ipc.Refusal {
	return &ipc.Refusal{Sentence: i18n.T("The running Assay has no sandbox.")}
}

// Endpoint answers the later starts that come to the process that holds a folder. It may serve before the session is open: calls then wait. Exported
// fields are set before it serves.
type Endpoint struct {
	Window  bool           // a window is open, or about to be
	GiveWay func()         // without a window: ends the work of this process in favour of a window; returns at once
	Leave   func(LeaveJob) // ends this process, which may take a while; returns at once. nil: it can't be asked to
	// Unsaved says in a sentence what the person would lose if this process ended now; "": nothing. nil: nothing ever.
	Unsaved func(context.Context) string
	Raise   func(Handed) // brings the window to the front and shows what was accepted; returns at once, on any goroutine. It may be set until Open is called

	Front   func(token string)                             // lets the window come to the front; returns at once, on any goroutine. nil: there is none
	ReadKey func(ctx context.Context, address string) bool // reads a service's key from the keychain again; nil: this process keeps no keys

	acceptor   Acceptor
	sandbox    SandboxAddress
	operations map[string]ipc.Handle
	open       chan struct{} // closed once these are set
	once       sync.Once
	leaving    atomic.Bool // nothing new is taken: what is asked for is done by who holds the folder next
}

// Acceptor accepts submissions; *intake.Queue does.
type Acceptor interface {
	Accept(ctx context.Context, inputs []intake.Input, o intake.Options) (intake.Accepted, error)
}

// NewEndpoint makes an Endpoint whose session is not open yet.
func NewEndpoint() *Endpoint { return &Endpoint{open: make(chan struct{})} }

// Open sets the session. operations are further operations that it offers, by name; sandbox is empty where none is embedded.
func (e *Endpoint) Open(a Acceptor, sandbox SandboxAddress, operations map[string]ipc.Handle) {
	e.once.Do(func() {
		e.acceptor, e.sandbox, e.operations = a, sandbox, operations
		close(e.open)
	})
}

// Handle is an ipc.Handle.
func (e *Endpoint) Handle(ctx context.Context, r ipc.Request, answer func(any) error) error {
	switch {
	case r.Op == string(OpLeave):
		return OpLeave.Handle(e.leave)(ctx, r, answer)
	case e.leaving.Load() && r.Op == string(OpOpen):
		return answer(OpenAnswer{GivesWay: true})
	case e.leaving.Load():
		<-ctx.Done() // which breaks the call off: the caller asks again, whoever holds the folder then
		return ctx.Err()
	case r.Op == string(OpOpen) && !e.Window:
		defer e.GiveWay() // it also ends this call
		return answer(OpenAnswer{GivesWay: true})
	case r.Op == string(OpKey):
		return OpKey.Handle(e.readKey)(ctx, r, answer)
	case r.Op == string(OpFront) && e.Front != nil:
		return front(e.Front)(ctx, r, answer)
	}
	select {
	case <-e.open:
	case <-ctx.Done():
		return ctx.Err()
	}
	switch r.Op {
	case string(OpOpen):
		return OpOpen.Handle(e.openWindow)(ctx, r, answer)
	case string(OpService):
		if e.sandbox.URL == "" {
			return noSandbox()
		}
		return answer(e.sandbox)
	}
	if handle, known := e.operations[r.Op]; known {
		return handle(ctx, r, answer)
	}
	return ipc.OtherVersion()
}

// readKey answers OpKey.
func (e *Endpoint) readKey(ctx context.Context, job KeyJob, answer func(KeyAnswer) error) error {
	if job.Address == "" {
		return ipc.OtherVersion()
	}
	return answer(KeyAnswer{Read: e.ReadKey != nil && e.ReadKey(ctx, job.Address)})
}

// openWindow answers OpOpen where a window is open: it accepts what was given, and shows the window.
func (e *Endpoint) openWindow(ctx context.Context, given ipc.Paths, answer func(OpenAnswer) error) error {
	handed, err := accept(ctx, e.acceptor, given)
	e.Raise(handed)
	return errors.Join(answer(OpenAnswer{Taken: len(handed.Accepted.IDs), LeftOut: LeftOut(handed.Accepted)}), err)
}

// Handed is what a later start of the window handed over.
type Handed struct {
	Accepted intake.Accepted
	Bundles  []string // evidence bundles, which are verified and never submitted, by their paths
}

// accept accepts what a start of the window was given, but for bundles.
func accept(ctx context.Context, acceptor Acceptor, given []string) (handed Handed, err error) {
	given, handed.Bundles = bundle.Split(given)
	if len(given) > 0 {
		handed.Accepted, err = acceptor.Accept(ctx, intake.Inputs(given...), intake.Options{Source: submission.Started, Colleagues: submission.AskFirst})
	}
	return handed, err
}

// LeftOut says in a sentence which files of folders were not accepted, or that there was nothing to accept; "" where all were.
func LeftOut(a intake.Accepted) string {
	switch out := a.LeftOut(); {
	case len(a.IDs) == 0 && a.Folders > 0 && out == "":
		return i18n.T("No file added: there is none in it.")
	case len(a.IDs) == 0 && a.Folders > 0:
		return i18n.F("No file added. Left out: %s.", out)
	case out != "":
		return i18n.F("Left out of the folders: %s.", out)
	}
	return ""
}

// Hold runs work for a subcommand that holds a folder, while an endpoint answers later starts, and closes h. When a window wants the folder, the
// context working ends, and the error is ipc.ErrGaveWay; when Assay is asked to end, it is an *ipc.Refusal that says so.
func Hold(ctx context.Context, h *ipc.Holder, log *slog.Logger, work func(working context.Context, e *Endpoint) error) (err error) {
	defer func() { err = errors.Join(err, h.Close()) }()
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	e := NewEndpoint()
	e.GiveWay = func() { stop(ipc.ErrGaveWay) }
	e.Leave = func(LeaveJob) { stop(errAskedToEnd) }
	if err := h.Serve(ctx, e.Handle); err != nil {
		log.Warn("later starts can't be served", "error", err)
	}
	err = work(working, e)
	switch cause := context.Cause(working); {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.Is(cause, ipc.ErrGaveWay):
		return ipc.ErrGaveWay
	case errors.Is(cause, errAskedToEnd):
		return askedToEnd()
	}
	return err
}
