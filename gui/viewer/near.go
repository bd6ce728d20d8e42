package viewer

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/client/verdict"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// nearRow is the line about what is nearly the same as the result that is shown: the nearest, and how many others. It is filled together with the rest of
// the result, so that nothing moves when it comes.
type nearRow struct {
	root     *fyne.Container
	line     *nearLine
	more     *kit.Button
	note     *kit.Text
	all      []present.Near
	compare  func(present.Near)
	compared func([]present.Near)
}

// newNearRow makes a hidden row. compare shows one beside what is shown, list all of them.
func newNearRow(compare func(present.Near), list func([]present.Near)) *nearRow {
	r := &nearRow{compare: compare, compared: list, line: newNearLine(compare)}
	r.more = kit.NewButton(kit.Bare, "", nil, func() { r.compared(r.all) })
	r.note = kit.NewText(i18n.T(present.NearNote), kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd})
	card := kit.NewCard(container.New(layout.NewCustomPaddedLayout(0, 0, 2*look.Space, 2*look.Space), container.New(&nearLayout{}, kit.NewIcon(look.IconNearly, look.ColorMuted, 16), r.line.sentence, r.line.mark, r.line.words, r.line.button, r.more, r.note)))
	card.SetPadding(look.Space)
	r.root = container.NewStack(card)
	r.root.Hide()
	return r
}

func (r *nearRow) set(all []present.Near) {
	r.all = all
	kit.SetVisible(r.root, len(all) > 0)
	if len(all) == 0 {
		return
	}
	r.line.set(all[0])
	r.more.SetLabel(verdict.AndMore(len(all) - 1))
	kit.SetVisible(r.more, len(all) > 1)
	r.root.Refresh()
}

// nearLine says of one result that it is nearly the same, with its own verdict, and opens it.
type nearLine struct {
	near     present.Near
	sentence *kit.Text
	mark     *kit.MarkIcon
	words    *kit.Text
	button   *kit.Button
}

func newNearLine(compare func(present.Near)) *nearLine {
	l := &nearLine{
		sentence: kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Weight: look.WeightMedium, Ellipsis: look.EllipsisMiddle, MinWidth: 80}),
		mark:     kit.NewMarkIcon(look.MarkNone, kit.RowSign),
		words:    kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd, MinWidth: 60}),
	}
	l.button = kit.NewButton(kit.Bare, "", nil, func() { compare(l.near) })
	return l
}

func (l *nearLine) set(n present.Near) {
	l.near = n
	l.sentence.SetText(n.Sentence)
	l.mark.SetMark(look.Mark(n.Mark))
	l.words.SetText(n.Words)
	l.button.SetLabel(i18n.T("Open"))
	if n.Compared {
		l.button.SetLabel(i18n.T("Compare"))
	}
}

// nearLayout lays out icon, sentence, mark, words, two buttons and the note in a line; the note is below them where there is little room.
type nearLayout struct{ width float32 } // of the last layout

const nearGap = 2 * look.Space

// inLine reports whether the note has room in the line, and how wide the words of the line want to be.
func (*nearLayout) inLine(objects []fyne.CanvasObject, width float32) (in bool, wanted float32) {
	for _, o := range objects[:6] {
		if o.Visible() {
			wanted += full(o) + nearGap
		}
	}
	return wanted+full(objects[6]) <= width, wanted
}

// full is how wide an object is where nothing of it is left out.
func full(o fyne.CanvasObject) float32 {
	if text, ok := o.(*kit.Text); ok {
		return text.FullWidth()
	}
	return o.MinSize().Width
}

// Layout implements fyne.Layout.
func (l *nearLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	in, wanted := l.inLine(objects, size.Width)
	line := l.lineHeight(objects)
	short := float32(0) // what the sentence and the words have to give up, the words the half of what they have at most
	if !in {
		short = max(0, wanted-nearGap-size.Width)
	}
	x := float32(0)
	for i, o := range objects[:6] {
		if !o.Visible() {
			continue
		}
		width := full(o)
		switch i {
		case 1:
			width = max(o.MinSize().Width, width-short)
			short = max(0, short-(full(o)-width))
		case 3:
			width = max(o.MinSize().Width, width-short)
		}
		height := o.MinSize().Height
		kit.PlaceAt(o, x, (line-height)/2, width, height)
		x += width + nearGap
	}
	note := objects[6]
	height := note.MinSize().Height
	if in {
		width := full(note)
		kit.PlaceAt(note, size.Width-width, (line-height)/2, width, height)
		return
	}
	left := objects[1].Position().X
	kit.PlaceAt(note, left, line, max(0, size.Width-left), height)
}

func (*nearLayout) lineHeight(objects []fyne.CanvasObject) float32 {
	height := float32(0)
	for _, o := range objects[:6] {
		height = max(height, o.MinSize().Height)
	}
	return height
}

// MinSize implements fyne.Layout.
func (l *nearLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	width := float32(0)
	for _, o := range objects[:6] {
		if o.Visible() {
			width += o.MinSize().Width + nearGap
		}
	}
	height := l.lineHeight(objects)
	if in, _ := l.inLine(objects, l.width); !in {
		height += objects[6].MinSize().Height
	}
	return fyne.NewSize(width, height)
}

// NearList shows all that is nearly the same, for a sheet.
func NearList(all []present.Near, compare func(present.Near)) fyne.CanvasObject {
	rows := container.New(kit.Column{Gap: 2 * look.Space, Grow: -1})
	for _, n := range all {
		l := newNearLine(compare)
		l.set(n)
		words := container.New(kit.Column{Gap: 0, Grow: -1}, l.sentence, container.NewBorder(nil, nil, container.NewCenter(l.mark), nil,
			container.New(layout.NewCustomPaddedLayout(0, 0, look.Space, 0), l.words)))
		rows.Add(container.NewBorder(nil, nil, nil, container.NewCenter(l.button), words))
	}
	rows.Add(kit.NewHint(i18n.T(present.NearNote)))
	return rows
}
