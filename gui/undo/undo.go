// Package undo gives a person five seconds to take back what they have asked for: one line over the screens, with a button. It imports gui/kit,
// gui/look and client/i18n. Its exported methods must be called on the UI thread, and none blocks but Close.
package undo

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

// seconds is how long an act can be taken back.
const seconds = 5

// Params are what Acts need.
type Params struct {
	OnUI func(func())                                     // runs a closure on the UI thread, later
	Wait func(ctx context.Context, d time.Duration) error // waits a second of the countdown; ends early with ctx
}

// Acts are what was asked for. At most one can be taken back: the next one ends the countdown of the one before.
type Acts struct {
	Params
	root   *fyne.Container // always visible: what the toolkit has never painted can't ask to be painted
	line   *kit.Card
	words  *kit.Text
	left   *kit.Text
	button *kit.Button

	latest *act // nil: nothing can be taken back
	owned  sync.WaitGroup
}

// act is something that can be taken back.
type act struct {
	happen   func() // nil: it has happened already
	takeBack func() // nil: there is nothing to do but not to act
	stop     context.CancelFunc
}

// New makes Acts with nothing to take back.
func New(p Params) *Acts {
	a := &Acts{Params: p}
	a.words = kit.NewText("", kit.TextStyle{Weight: look.WeightMedium})
	a.left = kit.NewText("", kit.TextStyle{Color: look.ColorMuted})
	a.button = kit.NewButton(kit.Bare, i18n.T("Undo"), look.IconUndo, a.Undo)
	a.button.SetToolTip(kit.Shortcut("Z"))
	a.line = kit.NewCard(container.NewHBox(a.words, a.button, a.left))
	a.line.SetPadding(2 * look.Space)
	a.line.Hide()
	a.root = container.New(aboveFoot{}, a.line)
	return a
}

// Object is the line. It lies over the screens, so that nothing moves when it comes and goes.
func (a *Acts) Object() fyne.CanvasObject { return a.root }

// Offered reports whether something can be taken back.
func (a *Acts) Offered() bool { return a.latest != nil }

// Later lets something happen in five seconds, unless it is taken back. Until then nothing has happened: a crash leaves all as it was. The words say
// what happens, in one sentence. takeBack, which may be nil, is called if the person takes it back.
func (a *Acts) Later(words string, happen, takeBack func()) {
	a.begin(words, &act{happen: happen, takeBack: takeBack})
}

// Done offers for five seconds to take back what has happened. The words say what has.
func (a *Acts) Done(words string, takeBack func()) { a.begin(words, &act{takeBack: takeBack}) }

// Undo takes the last one back, if its time is not over.
func (a *Acts) Undo() {
	if undone := a.end(); undone != nil && undone.takeBack != nil {
		undone.takeBack()
	}
}

// Flush lets what waits happen now. The window calls it before it closes.
func (a *Acts) Flush() {
	if due := a.end(); due != nil && due.happen != nil {
		due.happen()
	}
}

// Close waits until no countdown runs. Flush must have been called before; it may be called on any goroutine.
func (a *Acts) Close() { a.owned.Wait() }

func (a *Acts) begin(words string, next *act) {
	a.Flush()
	ctx, stop := context.WithCancel(context.Background())
	next.stop = stop
	a.latest = next
	a.words.SetText(words)
	a.line.Show()
	a.show(seconds)
	a.owned.Go(func() {
		for left := seconds - 1; left >= 0; left-- {
			if a.Wait(ctx, time.Second) != nil {
				return
			}
			a.OnUI(func() {
				switch {
				case a.latest != next: // taken back, or followed by another
				case left == 0:
					a.Flush()
				default:
					a.show(left)
				}
			})
		}
	})
}

// end ends the countdown and returns what it was for, nil for nothing.
func (a *Acts) end() *act {
	ended := a.latest
	if ended != nil {
		ended.stop()
	}
	a.latest = nil
	a.line.Hide()
	a.root.Refresh()
	return ended
}

func (a *Acts) show(left int) {
	a.left.SetText(i18n.F("%s s", i18n.Count(left)))
	a.root.Refresh()
}

// aboveFoot puts a line in the middle above the foot of the screens, where their buttons are.
type aboveFoot struct{}

const foot = 20 * look.Space

// Layout implements fyne.Layout.
func (aboveFoot) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		least := o.MinSize()
		o.Resize(fyne.NewSize(min(least.Width, size.Width), least.Height))
		o.Move(fyne.NewPos(max(0, (size.Width-least.Width)/2), max(0, size.Height-least.Height-foot)))
	}
}

// MinSize implements fyne.Layout: the line never makes the window larger.
func (aboveFoot) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

var _ fyne.Layout = aboveFoot{}
