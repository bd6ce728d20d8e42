package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// NewChoiceButton makes a button as a row that says what it does: icon, words, a line that explains them, and the key that does the same, such as "Esc";
// key may be empty. Its height follows from the width of the last layout.
func NewChoiceButton(kind Kind, o Option, icon fyne.Resource, key string, onTapped func()) *Button {
	b := &Button{kind: kind, label: o.Words, means: o.Means, key: key, icon: icon, row: true, OnTapped: onTapped}
	b.ExtendBaseWidget(b)
	return b
}

// SetMeans changes the line that explains a button of NewChoiceButton.
func (b *Button) SetMeans(means string) {
	if b.means != means {
		b.means = means
		b.Refresh()
	}
}

const (
	choicePad  float32 = 2.5 * look.Space
	choiceSide float32 = 4 * look.Space
	choiceText         = choiceSide + look.IconSmall + 3*look.Space
	// choiceKeyed is the least width that has room for the key beside the words.
	choiceKeyed float32 = 240
)

// rowRenderer draws a button of NewChoiceButton.
func (b *Button) rowRenderer() fyne.WidgetRenderer {
	background := newControlBackground()
	icon := look.NewGlyph()
	words, means := NewParagraph("", TextStyle{}), NewParagraph("", TextStyle{Size: look.SizeSmall})
	key, edge := NewText(b.key, TextStyle{Size: look.SizeSmall}), newFrame(4)
	const keySide, keyPad = 1.5 * look.Space, 0.5 * look.Space
	r := &renderer{objects: append(append(background.objects(), icon.Raster, words, means), append(edge.objects(), key)...)}
	keyWidth := func() float32 {
		if b.key == "" || b.Size().Width < choiceKeyed {
			return 0
		}
		return key.MinSize().Width + 2*keySide
	}
	height := func() float32 {
		if b.means == "" {
			return words.MinSize().Height + 2*choicePad
		}
		return words.MinSize().Height + means.MinSize().Height + 2*choicePad
	}
	r.minSize = func() fyne.Size { return fyne.NewSize(choiceText+80, height()) }
	r.layout = func(size fyne.Size) {
		background.place(size)
		PlaceAt(icon.Raster, choiceSide, (size.Height-look.IconSmall)/2, look.IconSmall, look.IconSmall)
		end, w := choiceSide, keyWidth()
		edge.outer.Hidden, edge.inner.Hidden, key.Hidden = w == 0, w == 0, w == 0
		if w > 0 {
			high := key.MinSize().Height + 2*keyPad
			edge.place(size.Width-choiceSide-w, (size.Height-high)/2, w, high)
			PlaceAt(key, size.Width-choiceSide-w+keySide, (size.Height-high)/2+keyPad, w-2*keySide, high-2*keyPad)
			end += w + 2*look.Space
		}
		width := max(0, size.Width-choiceText-end)
		for _, p := range []*Paragraph{words, means} { // the width first: the height follows from it
			p.Resize(fyne.NewSize(width, p.Size().Height))
		}
		line := words.MinSize().Height
		if means.Hidden = b.means == ""; means.Hidden {
			PlaceAt(words, choiceText, (size.Height-line)/2, width, line)
			return
		}
		PlaceAt(words, choiceText, choicePad, width, line)
		PlaceAt(means, choiceText, choicePad+line, width, means.MinSize().Height)
	}
	r.refresh = func() {
		ink, muted, outline := look.ColorText, look.ColorMuted, look.ColorBorder
		switch {
		case b.disabled:
			ink, muted = look.ColorDisabled, look.ColorMuted // why it can't be chosen stays readable
		case b.kind == Primary:
			ink, muted, outline = look.ColorOnAccent, look.ColorOnAccent, look.ColorOnAccent
		}
		background.paint(b.kind, b.disabled, b.hovered, b.ring())
		icon.Set(look.Tinted(b.icon, ink))
		words.SetStyle(TextStyle{Weight: look.WeightBold, Color: ink})
		words.SetText(b.label)
		means.SetStyle(TextStyle{Size: look.SizeSmall, Color: muted})
		means.SetText(b.means)
		key.SetColor(muted)
		fill := look.ColorSurface
		switch {
		case b.kind == Primary && b.disabled:
			fill = look.ColorSunk
		case b.kind == Primary:
			fill = look.ColorAccent
		}
		edge.paint(fill, outline, look.Hairline)
		r.layout(b.Size())
		canvas.Refresh(b)
	}
	r.refresh()
	return r
}
