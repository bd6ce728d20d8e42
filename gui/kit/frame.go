package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// frame is a rounded area with an outline, drawn as one filled rectangle in another: an outline drawn as a stroke is centred
// on the edge by one of Fyne's painters and inside it by the other, and blurred by the first.
type frame struct {
	outer, inner *canvas.Rectangle
	radius       float32
	line         float32 // the outline's width, 0 for none
}

func newFrame(radius float32) *frame {
	return &frame{outer: canvas.NewRectangle(nil), inner: canvas.NewRectangle(nil), radius: radius}
}

func (f *frame) objects() []fyne.CanvasObject { return []fyne.CanvasObject{f.outer, f.inner} }

// paint sets the colours; an empty outline name draws none, an empty fill name hides the frame's inside too.
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
	place(f.outer, x, y, w, h)
	place(f.inner, x+f.line, y+f.line, w-2*f.line, h-2*f.line)
}
