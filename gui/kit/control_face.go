package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// controlFace is the ground of a button-like control: fill, hairline, hover and the ring that shows the keyboard's focus.
type controlFace struct {
	ring  *canvas.Rectangle // the accent, under the rest
	gap   *canvas.Rectangle // between ring and a filled face
	frame *frame
	hover *canvas.Rectangle
	inset float32
}

func newControlFace() *controlFace {
	return &controlFace{
		ring:  canvas.NewRectangle(nil),
		gap:   canvas.NewRectangle(nil),
		frame: newFrame(look.RadiusControl),
		hover: canvas.NewRectangle(nil),
	}
}

func (f *controlFace) objects() []fyne.CanvasObject {
	return append([]fyne.CanvasObject{f.ring, f.gap}, append(f.frame.objects(), f.hover)...)
}

func (f *controlFace) paint(kind Kind, disabled, hovered, focused bool) {
	f.inset = 0
	f.ring.FillColor, f.gap.FillColor = look.Color(look.ColorAccent), look.Color(look.ColorSurface)
	f.ring.Hidden, f.gap.Hidden = !focused, !focused
	switch {
	case kind == Primary && disabled:
		f.frame.paint(look.ColorSunk, "", 0)
	case kind == Primary:
		f.frame.paint(look.ColorAccent, "", 0)
		if focused {
			f.inset = 4
		}
	case kind == Plain && focused:
		f.frame.paint(look.ColorSurface, look.ColorAccent, 2)
	case kind == Plain:
		f.frame.paint(look.ColorSurface, look.ColorBorder, look.Hairline)
	default: // bare: ring and gap are drawn by themselves
		f.frame.paint("", "", 0)
	}
	f.hover.FillColor = look.Color(look.ColorHover)
	f.hover.Hidden = !hovered || disabled
	f.ring.Refresh()
	f.gap.Refresh()
	f.hover.Refresh()
}

func (f *controlFace) place(size fyne.Size) {
	f.ring.CornerRadius, f.gap.CornerRadius, f.hover.CornerRadius = look.RadiusControl, look.RadiusControl-2, look.RadiusControl
	place(f.ring, 0, 0, size.Width, size.Height)
	place(f.gap, 2, 2, size.Width-4, size.Height-4)
	place(f.hover, 0, 0, size.Width, size.Height)
	f.frame.radius = look.RadiusControl - f.inset
	f.frame.place(f.inset, f.inset, size.Width-2*f.inset, size.Height-2*f.inset)
}
