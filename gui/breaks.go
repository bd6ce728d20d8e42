package gui

import (
	"context"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// breaks reminds the person of a break, at the intervals that they chose: a line over the foot of the screens, which takes no room from anything and
// counts nothing. It belongs to the UI thread.
type breaks struct {
	onUI    func(func())
	wait    func(ctx context.Context, d time.Duration) error
	root    *fyne.Container
	minutes int
	stop    context.CancelFunc
	owned   sync.WaitGroup
}

func newBreaks(onUI func(func()), wait func(ctx context.Context, d time.Duration) error) *breaks {
	b := &breaks{onUI: onUI, wait: wait, stop: func() {}}
	done := kit.NewButton(kit.Bare, i18n.T("OK"), nil, func() { b.root.Hide() })
	line := kit.NewCard(container.NewHBox(kit.NewText(i18n.T("Time for a break, if you like."), kit.TextStyle{}), done))
	line.SetPadding(2 * look.Space)
	b.root = container.New(atBottom{}, line)
	b.root.Hide()
	return b
}

// follow reminds every so many minutes from now on; 0 is never.
func (b *breaks) follow(minutes int) {
	if minutes == b.minutes {
		return
	}
	b.end()
	b.minutes = minutes
	if minutes <= 0 {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	b.stop = stop
	b.owned.Go(func() {
		for b.wait(ctx, time.Duration(minutes)*time.Minute) == nil {
			b.onUI(func() {
				if ctx.Err() == nil {
					b.root.Show()
				}
			})
		}
	})
}

// end reminds of nothing any more.
func (b *breaks) end() {
	b.stop()
	b.minutes = 0
	b.root.Hide()
}

// close waits until nothing of it runs, after end; on any goroutine.
func (b *breaks) close() { b.owned.Wait() }

// atBottom puts a line in the middle of the window's last lines, below the one that offers to undo.
type atBottom struct{}

// Layout implements fyne.Layout.
func (atBottom) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		least := o.MinSize()
		kit.PlaceAt(o, max(0, (size.Width-least.Width)/2), max(0, size.Height-least.Height-2*look.Space), min(least.Width, size.Width), least.Height)
	}
}

// MinSize implements fyne.Layout: the line never makes the window larger.
func (atBottom) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
