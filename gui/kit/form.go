package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/gui/look"
)

// NewLabelled puts a control under its name, and below it a hint and what is wrong with the input.
func NewLabelled(name string, control, hint fyne.CanvasObject, problem *Paragraph) *fyne.Container {
	setName(control, name)
	column := container.New(Column{Gap: look.Space, Grow: -1}, NewText(name, TextStyle{Weight: look.WeightMedium}), control)
	if hint != nil {
		column.Add(hint)
	}
	if problem != nil {
		column.Add(problem)
	}
	return column
}

// setName gives a name to what is Named in a row of controls.
func setName(control fyne.CanvasObject, name string) {
	switch control := control.(type) {
	case Named:
		control.SetName(name)
	case *fyne.Container:
		for _, each := range control.Objects {
			setName(each, name)
		}
	}
}

// NewHint makes a small, muted sentence that explains a control.
func NewHint(text string) *Paragraph {
	return NewParagraph(text, TextStyle{Size: look.SizeSmall, Color: look.ColorMuted})
}

// NewSection makes a part of a form with its title.
func NewSection(title string, content fyne.CanvasObject) *fyne.Container {
	return container.New(Column{Gap: 1.5 * look.Space, Grow: -1}, NewText(title, TextStyle{Weight: look.WeightBold}), content)
}

// NewRefusal makes the hidden sentence under a field that says why its input is refused. Refuse shows it.
func NewRefusal() *Paragraph {
	p := NewParagraph("", TextStyle{Size: look.SizeSmall, Weight: look.WeightMedium})
	p.Hide()
	return p
}

// Refuse shows why an input is refused, or hides the sentence if it is "".
func Refuse(p *Paragraph, sentence string) {
	p.SetText(sentence)
	SetVisible(p, sentence != "")
}

// Outdented moves a control to the left by its own padding, so that its box is in line with the title.
func Outdented(control fyne.CanvasObject) fyne.CanvasObject {
	const room = 1.5 * look.Space
	return container.New(layout.NewCustomPaddedLayout(0, 0, -room, -room), control)
}

// NewGroup puts objects below each other, with little room between.
func NewGroup(objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(Column{Gap: 2 * look.Space, Grow: -1}, objects...)
}

// NewLockedNote makes a note on why something can't be changed.
func NewLockedNote(why string) fyne.CanvasObject {
	return NewLockedLine(NewHint(why))
}

// NewLockedLine makes a sentence on why something can't be changed, with the icon for that.
func NewLockedLine(why *Paragraph) *fyne.Container {
	icon := container.New(layout.NewCustomPaddedLayout(1, 0, 0, 1.5*look.Space), container.NewVBox(NewIcon(look.IconLock, look.ColorMuted, 14)))
	return container.NewBorder(nil, nil, icon, nil, why)
}

// NewLine makes a horizontal hairline.
func NewLine() fyne.CanvasObject {
	return container.New(AtLeast(look.Hairline), NewFill(look.ColorBorder))
}

// NewWording shows the first of several wordings, longest first, that fits the width: a heading is worded shorter in a narrow window, not cut.
func NewWording(style TextStyle, wordings ...string) fyne.CanvasObject {
	return container.New(wordingLayout(wordings), NewText(wordings[0], style))
}

type wordingLayout []string

// Layout implements fyne.Layout.
func (w wordingLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	text := objects[0].(*Text)
	style := text.Style()
	if style.Size == "" {
		style.Size = look.SizeText
	}
	for _, wording := range w {
		text.SetText(wording)
		if look.Measure(wording, look.Size(style.Size), style.Weight.Style()).Width <= size.Width {
			break
		}
	}
	text.Move(fyne.NewPos(0, 0))
	text.Resize(size)
}

// MinSize implements fyne.Layout.
func (wordingLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }
