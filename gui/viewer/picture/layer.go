package picture

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"assay/gui/heat"
	"assay/gui/kit"
	"assay/gui/present"
)

// cut is a piece of a picture to be drawn: a part of its grid of pixels, at the size that is seen.
type cut struct {
	of      *heat.Full // nil: nothing
	lead    image.Point
	turn    int // of a heatmap, 0 for a photo
	part    image.Rectangle
	size    image.Point // in screen pixels
	preview present.Preview
}

// layer is one picture on the stage. Its image shows a cut of it and lies in a clip, for pixels that were made for another zoom are
// stretched until those for this one have been made.
type layer struct {
	clip  *container.Clip
	room  *fyne.Container
	image *canvas.Image
	drawn cut
}

func newLayer() *layer {
	l := &layer{image: &canvas.Image{FillMode: canvas.ImageFillStretch, ScaleMode: canvas.ImageScaleFastest}}
	l.room = container.NewWithoutLayout(l.image)
	l.clip = container.NewClip(l.room)
	l.clip.Hide()
	return l
}

// clear drops the pixels.
func (l *layer) clear() {
	if l.image.Image == nil {
		return
	}
	l.image.Image, l.drawn = nil, cut{}
	l.image.Refresh() // lets go of the texture
	l.clip.Hide()
}

// set takes pixels that were drawn for a cut.
func (l *layer) set(pixels *image.RGBA, drawn cut) {
	l.image.Image, l.drawn = pixels, drawn
	l.image.Refresh()
}

// view is where a frame lies on the stage, in device-independent pixels, of which each has scale screen pixels.
type view struct {
	left  float32
	size  fyne.Size
	scale float32
}

// frame is the view's size in screen pixels.
func (v view) frame() spot {
	return spot{float64(v.size.Width * v.scale), float64(v.size.Height * v.scale)}
}

// point gives a place of the frame on the stage.
func (v view) point(at spot) fyne.Position {
	return fyne.NewPos(v.left+float32(at.X)/v.scale, float32(at.Y)/v.scale)
}

// spot gives a place of the stage on the frame.
func (v view) spot(at fyne.Position) spot {
	return spot{float64((at.X - v.left) * v.scale), float64(at.Y * v.scale)}
}

// place puts the layer's pixels where they belong, with the whole picture lying at whole, and shows what of them is right of from, in
// screen pixels of the frame.
func (l *layer) place(v view, whole placed, from float64, visible bool) {
	frame := v.frame()
	visible = visible && l.image.Image != nil && from < frame.X && l.drawn.lead.X > 0
	if visible {
		corner := v.point(spot{from, 0})
		l.clip.Move(corner)
		l.clip.Resize(fyne.NewSize(v.left+v.size.Width-corner.X, v.size.Height))
		at := whole.at(l.drawn.part, l.drawn.lead)
		l.image.Move(v.point(spot{at.left, at.top}).Subtract(corner))
		l.image.Resize(fyne.NewSize(float32(at.width)/v.scale, float32(at.height)/v.scale))
	}
	kit.SetVisible(l.clip, visible)
}
