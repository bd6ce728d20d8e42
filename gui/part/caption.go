package part

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"assay/gui/look"
)

// A caption lies over a photo of any colour: its own are the same in light and dark.
var (
	captionFill = color.NRGBA{R: 0x12, G: 0x14, B: 0x18, A: 0xd9}
	captionInk  = color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
)

// maxCaptionLines bounds how much of a picture its caption may cover.
const maxCaptionLines = 3

// Caption is a few lines of text on a dark ground at a picture's foot.
type Caption struct {
	Text   string
	ground *canvas.Rectangle
	lines  [maxCaptionLines]*canvas.Text
}

// NewCaption makes an empty caption.
func NewCaption() *Caption {
	c := &Caption{ground: canvas.NewRectangle(captionFill)}
	c.ground.CornerRadius = 6
	for i := range c.lines {
		c.lines[i] = canvas.NewText("", captionInk)
	}
	return c
}

// Objects are what is to be drawn over the picture.
func (c *Caption) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{c.ground}
	for _, line := range c.lines {
		objects = append(objects, line)
	}
	return objects
}

// Place lays the caption into the lower left corner of an area, and hides it where there is no text.
func (c *Caption) Place(area fyne.Size) {
	const inset, padX, padY = 2.5 * look.Space, 2 * look.Space, look.Space
	SetVisible(c.ground, c.Text != "")
	size := look.Size(look.SizeCaption)
	lines := wrap(c.Text, area.Width-2*(inset+padX), size)
	var words fyne.Size
	for _, line := range lines {
		measured := fyne.MeasureText(line, size, fyne.TextStyle{})
		words = fyne.NewSize(max(words.Width, measured.Width), words.Height+measured.Height)
	}
	box := fyne.NewSize(words.Width+2*padX, words.Height+2*padY)
	c.ground.Resize(box)
	c.ground.Move(fyne.NewPos(inset, area.Height-inset-box.Height))
	y := area.Height - inset - box.Height + padY
	for i, line := range c.lines {
		SetVisible(line, i < len(lines) && c.Text != "")
		if i >= len(lines) {
			continue
		}
		line.Text, line.TextSize = lines[i], size
		line.Resize(fyne.MeasureText(lines[i], size, fyne.TextStyle{}))
		line.Move(fyne.NewPos(inset+padX, y))
		y += line.Size().Height
		line.Refresh()
	}
	c.ground.Refresh()
}

// wrap breaks a text at words into at most maxCaptionLines lines of a width; what does not fit ends in an ellipsis.
func wrap(text string, width, size float32) []string {
	var lines []string
	line := ""
	words := strings.Fields(text)
	for i, word := range words {
		longer := strings.TrimSpace(line + " " + word)
		if line == "" || fyne.MeasureText(longer, size, fyne.TextStyle{}).Width <= width {
			line = longer
			continue
		}
		if len(lines) == maxCaptionLines-1 {
			line = line + " " + strings.Join(words[i:], " ")
			break
		}
		lines = append(lines, line)
		line = word
	}
	return append(lines, look.Fit(line, width, size, fyne.TextStyle{}, look.EllipsisEnd))
}
