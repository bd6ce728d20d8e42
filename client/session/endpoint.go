package session

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/ipc"
	"assay/client/submission"
)

// What a later start asks of the process that holds the folder, whatever that does there.
const (
	OpOpen    ipc.Operation[ipc.Paths, OpenAnswer]    = "open"    // a window starts, with these files, folders and links
	OpKey     ipc.Operation[KeyJob, KeyAnswer]        = "key"     // a service's key has changed in the keychain
	OpService ipc.Operation[struct{}, SandboxAddress] = "service" // a subcommand asks the service something; of the embedded sandbox alone
)

// OpenAnswer answers a window that starts.
type OpenAnswer struct {
	Taken   int    `json:"taken"`             // submissions that the open window took
	LeftOut string `json:"leftOut,omitempty"` // a sentence
	Later   int    `json:"later,omitempty"`   // what was given is taken once Assay is set up: so much
	// GivesWay says that no window is open: the process that answers ends its work, which is on disk, and leaves the folder.
	GivesWay bool `json:"givesWay,omitempty"`
}

// SandboxAddress is where the embedded sandbox listens.
type SandboxAddress struct {
	URL string `json:"url"`
	Key string `json:"key"` // the sandbox's own, never a service's
}

// Sentence says what a window that is open has made of this start.
func (a OpenAnswer) Sentence() string {
	said := i18n.T("the window is open already.")
	switch {
	case a.Later > 0:
		said = i18n.N(a.Later, "the window that is open takes %s once Assay is set up.", "the window that is open takes %s once Assay is set up.")
	case a.Taken > 0:
		said = i18n.N(a.Taken, "the window that is open took %s.", "the window that is open took %s.")
	}
	if a.LeftOut != "" {
		said += " " + a.LeftOut
	}
	return said
}

// KeyJob is what `assay key` tells the window, whose answer is a KeyAnswer. Neither holds a key.
type KeyJob struct {
	Address string `json:"address"`
}

// KeyAnswer says whether the window has read the keychain again.
type KeyAnswer struct {
	Read bool `json:"read"`
}

// noSandbox refuses the one service that the socket would tell.
func noSandbox() *ipc.Refusal {
	return &ipc.Refusal{Sentence: i18n.T("The running Assay has no sandbox of its own.")}
}

// Endpoint answers the later starts that come to the process that holds a folder. It may serve before the session is open: whoever comes
// early waits. What is exported is set before it serves.
type Endpoint struct {
	Window  bool                  // a window is open, or opens
	GiveWay func()                // without a window: makes this process end its work for one that opens a window; returns at once
	Raise   func(intake.Accepted) // brings the window to the front and tells it what was taken; returns at once, on any goroutine. It may be set until Open is called

	ReadKey func(ctx context.Context, address string) bool // reads a service's key again; nil: nobody here keeps keys

	acceptor   Acceptor
	sandbox    SandboxAddress
	operations map[string]ipc.Handle
	open       chan struct{} // closed once these are set
	once       sync.Once
}

// Acceptor takes over what is given, as intake.Queue does.
type Acceptor interface {
	Accept(ctx context.Context, inputs []intake.Input, o intake.Options) (intake.Accepted, error)
}

// NewEndpoint is one whose session is not open yet.
func NewEndpoint() *Endpoint { return &Endpoint{open: make(chan struct{})} }

// Open says that the session is there. operations are what it may be asked beside what every holder is, by their names; sandbox is empty
// where none is embedded.
func (e *Endpoint) Open(a Acceptor, sandbox SandboxAddress, operations map[string]ipc.Handle) {
	e.once.Do(func() {
		e.acceptor, e.sandbox, e.operations = a, sandbox, operations
		close(e.open)
	})
}

// Handle is an ipc.Handle.
func (e *Endpoint) Handle(ctx context.Context, r ipc.Request, answer func(any) error) error {
	switch {
	case r.Op == string(OpOpen) && !e.Window:
		defer e.GiveWay() // which ends this call as well
		return answer(OpenAnswer{GivesWay: true})
	case r.Op == string(OpKey):
		return OpKey.Handle(e.readKey)(ctx, r, answer)
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

// readKey does what `assay key` wants of a window.
func (e *Endpoint) readKey(ctx context.Context, job KeyJob, answer func(KeyAnswer) error) error {
	if job.Address == "" {
		return ipc.OtherVersion()
	}
	return answer(KeyAnswer{Read: e.ReadKey != nil && e.ReadKey(ctx, job.Address)})
}

// openWindow takes over what another start of the window was given, and shows the window.
func (e *Endpoint) openWindow(ctx context.Context, given ipc.Paths, answer func(OpenAnswer) error) error {
	var accepted intake.Accepted
	var accepting error
	if len(given) > 0 {
		accepted, accepting = e.acceptor.Accept(ctx, intake.Inputs(given...), intake.Options{Source: submission.Started})
	}
	e.Raise(accepted)
	return errors.Join(answer(OpenAnswer{Taken: len(accepted.IDs), LeftOut: LeftOut(accepted)}), accepting)
}

// LeftOut says in a sentence which files of folders were not taken, or that there was nothing to take; "" where all was taken.
func LeftOut(a intake.Accepted) string {
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

// How long a start that opens a window waits for subcommands to close what they have open, and how often it looks.
const (
	LeavePause    = 50 * time.Millisecond
	leavePatience = 30 * time.Second
)

// HoldForWindow returns the Holder for a window of dir, or nil where a window is open: it has taken what was given, as the
// answer says. A subcommand that works without a window is asked to leave, and waited for.
func HoldForWindow(ctx context.Context, dir string, given []string, wait ipc.Wait) (h *ipc.Holder, a OpenAnswer, err error) {
	for waited := time.Duration(0); waited < leavePatience; waited += LeavePause {
		a = OpenAnswer{}
		// A window that ended over it may have taken all: what is taken twice shows the same answer and is sent once.
		err = OpOpen.Run(ctx, ipc.Work[ipc.Paths, OpenAnswer]{
			Dir:  dir,
			Job:  func() (ipc.Paths, error) { return given, nil },
			Each: func(there OpenAnswer) error { a = there; return nil },
			Here: func(_ context.Context, here *ipc.Holder) error { h = here; return nil },
			Wait: wait,
		})
		if h != nil || err != nil || !a.GivesWay {
			return h, a, err
		}
		if err := wait(ctx, LeavePause); err != nil {
			return nil, a, err
		}
	}
	return nil, OpenAnswer{}, ipc.ErrSilent
}

// Hold has a subcommand work as the holder of a folder, which it closes, while an endpoint answers later starts. working ends, and
// ipc.ErrGaveWay is returned, where a window wants the folder.
func Hold(ctx context.Context, h *ipc.Holder, log *slog.Logger, work func(working context.Context, e *Endpoint) error) (err error) {
	defer func() { err = errors.Join(err, h.Close()) }()
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	e := NewEndpoint()
	e.GiveWay = func() { stop(ipc.ErrGaveWay) }
	if err := h.Serve(ctx, e.Handle); err != nil {
		log.Warn("later starts can't be served", "error", err)
	}
	if err = work(working, e); err != nil && ctx.Err() == nil && errors.Is(context.Cause(working), ipc.ErrGaveWay) {
		return ipc.ErrGaveWay
	}
	return err
}
