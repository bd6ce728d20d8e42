// Assay has pictures, clips, recordings and texts checked by a media deepfake-detection service and shows what it said.
package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"fyne.io/fyne/v2/app"

	"assay/client/command"
	"assay/client/desktop"
	"assay/client/session"
	"assay/gui"
	"assay/gui/present"
)

func main() {
	ctx, stop := command.EndBySignal(context.Background(), func() { os.Exit(command.ExitFailed) })
	code := command.Main(ctx, os.Args[1:], openWindow)
	stop()
	os.Exit(code)
}

// startGCPercent lets the heap grow while the window opens, rather than look for what can go while nothing can.
const startGCPercent = 800

// atRest is how long after the window has begun its work nothing of the start is left to do.
const atRest = 4 * time.Second

func openWindow(ctx context.Context, h *session.Host, files []string) error {
	if sentence := gui.NoDisplay(); sentence != "" {
		return &session.Misuse{Sentence: sentence}
	}
	// The toolkit's cache lies in a folder that a fresh account does not have yet; without it the toolkit complains.
	if dir, err := os.UserCacheDir(); err == nil {
		_ = os.MkdirAll(dir, 0o700) // the toolkit says what it means if this fails
	}
	_ = os.Unsetenv("ASSAY_API_KEY") // the host has it; the programs that open files have no use for it
	usual := debug.SetGCPercent(startGCPercent)
	d := desk{Host: h, begun: sync.OnceFunc(func() {
		debug.SetGCPercent(usual)
		time.AfterFunc(atRest, debug.FreeOSMemory) // what the start alone needed; an idle window collects nothing for minutes
	})}
	return gui.Run(ctx, gui.Params{
		Session: d.shown(h.Session()),
		App:     app.NewWithID("news.assay.Assay"),
		Home:    h.Home,
		Hidden:  h.Hidden,
		Config:  h.Config,
		Keys:    h.Keys,
		Desk:    d,
		Entries: entries{h.Entries()},
		About:   present.About{Version: session.FullVersion(), Crashed: h.Crash().When},
		Files:   files,
		Notices: h.Notices(),
		Log:     h.Log,
	})
}

// entries are Assay's in the person's desktop. What starts with the system begins in the tray.
type entries struct{ desktop.Entries }

// Autostart implements gui.Entries.
func (e entries) Autostart(on bool) error {
	e.Arguments = append(slices.Clone(e.Arguments), "--hidden")
	return e.Entries.Autostart(on)
}

// desk is the host as the window sees it.
type desk struct {
	*session.Host
	begun func() // the window is there
}

// Open implements gui.Desk.
func (d desk) Open(ctx context.Context) (gui.Session, error) {
	s, err := d.Host.Open(ctx)
	return d.shown(s), err
}

// CrashReport implements gui.Desk.
func (d desk) CrashReport(context.Context) (string, error) { return d.Crash().Text, nil }

// shown is what the window shows of a session; nil: the first run.
func (d desk) shown(s *session.Session) gui.Session {
	if s == nil {
		return gui.Session{Began: d.begun}
	}
	return gui.Session{
		Queue:    s.Queue,
		Store:    s.Store,
		Client:   s.Client,
		Pull:     s.Pull,
		Keep:     s.Keep,
		Feedback: s.Feedback,
		Judged:   s.Judged,
		Folders:  s.Folders,
		Batches:  s.Batches,
		Heard:    s.Heard,
		Kept:     s.Kept,
		Sandbox:  s.Sandbox,
		Address:  s.Address,
		Folder:   s.Folder,
		Lending:  filepath.Join(s.Folder, "lent"),
		Pasted:   filepath.Join(s.Folder, "pasted"),
		Notice:   present.SetAsideText(s.SetAside()),
		Opened:   s.Opened,
		Troubles: s.Troubles,
		Began: func() {
			d.begun()
			s.GoOnKeeping()
		},
	}
}
