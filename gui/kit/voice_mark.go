package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"assay/gui/look"
)

// VoiceMark is the mark of a clip's voice behind a loudspeaker, on a ground of its own in a corner of the picture: where there is no room for words, and
// the voice has another mark than the picture.
type VoiceMark struct {
	widget.BaseWidget
	ground *canvas.Rectangle
	sign   *Icon
	mark   *MarkIcon
}

const voiceMarkSide float32 = 13

var voiceMarkSize = fyne.NewSize(2*voiceMarkSide+2.5*look.Space, voiceMarkSide+1.5*look.Space)

// NewVoiceMark makes one that is hidden until SetMark.
func NewVoiceMark() *VoiceMark {
	v := &VoiceMark{ground: &canvas.Rectangle{CornerRadius: 4}, sign: NewIcon(look.IconSound, look.ColorText, voiceMarkSide), mark: NewMarkIcon(look.MarkNone, voiceMarkSide)}
	v.ExtendBaseWidget(v)
	v.Hide()
	return v
}

// SetMark shows a mark; look.MarkNone hides it with the loudspeaker.
func (v *VoiceMark) SetMark(mark look.Mark) {
	v.mark.SetMark(mark)
	SetVisible(v, mark != look.MarkNone)
}

// PlaceIn places it in the lower right corner of a picture that ends at right and below.
func (v *VoiceMark) PlaceIn(right, below float32) {
	PlaceAt(v, right-voiceMarkSize.Width-look.Space, below-voiceMarkSize.Height-look.Space, voiceMarkSize.Width, voiceMarkSize.Height)
}

// CreateRenderer implements fyne.Widget.
func (v *VoiceMark) CreateRenderer() fyne.WidgetRenderer {
	paint := func() { v.ground.FillColor = look.Color(look.ColorSurface) }
	paint()
	return NewRenderer([]fyne.CanvasObject{v.ground, v.sign, v.mark}, voiceMarkSize, func(size fyne.Size) {
		v.ground.Resize(size)
		PlaceInRow(v.sign, 0.75*look.Space, size.Height, voiceMarkSide, voiceMarkSide)
		PlaceInRow(v.mark, size.Width-0.75*look.Space-voiceMarkSide, size.Height, voiceMarkSide, voiceMarkSide)
	}, paint)
}
