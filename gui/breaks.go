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

// breaks reminds the person of a break, at the intervals that they chose: a few words in the rail, where nothing else is. It counts nothing, and belongs
// to the UI thread.
type breaks struct {
	onUI    func(func())
	wait    func(ctx context.Context, d time.Duration) error
	root    *fyne.Container // always visible: what the toolkit has never painted can't ask to be painted
	words   *fyne.Container
	minutes int
	stop    context.CancelFunc
	owned   sync.WaitGroup
}

func newBreaks(rail fyne.CanvasObject, onUI func(func()), wait func(ctx context.Context, d time.Duration) error) *breaks {
	b := &breaks{onUI: onUI, wait: wait, stop: func() {}}
	done := kit.NewButton(kit.Bare, i18n.T("OK"), nil, func() { b.show(false) })
	b.words = container.New(kit.Column{Gap: look.Space, Grow: -1},
		kit.NewParagraph(i18n.T("Time for a break?"), kit.TextStyle{Size: look.SizeCaption, Align: fyne.TextAlignCenter}), container.NewCenter(done))
	b.words.Hide()
	b.root = container.New(inRail{rail}, b.words)
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
					b.show(true)
				}
			})
		}
	})
}

func (b *breaks) show(on bool) {
	kit.SetVisible(b.words, on)
	b.root.Refresh()
}

// end reminds of nothing any more.
func (b *breaks) end() {
	b.stop()
	b.minutes = 0
	b.show(false)
}

// close waits until nothing of it runs, after end; on any goroutine.
func (b *breaks) close() { b.owned.Wait() }

// inRail puts words between the rail's screens and its last item, Settings, each above the one before.
type inRail struct{ rail fyne.CanvasObject }

// lastItem is the height of the rail's last item, with what is around it.
const lastItem = 18 * look.Space

// Layout implements fyne.Layout.
func (l inRail) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := l.rail.MinSize().Width - 2*look.Space
	bottom := size.Height - lastItem
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		high := kit.WrappedHeight(o, width)
		bottom = max(0, bottom-high)
		kit.PlaceAt(o, look.Space, bottom, width, high)
		bottom -= 2 * look.Space
	}
}

// MinSize implements fyne.Layout: the words never make the window larger.
func (inRail) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
