// Package kit has the widgets that Assay's screens are composed of. It may import Fyne, gui/look and gui/wrap, and knows nothing of submissions or
// results. All of it must be used on the UI goroutine.
package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// renderer is a widget renderer made of functions.
type renderer struct {
	objects []fyne.CanvasObject
	layout  func(fyne.Size)
	minSize func() fyne.Size
	// refresh reads texts and colours again, since the theme may have changed.
	refresh func()
	// destroy stops animations; it may be nil.
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

// paintText changes the text and the look of a line.
func paintText(t *canvas.Text, text string, size fyne.ThemeSizeName, weight look.Weight, color fyne.ThemeColorName) {
	look.SetText(t, text, weight.Style())
	t.TextSize, t.Color = look.Size(size), look.Color(color)
	t.Refresh()
}

// frame is a rounded area with an outline, drawn as a filled rectangle within another. A stroke would not do: one of Fyne's painters centres it on
// the edge and blurs it, the other draws it inside.
type frame struct {
	outer, inner *canvas.Rectangle
	radius       float32
	line         float32 // width of the outline, 0 for none
}

func newFrame(radius float32) *frame {
	return &frame{outer: canvas.NewRectangle(nil), inner: canvas.NewRectangle(nil), radius: radius}
}

func (f *frame) objects() []fyne.CanvasObject { return []fyne.CanvasObject{f.outer, f.inner} }

// paint sets the colours. Without an outline name no outline is drawn; without a fill name, nothing is drawn inside of it.
func (f *frame) paint(fill, outline fyne.ThemeColorName, line float32) {
	f.line = line
	if outline == "" {
		f.line = 0
	}
	f.outer.Hidden = f.line == 0
	f.inner.Hidden = fill == ""
	if outline != "" {
		f.outer.FillColor = look.Color(outline)
	}
	if fill != "" {
		f.inner.FillColor = look.Color(fill)
	}
	f.outer.Refresh()
	f.inner.Refresh()
}

func (f *frame) place(x, y, w, h float32) {
	f.outer.CornerRadius = f.radius
	f.inner.CornerRadius = max(f.radius-f.line, 0)
	PlaceAt(f.outer, x, y, w, h)
	PlaceAt(f.inner, x+f.line, y+f.line, w-2*f.line, h-2*f.line)
}

// Fill is a plain area in a colour of the theme.
type Fill struct {
	widget.BaseWidget
	color fyne.ThemeColorName
}

// NewFill makes an area in a colour.
func NewFill(color fyne.ThemeColorName) *Fill {
	f := &Fill{color: color}
	f.ExtendBaseWidget(f)
	return f
}

// CreateRenderer implements fyne.Widget.
func (f *Fill) CreateRenderer() fyne.WidgetRenderer {
	area := canvas.NewRectangle(look.Color(f.color))
	return &renderer{
		objects: []fyne.CanvasObject{area},
		layout:  area.Resize,
		minSize: area.MinSize,
		refresh: func() {
			area.FillColor = look.Color(f.color)
			area.Refresh()
		},
	}
}
