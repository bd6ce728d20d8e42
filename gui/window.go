package gui

import (
	"fyne.io/fyne/v2"
	tooltip "github.com/dweymouth/fyne-tooltip"
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
