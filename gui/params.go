package gui

import (
	"context"
	"log/slog"
	"time"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/config"
	"assay/client/events"
	"assay/client/keys"
	"assay/client/logs"
	"assay/client/session"
	"assay/client/wait"
	"assay/gui/pasteboard"
	"assay/gui/player"
	"assay/gui/settings"
)

// Params are what the window is built from.
type Params struct {
	*session.Session // what is shown; nil in the first run
	App              fyne.App
	Home             string // the folder of settings and of what is remembered; "" keeps nothing
	Hidden           bool   // the window stays closed at first, where there is a tray to open it from
	Config           *config.Config
	Keys             *keys.Ring
	Host             Host
	Events           *events.Hub // what changes of settings and keys, and of what is shown: the session's, where there is one
	Entries          Entries     // in the person's desktop
	About            settings.About
	Files            []string     // files, folders and links that are submitted at once
	Notices          []string     // sentences said once, in the first inbox
	Log              *slog.Logger // nil: nothing is logged
	// Began is called once, when the window is there, for what can wait until then; nil: there is nothing.
	Began func()

	// ReadPasteboard gives what another program has copied; nil means the system's own clipboard. It blocks.
	ReadPasteboard func(context.Context) (pasteboard.Content, error)
	// Output is where sound goes; nil means the computer's own.
	Output player.Output
	// OnUI runs a closure on the UI thread, later and without waiting for it; nil means fyne.Do.
	OnUI func(func())
	// Wait lets time pass between two frames; nil means a timer.
	Wait func(context.Context, time.Duration) error
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// filled is p with the defaults in place of what it leaves out.
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

// Host is what the window asks of the process that it runs in: a session.Host, or a test's. Its methods block and are called on workers,
// but for Waiting.
type Host interface {
	// Open goes over to the service that the settings name by now, and returns what there is afterwards, also beside an error: the
	// session that was there goes on where it still does, else it was opened again. The window works with none meanwhile.
	Open(ctx context.Context) (*session.Session, error)
	// Check asks a service once whether it is there and takes the key. It keeps neither. An error is a *client.Error, or ctx's.
	Check(ctx context.Context, address, key string, network client.Network) error
	// Waiting is how many files and links were handed over while there was no session; the next one takes them.
	Waiting() int
	// Speak has everything said from now on in the language that the settings name by now.
	Speak(ctx context.Context) error
	// Diagnostics is what a person can show others of the state that Assay is in: no key, no name, no link.
	Diagnostics(ctx context.Context) string
	// FreeBytes is how much may still be written to the disk that Assay keeps everything on, 0 where that can't be told.
	FreeBytes() int64
	// Crash is what is known of the run that ended badly, without anything secret.
	Crash() logs.Report
}

// Entries are Assay's entries in the person's desktop: a session.Entries, or a test's. Its methods write to the disk or the registry.
type Entries interface {
	Autostart(on bool) error
	OpenWith(on bool) error
	SendTo(on bool) error
	Possible() (autostart, openWith, sendTo bool)
}
