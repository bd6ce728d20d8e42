package gui

import (
	"context"
	"log/slog"
	"time"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/config"
	"assay/client/desk/exchange"
	"assay/client/events"
	"assay/client/keys"
	"assay/client/logs"
	"assay/client/session"
	"assay/client/updates"
	"assay/client/wait"
	"assay/gui/pasteboard"
	"assay/gui/player"
	"assay/gui/settings"
)

// Params are what the window is built from.
type Params struct {
	*session.Session // nil in the first run
	App              fyne.App
	Home             string // the folder of settings and state; "" keeps nothing
	Hidden           bool   // the window is not shown at first, if there is a tray to open it from
	Refused          string // why the records are not opened, a sentence that is shown in place of everything; "": they are
	Config           *config.Config
	Keys             *keys.Ring
	Host             Host
	Events           *events.Hub      // all changes: the session's hub, if there is a session
	Updates          *updates.Checker // asks for newer versions; nil where the system updates Assay
	Entries          Entries          // in the person's desktop
	About            settings.About
	Files            []string     // files, folders and links that are submitted at once
	Notices          []string     // sentences to show once, in the first inbox
	Log              *slog.Logger // nil: nothing is logged
	FrontToken       string       // the desktop's leave for this start to come to the front, "" for none
	// Began is called once, when the window is there, for work that can wait until then; nil: there is none.
	Began func()

	// ReadPasteboard returns what another program has copied; nil means the system's clipboard. It blocks.
	ReadPasteboard func(context.Context) (pasteboard.Content, error)
	// Output is where sound goes; nil means the computer's own.
	Output player.Output
	// OnUI runs a closure on the UI thread, later and without waiting for it; nil means fyne.Do.
	OnUI func(func())
	// Wait waits between two frames; nil means a timer.
	Wait func(context.Context, time.Duration) error
	// Exchange is how the desk that was joined is reached; nil means by the session's service.
	Exchange func(context.Context) (exchange.Params, error)
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// filled returns p with defaults.
func (p Params) filled() Params {
	if p.OnUI == nil {
		p.OnUI = fyne.Do
	}
	if p.Wait == nil {
		p.Wait = wait.For
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Began == nil {
		p.Began = func() {}
	}
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	return p
}

// Host is what the window needs of the process that it runs in: a session.Host, or a test's. Its methods block and are called on workers, except
// Waiting.
type Host interface {
	// Open switches to the service that the settings name, and returns the session that is open afterwards, also with an error: either the earlier
	// one, which may have been opened again, or the new one. The window uses no session meanwhile.
	Open(ctx context.Context) (*session.Session, error)
	// Check asks a service once whether it is there and accepts the key. It keeps neither. An error is a *client.Error, or ctx's.
	Check(ctx context.Context, address, key string, network client.Network) error
	// Waiting is how many files and links were given while there was no session; the next session accepts them.
	Waiting() int
	// Speak sets the language that the settings name.
	Speak(ctx context.Context) error
	// Diagnostics is a report of Assay's state that the person can show others: it holds no key, no name and no link. display is the display system
	// that the window is on.
	Diagnostics(ctx context.Context, display string) string
	// FreeBytes is how many bytes may still be written to the disk of Assay's folder, 0 where that is not known.
	FreeBytes() int64
	// Crash is the report of the last run if it crashed, without anything secret.
	Crash() logs.Report
}

// Entries are Assay's entries in the person's desktop: a session.Entries, or a test's. Its methods write to the disk or the registry.
type Entries interface {
	Autostart(on bool) error
	OpenWith(on bool) error
	SendTo(on bool) error
	Possible() (autostart, openWith, sendTo bool)
	OfferedByPackage() bool // under "Open with"
}
