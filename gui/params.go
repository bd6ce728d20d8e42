package gui

import (
	"context"
	"log/slog"
	"time"

	"fyne.io/fyne/v2"

	"assay/client/config"
	"assay/client/keys"
	"assay/client/wait"
	"assay/gui/pasteboard"
	"assay/gui/player"
	"assay/gui/present"
)

// Params are what the window is built from.
type Params struct {
	Session // what is shown at first; the zero one in the first run
	App     fyne.App
	Home    string // the folder of settings and of what is remembered; "" keeps nothing
	Hidden  bool   // the window stays closed at first, where there is a tray to open it from
	Config  *config.Config
	Keys    *keys.Ring
	Desk    Desk
	Entries Entries // in the person's desktop
	About   present.About
	Files   []string     // files, folders and links that are submitted at once
	Notices []string     // sentences said once, in the first inbox
	Log     *slog.Logger // nil: nothing is logged

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
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	return p
}
