package gui

import (
	"context"
	"log/slog"
	"os"
	"runtime/debug"
	"sync"
	"time"

	fyneapp "fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/theme"

	"assay/client/release"
	"assay/client/report"
	"assay/client/session"
	"assay/gui/finder"
	"assay/gui/settings"
)

// startGCPercent lets the heap grow while the window opens: there is nothing to collect then.
const startGCPercent = 800

// atRest is how long after the window has opened nothing of the start is left to do.
const atRest = 4 * time.Second

// ReportFonts are the fonts that the toolkit brings, for reports as PDF.
func ReportFonts() report.Fonts {
	return report.Fonts{
		Regular: theme.DefaultTextFont().Content(), Bold: theme.DefaultTextBoldFont().Content(), Mono: theme.DefaultTextMonospaceFont().Content(),
	}
}

// Run opens the window with these files, folders and links submitted, and returns when it is closed or ctx ends. It must be called on the main
// goroutine. The host closes the session that is then open. An error is *session.Misuse: no window can be shown here.
func Run(ctx context.Context, h *session.Host, files []string) error {
	displayChosen, sentence := chooseDisplay()
	if sentence != "" {
		return &session.Misuse{Sentence: sentence}
	}
	// The toolkit's cache is in a folder that a new account does not have yet; without it the toolkit logs an error.
	if dir, err := os.UserCacheDir(); err == nil {
		_ = os.MkdirAll(dir, 0o700) // if it fails, the toolkit logs why
	}
	for _, secret := range []string{"ASSAY_API_KEY", session.LogKeyVariable, session.SigningKeyVariable, session.DeskPasswordVariable} { // the host has read them; programs that open files must not get them
		_ = os.Unsetenv(secret)
	}
	usual := debug.SetGCPercent(startGCPercent)
	p := Params{
		Session:    h.Session(),
		App:        fyneapp.NewWithID("news.assay.Assay"),
		Home:       h.Home,
		Hidden:     h.Hidden,
		Refused:    h.Refused,
		Config:     h.Config,
		Keys:       h.Keys,
		Host:       h,
		Events:     h.Events,
		Updates:    h.Updates,
		Entries:    h.Entries(),
		About:      settings.About{Version: release.Full(), Crashed: h.Crash().When},
		Files:      files,
		Notices:    h.Notices(),
		FrontToken: session.TakeFrontToken(),
		Log:        h.Log,
		Began: sync.OnceFunc(func() {
			debug.SetGCPercent(usual)
			time.AfterFunc(atRest, debug.FreeOSMemory) // what only the start needed: an idle window would not collect it for minutes
		}),
	}
	opened := finder.Opened() // before there is a window, since the event of the start comes with the first
	if p.Refused != "" {
		p.Home, p.Hidden = "", false // nothing of the home is changed, and the person must read why
	}
	s := newShell(p, &systemTray{})
	h.AskUnsaved(s.unsaved)
	displayChosen()
	ctx, cancel := context.WithCancel(ctx)
	s.ctx = ctx
	s.owned.Go(func() { takeOpened(ctx, opened, h.Take, p.Log) })
	p.App.Lifecycle().SetOnStarted(func() { s.start(ctx) }) // before, there is no UI thread for closures
	if p.Hidden && p.Config.Settings().Desktop.Tray {
		p.App.Run() // start shows the window, or the tray does
	} else {
		s.window.ShowAndRun()
	}
	cancel()
	s.end()
	return nil
}

// takeOpened hands over what the system opens with this program, until ctx ends.
func takeOpened(ctx context.Context, opened <-chan []string, take func(ctx context.Context, given []string) error, log *slog.Logger) {
	for {
		select {
		case paths := <-opened:
			if err := take(ctx, paths); err != nil && ctx.Err() == nil {
				log.Error("take what was opened with Assay", "error", err)
			}
		case <-ctx.Done():
			return
		}
	}
}
