package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// DropTarget is the dashed area that says "drop here", round a content. The drop itself comes to the window, not to it.
type DropTarget struct {
	widget.BaseWidget
	content fyne.CanvasObject
	radius  float32
	line    float32
	padding float32
	active  bool
}

// NewDropTarget makes the large one of the empty inbox.
func NewDropTarget(content fyne.CanvasObject) *DropTarget {
	return newDropTarget(content, 20, 2, 10*look.Space)
}

// NewDropStrip makes the thin one above the inbox's table.
func NewDropStrip(content fyne.CanvasObject) *DropTarget {
	return newDropTarget(content, look.RadiusCard, 1, 4*look.Space)
}

func newDropTarget(content fyne.CanvasObject, radius, line, padding float32) *DropTarget {
	d := &DropTarget{content: content, radius: radius, line: line, padding: padding}
	d.ExtendBaseWidget(d)
	return d
}

// SetPadding sets the room between edge and content.
func (d *DropTarget) SetPadding(padding float32) {
	d.padding = padding
	d.Refresh()
}

// SetActive draws it in the accent, as when something is being taken in.
func (d *DropTarget) SetActive(active bool) {
	if d.active == active {
		return
	}
	d.active = active
	d.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (d *DropTarget) CreateRenderer() fyne.WidgetRenderer {
	face := newFrame(d.radius)
	edge := look.NewDashes(d.radius, d.line)
	layout := func(size fyne.Size) {
		face.place(0, 0, size.Width, size.Height)
		place(edge.Raster, 0, 0, size.Width, size.Height)
		place(d.content, d.padding, d.padding, size.Width-2*d.padding, size.Height-2*d.padding)
	}
	refresh := func() {
		face.paint(look.ColorSurface, "", 0)
		edge.Color = look.ColorDash
		if d.active {
			edge.Color = look.ColorAccent
		}
		edge.Raster.Refresh()
		layout(d.Size())
		canvas.Refresh(d)
	}
	refresh()
	return &renderer{
		objects: append(face.objects(), edge.Raster, d.content),
		layout:  layout,
		minSize: func() fyne.Size { return d.content.MinSize().AddWidthHeight(2*d.padding, 2*d.padding) },
		refresh: refresh,
	}
}
