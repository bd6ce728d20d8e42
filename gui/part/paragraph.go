package part

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
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
	segment := &widget.TextSegment{}
	rich := widget.NewRichText(segment)
	rich.Wrapping = fyne.TextWrapWord
	// Rich text pads itself on all sides; a paragraph is flush with what stands above and below it.
	pad := func() float32 { return theme.Size(theme.SizeNameInnerPadding) }
	dress := func() {
		segment.Text = p.text
		segment.Style = widget.RichTextStyle{
			Alignment: p.style.Align, ColorName: p.style.color(), SizeName: p.style.size(), TextStyle: p.style.fyneStyle(),
		}
		rich.Refresh()
	}
	dress()
	return &renderer{
		objects: []fyne.CanvasObject{rich},
		layout: func(size fyne.Size) {
			place(rich, -pad(), -pad(), size.Width+2*pad(), size.Height+2*pad())
		},
		minSize: func() fyne.Size {
			if p.text == "" {
				return fyne.NewSize(0, look.Size(p.style.size()))
			}
			return rich.MinSize().SubtractWidthHeight(2*pad(), 2*pad())
		},
		refresh: dress,
	}
}
