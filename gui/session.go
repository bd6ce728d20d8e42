package gui

import (
	"context"
	"time"

	"assay/client"
	"assay/client/feedback"
	"assay/client/folders"
	"assay/client/intake"
	"assay/client/pull"
	"assay/client/store"
	"assay/client/submission"
)

// Session is what the window shows of one service. The zero Session is the first run: there is none yet.
type Session struct {
	Queue  *intake.Queue
	Store  *store.Store
	Client *client.Client // for artifacts
	Pull   Pull           // the service's own list
	// Feedback keeps the desk's judgements, and sends them; Judged receives after some of them have come to stand differently.
	Feedback *feedback.Sender
	Judged   <-chan struct{}
	// Folders are the watched folders; Batches receives what came of files from them.
	Folders *folders.Folders
	Batches <-chan folders.Batch
	// Heard receives after the result of a clip's sound has been kept, Kept after anything that stands behind a result has.
	Heard, Kept <-chan struct{}
	// Keep puts what stands behind a result into the vault, where it is not yet. It returns at once.
	Keep    func(submission.Submission)
	Sandbox bool   // results come from the sandbox, which the screens say
	Address string // of the service, as client.Client.Address gives it
	Folder  string // of its records; "" where they are nowhere
	// Lending is a folder of its own for copies that other programs open; "" for one among the system's temporary files. What an
	// earlier run left in it is removed.
	Lending string
	// Pasted is the folder that pasted pictures are written to; "" where none can be taken.
	Pasted string
	Notice string // said in the inbox at first; "" for nothing
	// Began is called once the session is on screen, for what can wait until then. It returns soon.
	Began func()
	// Opened receives what later starts have handed over, to be said and to be brought to the front; nil: there is none.
	Opened <-chan intake.Accepted
	// Troubles receives sentences to be said, "" where there is nothing to say any more; nil: there is none.
	Troubles <-chan string
}

// None reports that there is no service yet: the first run.
func (s Session) None() bool { return s.Queue == nil }

// Pull brings the service's own list here.
type Pull interface {
	Start()
	Stop()
	State() pull.State
	Fetched(ctx context.Context) time.Time // when the whole list was fetched last; zero: never. It reads the disk
	Changed() <-chan struct{}              // receives when any of this may have changed
}
