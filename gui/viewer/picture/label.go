package picture

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"assay/gui/kit"
	"assay/gui/look"
)

// The colours of text on a photo, which has a background of its own since the photo may have any colour; they are the same in light and dark.
var (
	labelFill = color.NRGBA{R: 0x12, G: 0x14, B: 0x18, A: 0xd9}
	labelInk  = color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
	plateFill = color.NRGBA{R: 0x12, G: 0x14, B: 0x18, A: 0xff}
)

// maxLabelLines limits how much of the picture a label covers.
const maxLabelLines = 7

// label is some short lines on the picture, of which the first of several is the title.
type label struct {
	lines  []string
	ground *canvas.Rectangle
	texts  [maxLabelLines]*canvas.Text
}

func newLabel() *label {
	l := &label{ground: canvas.NewRectangle(labelFill)}
	l.ground.CornerRadius = 6
	for i := range l.texts {
		l.texts[i] = canvas.NewText("", labelInk)
	}
	return l
}

func (l *label) objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{l.ground}
	for _, text := range l.texts {
		objects = append(objects, text)
	}
	return objects
}

// corner is where in an area a label is: 0 for left or top, 1 for right or bottom.
type corner struct{ x, y float32 }

// place places the label in an area, and hides it if it has no lines or there is no room.
func (l *label) place(at fyne.Position, area fyne.Size, where corner) {
	const inset, padX, padY = 2.5 * look.Space, 2 * look.Space, look.Space
	size := look.Size(look.SizeCaption)
	room := area.Width - 2*(inset+padX)
	lines := l.lines
	if len(lines) > maxLabelLines {
		lines = lines[:maxLabelLines]
	}
	shown := len(lines) > 0 && room > 24
	words := fyne.NewSize(0, 0)
	for i, text := range l.texts {
		if i < len(lines) && shown {
			weight := look.WeightRegular
			if i == 0 && len(lines) > 1 {
				weight = look.WeightBold
			}
			look.SetText(text, look.Fit(lines[i], room, size, weight.Style(), look.EllipsisEnd), weight.Style())
			text.TextSize = size
			measured := look.Measure(text.Text, size, text.TextStyle)
			text.Resize(measured)
			words = fyne.NewSize(max(words.Width, measured.Width), words.Height+measured.Height)
		}
		kit.SetVisible(text, i < len(lines) && shown)
	}
	box := fyne.NewSize(words.Width+2*padX, words.Height+2*padY)
	left := at.X + inset + where.x*(area.Width-2*inset-box.Width)
	top := at.Y + inset + where.y*(area.Height-2*inset-box.Height)
	l.ground.Move(fyne.NewPos(left, top))
	l.ground.Resize(box)
	kit.SetVisible(l.ground, shown)
	y := top + padY
	for i := range lines {
		l.texts[i].Move(fyne.NewPos(left+padX, y))
		y += l.texts[i].Size().Height
		l.texts[i].Refresh()
	}
	l.ground.Refresh()
}
