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

// The window's usual size, and the least one that it opens with: the kept size may be from another display.
const (
	windowWidth  float32 = 1280
	windowHeight float32 = 800
	leastWidth   float32 = 640
	leastHeight  float32 = 480
	mostSide     float32 = 8192
)

// newWindow makes the window, without content.
func newWindow(a fyne.App) fyne.Window {
	w := a.NewWindow("Assay")
	w.SetMaster()
	w.SetPadded(false)
	w.Resize(fyne.NewSize(windowWidth, windowHeight))
	return w
}

// setContent sets the window's content, with a layer for tooltips.
func setContent(w fyne.Window, content fyne.CanvasObject) {
	c := w.Canvas()
	tooltip.DestroyWindowToolTipLayer(c) // the layer of the content before
	w.SetContent(tooltip.AddWindowToolTipLayer(content, c))
}

// windowSize is the size that a window opens with: the kept one, within limits, or the usual one.
func windowSize(kept fyne.Size) fyne.Size {
	if !(kept.Width > 0 && kept.Height > 0) {
		return fyne.NewSize(windowWidth, windowHeight)
	}
	return fyne.NewSize(min(max(kept.Width, leastWidth), mostSide), min(max(kept.Height, leastHeight), mostSide))
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
			return
		}
		s.window.Close()
	})
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

// drawnTries bounds the frames to wait for until an object has been drawn: it may be out of sight by then.
const drawnTries = 100

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

// scaleVariable is the environment variable from which the toolkit reads the scale, whenever a theme is set.
const scaleVariable = "FYNE_SCALE"

// appearance applies the settings of the window's look. It belongs to the UI thread.
type appearance struct {
	app   fyne.App
	fixed bool // the scale is set by the environment
	set   bool
	theme string
	scale float64
}

// newAppearance makes one; locked says that IT has set the scale, which then overrules the environment.
func newAppearance(a fyne.App, locked bool) *appearance {
	return &appearance{app: a, fixed: os.Getenv(scaleVariable) != "" && !locked}
}

// apply applies theme and scale at once, also to what is shown already.
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

// setScale sets the toolkit's scale; 0 is the system's own. It can't fail: the system accepts these names and values.
func (l *appearance) setScale(scale float64) {
	if scale == 0 {
		_ = os.Unsetenv(scaleVariable)
		return
	}
	_ = os.Setenv(scaleVariable, strconv.FormatFloat(scale, 'f', -1, 64))
}
