//go:build linux

// Command blank opens an empty window in the same way as Assay, as a baseline for measuring Assay's cost. It imports only the toolkit and gui/look.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/container"

	"assay/gui/look"
)

// The window's size when it opens, which is Assay's.
const (
	windowWidth  = 1280
	windowHeight = 800
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := app.NewWithID("news.assay.Blank")
	a.Settings().SetTheme(look.New(""))
	w := a.NewWindow("Blank")
	w.SetMaster()
	w.SetPadded(false)
	w.SetContent(container.NewWithoutLayout())
	w.Resize(fyne.NewSize(windowWidth, windowHeight))
	a.Lifecycle().SetOnStarted(func() {
		context.AfterFunc(ctx, func() { fyne.Do(a.Quit) })
	})
	w.ShowAndRun()
}
