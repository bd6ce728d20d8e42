package clip

import (
	"fyne.io/fyne/v2"

	"assay/gui/kit"
	"assay/gui/look"
)

// fitting gives the pane all of its room, and lets go of what is spare where that is low, so that picture and player are seen together.
type fitting struct{ pane *Pane }

// lowBelow is the height below which a pane is low.
const lowBelow float32 = 430

// Layout implements fyne.Layout.
func (f fitting) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	f.pane.setLow(size.Height > 0 && size.Height < lowBelow)
	for _, o := range objects {
		kit.PlaceAt(o, 0, 0, size.Width, size.Height)
	}
}

// MinSize implements fyne.Layout.
func (fitting) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// setLow makes the tracks lower, or as usual. The line with where a chosen part stands in the answer has room once one was chosen.
func (p *Pane) setLow(low bool) {
	if p.low == low {
		return
	}
	p.low = low
	gap, edge := 2*look.Space, 3*look.Space
	if low {
		gap, edge = look.Space, 2*look.Space
	}
	p.tracks.Layout = kit.Column{Gap: gap, Grow: -1}
	p.card.SetPadding(edge)
	p.sound.SetLow(low)
	p.showSource()
	p.tracks.Refresh()
	p.parted.Objects[0].Refresh()
}
