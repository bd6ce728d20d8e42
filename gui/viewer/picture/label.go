package picture

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"assay/gui/kit"
	"assay/gui/look"
)

// What is written on a photo lies on a ground of its own, the same in light and dark: the photo may be of any colour.
var (
	labelFill = color.NRGBA{R: 0x12, G: 0x14, B: 0x18, A: 0xd9}
	labelInk  = color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
	plateFill = color.NRGBA{R: 0x12, G: 0x14, B: 0x18, A: 0xff}
)

// maxLabelLines bounds how much of a picture a label may cover.
const maxLabelLines = 7

// maxCaptionLines bounds the same of a caption.
const maxCaptionLines = 3

// label is a few short lines on the picture; the first of several is its title. Or it is a caption: one text, which wraps.
type label struct {
	lines  []string
	wraps  bool
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

// corner is where in an area a label stands: 0 left or top, 1 right or bottom.
type corner struct{ x, y float32 }

// place lays the label into an area, and hides it where it has no lines or no room.
func (l *label) place(at fyne.Position, area fyne.Size, where corner) {
	const inset, padX, padY = 2.5 * look.Space, 2 * look.Space, look.Space
	size := look.Size(look.SizeCaption)
	room := area.Width - 2*(inset+padX)
	lines := l.lines
	if l.wraps && len(lines) > 0 {
		lines = wrapCaption(lines[0], room, size)
	}
	if len(lines) > maxLabelLines {
		lines = lines[:maxLabelLines]
	}
	shown := len(lines) > 0 && room > 24
	words := fyne.NewSize(0, 0)
	for i, text := range l.texts {
		if i < len(lines) && shown {
			weight := look.WeightRegular
			if i == 0 && len(lines) > 1 && !l.wraps {
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

// wrapCaption breaks a text at words into at most maxCaptionLines lines of a width; what does not fit ends in an ellipsis.
func wrapCaption(text string, width, size float32) []string {
	lines := kit.BreakLines(strings.Join(strings.Fields(text), " "), width, size, fyne.TextStyle{})
	if len(lines) > maxCaptionLines {
		lines = append(lines[:maxCaptionLines-1], strings.Join(lines[maxCaptionLines-1:], " "))
	}
	last := len(lines) - 1
	lines[last] = look.Fit(lines[last], width, size, fyne.TextStyle{}, look.EllipsisEnd)
	return lines
}
