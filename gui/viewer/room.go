package viewer

import (
	"fyne.io/fyne/v2"

	"assay/gui/kit"
	"assay/gui/look"
)

// tightness is how much of what stands around the medium gives way to it, where there is little height.
type tightness int

const (
	roomy   tightness = iota
	tight             // a small window
	tighter           // a small window with a large text
)

// The heights of the viewer below which it is tight.
const (
	tightBelow   float32 = 700
	tighterBelow float32 = 480

	voiceBelow float32 = 900 // for the cards of a clip with a voice: two side by side have more lines
)

func tightnessAt(height float32) tightness {
	switch {
	case height <= 0 || height >= tightBelow:
		return roomy
	case height >= tighterBelow:
		return tight
	}
	return tighter
}

// bottomBar is a bar at the bottom that stands in one row where there is little height.
type bottomBar interface {
	SetLow(low bool)
	// Room is the height that it needs: what it shows for a moment, or because the person asked, stands over what is above it.
	Room() float32
}

// room lays out the column of the viewer and the bar at its bottom, and has both lower where there is little height, so that the medium is in sight.
type room struct{ viewer *Viewer }

// Layout implements fyne.Layout.
func (r room) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	v := r.viewer
	v.setHeight(size.Height)
	left := size.Height
	if len(objects) > 1 {
		height, least := kit.WrappedHeight(objects[1], size.Width), float32(0)
		if bar, ok := v.Feedback.(bottomBar); ok {
			least = bar.Room()
		} else {
			least = height
		}
		kit.PlaceAt(objects[1], 0, size.Height-height, size.Width, height)
		left = max(0, size.Height-least)
	}
	for range 2 { // the heights of what wraps are known once it has a width
		v.pages.setRoom(left - v.column.MinSize().Height + v.pages.both.MinSize().Height)
		kit.PlaceAt(objects[0], 0, 0, size.Width, left)
	}
}

// MinSize implements fyne.Layout. It has no height of its own: the column scrolls where there is too little.
func (room) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.Size{}
	for _, o := range objects {
		least := o.MinSize()
		size = fyne.NewSize(max(size.Width, least.Width), size.Height+least.Height)
	}
	return size
}

// setHeight has cards, the line of what is nearly the same, the medium and the bar as low as there is need.
func (v *Viewer) setHeight(height float32) {
	v.height = height
	if t := tightnessAt(height); v.tightness != t {
		v.tightness = t
		v.showSaid()
		if bar, ok := v.Feedback.(bottomBar); ok {
			bar.SetLow(t != roomy)
		}
	}
	if t := v.cardTightness(); v.cards.main.tightness != t {
		v.cards.setTightness(t)
		v.showNear()
	}
}

// cardTightness is that of the cards and of what is nearly the same. The bar goes by the window alone, since its buttons stay where they are from one
// result to the next.
func (v *Viewer) cardTightness() tightness {
	if v.tightness == roomy && v.shown.HasSound && v.height < voiceBelow {
		return tight
	}
	return v.tightness
}

// showNear shows what is nearly the same in a line of its own, or as a chip beside the name where there is little height.
func (v *Viewer) showNear() {
	roomy := v.cardTightness() == roomy
	v.near.set(v.shown.Near, roomy)
	v.head.setNear(v.shown.Near, !roomy)
}

// showSaid reserves a line for what is said on an action, except where there is little height.
func (v *Viewer) showSaid() {
	kit.SetVisible(v.saidLine, v.tightness == roomy || v.Sandbox || v.said.Text() != "")
}

// saidLayout lays out what was said and, beside it or alone, what is always said.
type saidLayout struct{}

// Layout implements fyne.Layout.
func (*saidLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	left := float32(0)
	if text, ok := objects[0].(*kit.Text); ok && text.Text() != "" && len(objects) > 1 {
		left = min(text.FullWidth(), 0.6*size.Width) + 4*look.Space
	}
	if len(objects) == 1 {
		kit.PlaceAt(objects[0], 0, 0, size.Width, size.Height)
		return
	}
	kit.PlaceAt(objects[0], 0, 0, max(0, left-4*look.Space), size.Height)
	kit.PlaceAt(objects[1], left, 0, size.Width-left, size.Height)
}

// MinSize implements fyne.Layout.
func (*saidLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, objects[0].MinSize().Height)
}
