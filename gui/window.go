package gui

import (
	"context"
	"os"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	tooltip "github.com/dweymouth/fyne-tooltip"

	"assay/client/config"
	"assay/gui/look"
	"assay/gui/work"
)

// The window's size when it opens first, and the least that it opens with: what was kept may be of another display.
const (
	windowWidth  float32 = 1280
	windowHeight float32 = 800
	leastWidth   float32 = 640
	leastHeight  float32 = 480
	mostSide     float32 = 8192
)

// newWindow is the window, without anything in it.
func newWindow(a fyne.App) fyne.Window {
	w := a.NewWindow("Assay")
	w.SetMaster()
	w.SetPadded(false)
	w.Resize(fyne.NewSize(windowWidth, windowHeight))
	return w
}

// setContent fills the window, with a layer for its tool tips.
func setContent(w fyne.Window, content fyne.CanvasObject) {
	c := w.Canvas()
	tooltip.DestroyWindowToolTipLayer(c) // the one before
	w.SetContent(tooltip.AddWindowToolTipLayer(content, c))
}

// windowSize is the size that a window opens with: the one that was kept, within what can be, or the usual.
func windowSize(kept fyne.Size) fyne.Size {
	if !(kept.Width > 0 && kept.Height > 0) {
		return fyne.NewSize(windowWidth, windowHeight)
	}
	return fyne.NewSize(min(max(kept.Width, leastWidth), mostSide), min(max(kept.Height, leastHeight), mostSide))
}

// keepSize opens the window with the size that it had, and closes it as the person chose.
func (s *shell) keepSize() {
	if s.Home != "" {
		kept := config.LoadState(s.Home)
		s.window.Resize(windowSize(fyne.NewSize(float32(kept.WindowWidth), float32(kept.WindowHeight))))
	}
	s.window.SetCloseIntercept(func() {
		s.size = s.window.Canvas().Size()
		if s.hidesOnClose() {
			s.window.Hide()
			return
		}
		s.window.Close()
	})
}

// hidesOnClose reports whether closing the window leaves Assay running: by the person's choice alone, and never where nothing would
// be left to see of it.
func (s *shell) hidesOnClose() bool {
	return s.Config.Settings().Desktop.CloseHides && s.tray.there()
}

// saveSize keeps the window's size for the next time; what can't be written is no loss.
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

// drawnTries bounds the frames that are waited for until something has been drawn: it may be out of sight by then.
const drawnTries = 100

// onceDrawn calls focus on the UI thread once an object has been drawn, for the toolkit knows its canvas only then, and unless the
// keyboard is somewhere by that time. It returns at once; w ends the waiting.
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

// scaleVariable is where the toolkit reads how large everything is, again each time that a theme is set.
const scaleVariable = "FYNE_SCALE"

// appearance has the window look as the settings say. It belongs to the UI thread.
type appearance struct {
	app   fyne.App
	fixed bool // its scale is, by the environment that Assay was started with
	set   bool
	theme string
	scale float64
}

// newAppearance makes one; locked says that IT has set the scale, which the environment does not change then.
func newAppearance(a fyne.App, locked bool) *appearance {
	return &appearance{app: a, fixed: os.Getenv(scaleVariable) != "" && !locked}
}

// apply shows the theme and the scale at once, on what is on screen already too.
func (l *appearance) apply(now config.Appearance) {
	if l.set && l.theme == now.Theme && l.scale == now.Scale {
		return
	}
	l.set, l.theme, l.scale = true, now.Theme, now.Scale
	if !l.fixed {
		l.setScale(now.Scale)
	}
	l.app.Settings().SetTheme(look.New(look.Mode(now.Theme)))
}

// setScale tells the toolkit; 0 is the system's own scale. It fails for a name or value that the system does not take, and these are
// none.
func (l *appearance) setScale(scale float64) {
	if scale == 0 {
		_ = os.Unsetenv(scaleVariable)
		return
	}
	_ = os.Setenv(scaleVariable, strconv.FormatFloat(scale, 'f', -1, 64))
}
