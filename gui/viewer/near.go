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

// set shows what is nearly the same, if there is room for the row.
func (r *nearRow) set(all []present.Near, room bool) {
	r.all = all
	kit.SetVisible(r.root, len(all) > 0 && room)
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

// nearLayout lays out icon, sentence, mark, words, two buttons and the note in a line. Where they have no room in it, the mark, the words and the note are below
// the sentence.
type nearLayout struct{ width float32 } // of the last layout

const nearGap = 2 * look.Space

// The places of its objects.
const (
	nearIcon = iota
	nearSentence
	nearMark
	nearWords
	nearButton
	nearMore
	nearNote
)

// noteLeast is the least width of the note in a line with all else: its tooltip has it whole.
const noteLeast float32 = 72

// beforeNote is how wide all but the note is where nothing of it is left out.
func beforeNote(objects []fyne.CanvasObject) (width float32) {
	for _, o := range objects[:nearNote] {
		if o.Visible() {
			width += full(o) + nearGap
		}
	}
	return width + nearGap
}

// inLine reports whether all has room in a line.
func (l *nearLayout) inLine(objects []fyne.CanvasObject) bool {
	return beforeNote(objects)+noteLeast <= l.width
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
	first, second := l.heights(objects)
	// row places objects in a line; each is as wide as it wants to be, and no wider than what those after it, as they want to be, leave.
	row := func(x, y, height float32, places ...int) {
		for i, place := range places {
			o := objects[place]
			if !o.Visible() {
				continue
			}
			if place == nearNote && i > 0 {
				x += 2 * nearGap
			}
			rest := size.Width - x
			for _, later := range places[i+1:] {
				if later != nearNote && objects[later].Visible() {
					rest -= full(objects[later]) + nearGap
				}
			}
			width := min(full(o), max(o.MinSize().Width, rest))
			kit.PlaceAt(o, x, y+(height-o.MinSize().Height)/2, width, o.MinSize().Height)
			x += width + nearGap
		}
	}
	if l.inLine(objects) {
		row(0, 0, first, nearIcon, nearSentence, nearMark, nearWords, nearButton, nearMore)
		note := objects[nearNote]
		width := min(full(note)+1, size.Width-beforeNote(objects))
		kit.PlaceAt(note, size.Width-width, (first-note.MinSize().Height)/2, width, note.MinSize().Height)
		return
	}
	row(0, 0, first, nearIcon, nearSentence, nearButton, nearMore)
	row(objects[nearSentence].Position().X, first, second, nearMark, nearWords, nearNote)
}

// heights are those of the line and of what is below it.
func (l *nearLayout) heights(objects []fyne.CanvasObject) (first, second float32) {
	for place, o := range objects {
		switch height := o.MinSize().Height; place {
		case nearMark, nearWords, nearNote:
			second = max(second, height)
		default:
			first = max(first, height)
		}
	}
	return first, second
}

// MinSize implements fyne.Layout.
func (l *nearLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	first, second := l.heights(objects)
	if !l.inLine(objects) {
		first += second + look.Space
	}
	width := float32(0)
	for _, place := range []int{nearIcon, nearSentence, nearButton, nearMore} {
		if objects[place].Visible() {
			width += objects[place].MinSize().Width + nearGap
		}
	}
	return fyne.NewSize(width, first)
}

// NearList shows all that is nearly the same, for a sheet.
func NearList(all []present.Near, compare func(present.Near)) fyne.CanvasObject {
	rows := container.New(kit.Column{Gap: 2 * look.Space, Grow: -1})
	for _, n := range all {
		l := newNearLine(compare)
		l.set(n)
		sentence := kit.NewParagraph(n.Sentence, kit.TextStyle{Size: look.SizeSmall, Weight: look.WeightMedium}) // a sheet shows no tooltips
		words := container.New(kit.Column{Gap: 0, Grow: -1}, sentence, container.NewBorder(nil, nil, container.NewCenter(l.mark), nil,
			container.New(layout.NewCustomPaddedLayout(0, 0, look.Space, 0), l.words)))
		rows.Add(container.NewBorder(nil, nil, nil, container.NewCenter(l.button), words))
	}
	rows.Add(kit.NewHint(i18n.T(present.NearNote)))
	return rows
}
