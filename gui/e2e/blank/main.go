//go:build linux

// Command blank opens an empty window in the same way as Assay, as a baseline for measuring Assay's cost; with the argument "list", one with the
// toolkit's own list, in which J selects the next row. It imports only the toolkit and gui/look.
package main

import (
	"context"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

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
	if len(os.Args) > 1 && os.Args[1] == "list" {
		showList(w)
	}
	w.Resize(fyne.NewSize(windowWidth, windowHeight))
	a.Lifecycle().SetOnStarted(func() {
		context.AfterFunc(ctx, func() { fyne.Do(a.Quit) })
	})
	w.ShowAndRun()
}

// rows is how long the list is.
const rows = 100_000

func showList(w fyne.Window) {
	list := widget.NewList(func() int { return rows }, func() fyne.CanvasObject { return widget.NewLabel("") },
		func(i widget.ListItemID, o fyne.CanvasObject) { o.(*widget.Label).SetText("Row " + strconv.Itoa(i)) })
	selected := 0
	list.Select(selected)
	w.SetContent(list)
	w.Canvas().SetOnTypedRune(func(r rune) {
		if r == 'j' {
			selected++
			list.Select(selected)
		}
	})
}
