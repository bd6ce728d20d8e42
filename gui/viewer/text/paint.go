package text

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"assay/gui/look"
)

// paint is the objects of the lines in sight, used again and again.
type paint struct {
	fills  []*canvas.Rectangle
	texts  []*canvas.Text
	nFills int
	nTexts int
	focus  *canvas.Rectangle
	shown  []fyne.CanvasObject
}

func newPaint() *paint {
	return &paint{focus: &canvas.Rectangle{FillColor: color.Transparent, CornerRadius: look.RadiusControl}}
}

func (p *paint) objects() []fyne.CanvasObject { return p.shown }

func (p *paint) words() string {
	var words []string
	for _, t := range p.texts[:min(p.nTexts, 10)] {
		words = append(words, t.Text)
	}
	return strings.Join(words, " ")
}

func (p *paint) fill(x, y, w, h, radius float32, c color.Color) {
	if p.nFills == len(p.fills) {
		p.fills = append(p.fills, &canvas.Rectangle{})
	}
	r := p.fills[p.nFills]
	p.nFills++
	r.FillColor, r.CornerRadius = c, radius
	r.Move(fyne.NewPos(x, y))
	r.Resize(fyne.NewSize(w, h))
	r.Refresh()
}

func (p *paint) text(text string, x, y, w, h, size float32, style fyne.TextStyle, c color.Color) {
	if p.nTexts == len(p.texts) {
		p.texts = append(p.texts, &canvas.Text{})
	}
	t := p.texts[p.nTexts]
	p.nTexts++
	look.SetText(t, text, style)
	t.TextSize, t.Color = size, c
	t.Move(fyne.NewPos(x, y))
	t.Resize(fyne.NewSize(w, h))
	t.Refresh()
}

// frame shows that the text has the focus, round what is in sight.
func (p *paint) frame(top float32, sight fyne.Size, focused bool) {
	p.focus.Hidden = !focused
	p.focus.StrokeColor, p.focus.StrokeWidth = look.Color(look.ColorAccent), 2
	p.focus.Move(fyne.NewPos(1, top+1))
	p.focus.Resize(fyne.NewSize(sight.Width-2, sight.Height-2))
	p.focus.Refresh()
}
