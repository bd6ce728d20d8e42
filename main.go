// Assay has pictures, clips, recordings and texts checked by a media deepfake-detection service and shows what it said.
package main

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"

	"fyne.io/fyne/v2/app"

	"assay/client/command"
	"assay/gui"
	"assay/gui/present"
)

// endPatience is how long the end may take once it was asked for. A display that is gone can hold the window for ever, and
// with it the folder; what is done is on disk whenever it ends.
const endPatience = 20 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		<-time.After(endPatience)
		os.Exit(command.ExitFailed)
	}()
	code := command.Run(ctx, os.Args[1:], os.Stdout, os.Stderr, openWindow)
	stop()
	os.Exit(code)
}

// startGCPercent lets the heap grow while the window opens, rather than look for what can go while nothing can.
const startGCPercent = 800

func openWindow(ctx context.Context, s *command.Session, files []string) error {
	if sentence := gui.NoDisplay(); sentence != "" {
		return &command.Misuse{Sentence: sentence}
	}
	// The toolkit's cache lies in a folder that a fresh account does not have yet; without it the toolkit complains.
	if dir, err := os.UserCacheDir(); err == nil {
		_ = os.MkdirAll(dir, 0o700) // the toolkit says what it means if this fails
	}
	_ = os.Unsetenv("ASSAY_API_KEY") // the session has it; the programs that open files have no use for it
	usual := debug.SetGCPercent(startGCPercent)
	began := func() {
		debug.SetGCPercent(usual)
		debug.FreeOSMemory() // of what the start needed
		s.GoOnKeeping()
	}
	return gui.Run(ctx, gui.Params{
		App:      app.NewWithID("news.assay.Assay"),
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
		Began:    began,
		Sandbox:  s.Sandbox,
		Files:    files,
		Lending:  filepath.Join(s.Folder, "lent"),
		Notice:   present.SetAsideText(s.SetAside()),
		Opened:   s.Opened,
		Troubles: s.Troubles,
		Log:      s.Log,
	})
}
