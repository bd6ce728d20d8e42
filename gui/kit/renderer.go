// Package kit holds the widgets that Assay's screens are composed of; it may import Fyne, gui/look and gui/chart, and
// knows nothing of submissions or results. Everything in it is used on the UI goroutine alone.
package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// renderer is a widget renderer made of functions, since most parts differ only in these.
type renderer struct {
	objects []fyne.CanvasObject
	layout  func(fyne.Size)
	minSize func() fyne.Size
	// refresh re-reads texts and colours; the theme may have changed.
	refresh func()
	// destroy stops what runs; may be nil.
	destroy func()
}

var _ fyne.WidgetRenderer = (*renderer)(nil)

func (r *renderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *renderer) Layout(size fyne.Size)        { r.layout(size) }
func (r *renderer) MinSize() fyne.Size           { return r.minSize() }
func (r *renderer) Refresh()                     { r.refresh() }

func (r *renderer) Destroy() {
	if r.destroy != nil {
		r.destroy()
	}
}

// place moves and resizes in one go.
func place(o fyne.CanvasObject, x, y, w, h float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
}

// paintText changes what a line of text says, and how it looks.
func paintText(t *canvas.Text, text string, size fyne.ThemeSizeName, weight look.Weight, color fyne.ThemeColorName) {
	look.SetText(t, text, weight.Style())
	t.TextSize, t.Color = look.Size(size), look.Color(color)
	t.Refresh()
}
