package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Paragraph is text that wraps at words. It never reads markup: text of the service or a person is shown as it is.
// Its height follows from the width that it was last given, as with Fyne's labels.
type Paragraph struct {
	widget.BaseWidget
	text  string
	style TextStyle
}

var _ fyne.Accessible = (*Paragraph)(nil)

// NewParagraph makes a wrapping text. Of the style, Ellipsis, MinWidth and Tabular have no effect.
func NewParagraph(text string, style TextStyle) *Paragraph {
	p := &Paragraph{text: text, style: style}
	p.ExtendBaseWidget(p)
	return p
}

// Text returns the text.
func (p *Paragraph) Text() string { return p.text }

// SetText changes the text.
func (p *Paragraph) SetText(text string) {
	if p.text == text {
		return
	}
	p.text = text
	p.Refresh()
}

// SetStyle changes how it looks.
func (p *Paragraph) SetStyle(style TextStyle) {
	if p.style == style {
		return
	}
	p.style = style
	p.Refresh()
}

// AccessibilityLabel implements fyne.Accessible.
func (p *Paragraph) AccessibilityLabel() string { return p.text }

// AccessibilityRole implements fyne.Accessible.
func (p *Paragraph) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// CreateRenderer implements fyne.Widget.
func (p *Paragraph) CreateRenderer() fyne.WidgetRenderer {
	r := &paragraphRenderer{of: p}
	r.Refresh()
	return r
}

// paragraphRenderer draws a paragraph line by line.
type paragraphRenderer struct {
	of      *Paragraph
	width   float32 // for which the lines were broken; 0: at their ends alone
	high    float32 // of a line
	lines   []string
	texts   []*canvas.Text
	objects []fyne.CanvasObject
}

func (r *paragraphRenderer) Destroy()                     {}
func (r *paragraphRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *paragraphRenderer) MinSize() fyne.Size {
	if r.of.text == "" {
		return fyne.NewSize(0, look.Size(r.of.style.size()))
	}
	return fyne.NewSize(0, float32(len(r.lines))*r.high)
}

func (r *paragraphRenderer) Layout(size fyne.Size) {
	if width := max(0, size.Width); width != r.width {
		r.width = width
		r.Refresh()
		return
	}
	for i, t := range r.texts[:len(r.lines)] {
		place(t, 0, float32(i)*r.high, size.Width, r.high)
	}
}

func (r *paragraphRenderer) Refresh() {
	style := r.of.style
	size, ink := look.Size(style.size()), look.Color(style.color())
	r.high = look.Measure("M", size, style.fyneStyle()).Height
	r.lines = breakLines(r.of.text, r.width, size, style.fyneStyle())
	r.objects = r.objects[:0:0]
	for i, line := range r.lines {
		if i == len(r.texts) {
			r.texts = append(r.texts, canvas.NewText("", nil))
		}
		t := r.texts[i]
		look.SetText(t, line, style.fyneStyle())
		t.TextSize, t.Color, t.Alignment = size, ink, style.Align
		r.objects = append(r.objects, t)
	}
	r.Layout(r.of.Size())
	for _, o := range r.objects {
		o.Refresh()
	}
	canvas.Refresh(r.of)
}
