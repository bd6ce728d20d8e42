//go:build linux

// Command blank opens an empty window in the same way as Assay, as a baseline for measuring Assay's cost. With the argument "list" it is one with the
// toolkit's own list, in which J selects the next row; with "rail", one with icons and words as in Assay's rail and a line of
// the toolkit's text, which is the least that needs the toolkit's fonts. With "hello" it opens none, and prints a line. It imports only the toolkit
// and gui/look.
package main

import (
	"context"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/canvas"
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
	kind := ""
	if len(os.Args) > 1 {
		kind = os.Args[1]
	}
	if kind == "hello" {
		_, _ = os.Stdout.WriteString("Hello\n") // nothing depends on it
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := app.NewWithID("news.assay.Blank")
	a.Settings().SetTheme(look.New(""))
	w := a.NewWindow("Blank")
	w.SetMaster()
	w.SetPadded(false)
	w.SetContent(container.NewWithoutLayout())
	switch kind {
	case "list":
		showList(w)
	case "rail":
		showRail(w)
	}
	w.Resize(fyne.NewSize(windowWidth, windowHeight))
	a.Lifecycle().SetOnStarted(func() {
		context.AfterFunc(ctx, func() { fyne.Do(a.Quit) })
	})
	w.ShowAndRun()
}

func showRail(w fyne.Window) {
	rail := container.NewVBox()
	for _, icon := range []look.Icon{look.IconInbox, look.IconResults, look.IconCases, look.IconFolders, look.IconSettings} {
		word := canvas.NewText("Word", look.Color(look.ColorText))
		look.SetText(word, word.Text, look.WeightMedium.Style())
		rail.Add(widget.NewIcon(look.Tinted(icon, look.ColorText)))
		rail.Add(word)
	}
	w.SetContent(container.NewBorder(nil, nil, rail, nil, widget.NewLabel("Inbox")))
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
