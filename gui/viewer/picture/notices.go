package picture

import (
	"fyne.io/fyne/v2"

	"assay/gui/kit"
	"assay/gui/look"
)

// atFoot lays notices out at the foot of the picture, in its middle, the last one lowest; at the top where there is no picture.
type atFoot struct {
	picture fyne.CanvasObject
	rise    float32 // by how much they are higher
}

const (
	noticeInset         = 2 * look.Space
	noticeWidth float32 = 560
)

// Layout implements fyne.Layout.
func (l *atFoot) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := size.Height - l.rise
	width := min(noticeWidth, max(0, size.Width-2*noticeInset))
	if !l.picture.Visible() {
		y = 0
		for _, o := range objects {
			if o.Visible() {
				y += kit.WrappedHeight(o, width) + noticeInset
			}
		}
	}
	for i := len(objects) - 1; i >= 0; i-- {
		if !objects[i].Visible() {
			continue
		}
		height := kit.WrappedHeight(objects[i], width)
		y -= height + noticeInset
		kit.PlaceAt(objects[i], (size.Width-width)/2, max(0, y), width, height)
	}
}

// MinSize implements fyne.Layout. It asks for no room: the picture has it.
func (*atFoot) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
