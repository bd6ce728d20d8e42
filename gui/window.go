package gui

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	tooltip "github.com/dweymouth/fyne-tooltip"

	"assay/client/config"
	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/work"
)

// The window's usual size, and the least one, in units at a text size of 100 %. Larger text leaves the window as it is: it then holds fewer units.
const (
	windowWidth  float32 = 1280
	windowHeight float32 = 800
	leastWidth   float32 = 880
	leastHeight  float32 = 580
	mostSide     float32 = 8192
)

// newWindow makes the window, without content.
func newWindow(a fyne.App) fyne.Window {
	w := a.NewWindow("Assay")
	w.SetMaster()
	w.SetPadded(false)
	w.Resize(windowSize(fyne.Size{}))
	return w
}

// setContent sets the window's content, with a layer for tooltips. Where the window is too small for the content, the content scrolls.
func setContent(w fyne.Window, content fyne.CanvasObject) {
	c := w.Canvas()
	tooltip.DestroyWindowToolTipLayer(c) // the layer of the content before
	w.SetContent(tooltip.AddWindowToolTipLayer(container.New(leastRoom{}, container.NewScroll(content)), c))
}

// leastRoom gives the content the whole window. Its least size depends on the text size alone: where that of a window's content changes, the toolkit
// sets the window's size once more, to one that may be out of date.
type leastRoom struct{}

// Layout implements fyne.Layout.
func (leastRoom) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		kit.PlaceAt(o, 0, 0, size.Width, size.Height)
	}
}

// MinSize implements fyne.Layout.
func (leastRoom) MinSize([]fyne.CanvasObject) fyne.Size { return leastSize() }

func leastSize() fyne.Size {
	scale := max(1, userScale())
	return fyne.NewSize(leastWidth/scale, leastHeight/scale)
}

// windowSize is the size that a window opens with: the kept one, within limits, or the usual one.
func windowSize(kept fyne.Size) fyne.Size {
	if !(kept.Width > 0 && kept.Height > 0) {
		scale := max(1, userScale())
		return fyne.NewSize(windowWidth/scale, windowHeight/scale)
	}
	least := leastSize()
	return fyne.NewSize(min(max(kept.Width, least.Width), mostSide), min(max(kept.Height, least.Height), mostSide))
}

// keepSize opens the window with the kept size, and sets what closing does, as the person chose.
func (s *shell) keepSize() {
	if s.Home != "" {
		kept := config.LoadState(s.Home)
		s.window.Resize(windowSize(fyne.NewSize(float32(kept.WindowWidth), float32(kept.WindowHeight))))
	}
	s.window.SetCloseIntercept(func() {
		s.size = s.window.Canvas().Size()
		if s.hidesOnClose() {
			s.window.Hide()
			s.seen(false)
			return
		}
		if !s.asksToClose() {
			s.window.Close()
		}
	})
}

// asksToClose says what closing would stop, and reports whether it did. Where a sheet is open, closing closes: it may be this one.
func (s *shell) asksToClose() bool {
	if s.app == nil || s.app.latest.Active == 0 || s.app.sheet.Open() {
		return false
	}
	keep := kit.NewButton(kit.Primary, i18n.T("Keep open"), nil, s.app.sheet.Close)
	s.app.sheet.Show(kit.SheetContent{
		Title: i18n.T("Close Assay?"),
		Body: kit.NewParagraph(i18n.N(s.app.latest.Active, "%s file or link is under way. It goes on the next time you start Assay.",
			"%s files and links are under way. They go on the next time you start Assay."), kit.TextStyle{}),
		Buttons: []*kit.Button{kit.NewButton(kit.Plain, i18n.T("Close"), nil, s.window.Close), keep},
		First:   keep,
		Width:   480,
	})
	return true
}

// hidesOnClose reports whether closing the window only hides it: if the person chose that, and there is a tray icon.
func (s *shell) hidesOnClose() bool {
	return s.Config.Settings().Desktop.CloseHides && s.tray.there()
}

// saveSize keeps the window's size for the next run; it does not matter if that fails.
func (s *shell) saveSize() {
	if s.Home == "" || s.size.Width <= 0 || s.size.Height <= 0 {
		return
	}
	if err := config.ChangeState(s.Home, func(kept *config.State) {
		kept.WindowWidth, kept.WindowHeight = int(s.size.Width), int(s.size.Height)
	}); err != nil {
		s.Log.Warn("the window's size was not kept", "error", err)
	}
}

// frame is how long the toolkit takes to draw, at least; drawnTries bounds how often that is waited for until an object has been drawn: it may be out
// of sight by then.
const (
	frame      = 33 * time.Millisecond
	drawnTries = 100
)

// onceDrawn calls focus on the UI thread once an object has been drawn, since only then does the toolkit know its canvas, unless something else has
// the focus by then. It returns at once; the closing of w ends the wait.
func (p Params) onceDrawn(w *work.Workers, c fyne.Canvas, o fyne.CanvasObject, focus func()) {
	wait, onUI := p.Wait, p.OnUI
	w.Do(func(ctx context.Context) func() {
		untilDrawn(ctx, wait, onUI, c, o, focus)
		return nil
	})
}

func untilDrawn(ctx context.Context, wait func(context.Context, time.Duration) error, onUI func(func()), c fyne.Canvas, o fyne.CanvasObject, focus func()) {
	for range drawnTries {
		if wait(ctx, frame) != nil {
			return
		}
		tried := make(chan bool, 1)
		onUI(func() {
			drawn := fyne.CurrentApp().Driver().CanvasForObject(o) != nil
			if drawn && c.Focused() == nil && o.Visible() {
				focus()
			}
			tried <- drawn
		})
		select {
		case drawn := <-tried:
			if drawn {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}
