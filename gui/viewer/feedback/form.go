package feedback

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client"
	"assay/client/i18n"
	"assay/client/verdict"
	"assay/gui/kit"
	"assay/gui/look"
)

// form is the form for label, category and comment.
type form struct {
	root       *fyne.Container
	choice     Choice
	labels     []*kit.Chip
	categories []*kit.Chip
	comment    *commentEntry
	send       *kit.Button
}

func newForm(send func(c client.Category, l client.Label, comment string), leave func()) *form {
	f := &form{}
	give := func(comment string) { send(f.choice.Category, f.choice.Label, comment) }
	var labels, categories []fyne.CanvasObject
	caption := func(text string) fyne.CanvasObject {
		return centred(kit.NewText(text, kit.TextStyle{Color: look.ColorMuted, Size: look.SizeSmall}))
	}
	labels = append(labels, caption(i18n.T("Your desk says")))
	for _, l := range client.Labels() {
		chip := kit.NewChip(look.MarkNone, verdict.Label(l), func() { f.choice.Label = l; f.fill() })
		f.labels, labels = append(f.labels, chip), append(labels, centred(chip))
	}
	categories = append(categories, caption(i18n.T("About the result")))
	for _, c := range client.Categories() {
		chip := kit.NewChip(look.MarkNone, CategoryWord(c), func() { f.choice.Category = c; f.fill() })
		f.categories, categories = append(f.categories, chip), append(categories, centred(chip))
	}
	f.comment = newCommentEntry(give, leave)
	f.comment.PlaceHolder = i18n.T("A comment for the service, if you like")
	f.send = kit.NewButton(kit.Plain, i18n.T("Send"), look.IconArrowUp, func() { give(f.comment.Text) })
	cancel := kit.NewButton(kit.Bare, i18n.T("Cancel"), nil, leave)
	flow := func(objects []fyne.CanvasObject) fyne.CanvasObject {
		return container.New(&kit.Flow{Gap: 2 * look.Space, Line: 0}, objects...)
	}
	f.root = container.New(kit.Column{Gap: look.Space, Grow: -1}, flow(labels), flow(categories),
		container.NewBorder(nil, nil, nil, container.NewHBox(f.send, cancel), f.comment))
	return f
}

// open opens it, empty.
func (f *form) open() {
	f.choice = OtherFeedback()
	f.comment.SetText("")
	f.fill()
	f.root.Show()
}

// Hide closes it.
func (f *form) Hide() { f.root.Hide() }

func (f *form) fill() {
	for i, l := range client.Labels() {
		f.labels[i].Set(verdict.Label(l), l == f.choice.Label)
	}
	for i, c := range client.Categories() {
		f.categories[i].Set(CategoryWord(c), c == f.choice.Category)
	}
}

func (b *Bar) openForm() {
	if b.form.root.Visible() {
		b.closeForm()
		return
	}
	b.form.open()
	b.laidOut()
	b.focusOn(b.form.labels[0])
}

func (b *Bar) closeForm() {
	b.form.Hide()
	b.laidOut()
	b.focusFirst()
}

// longestComment is how many characters a comment may have.
const longestComment = 1000

// commentEntry is a field of one line. Enter confirms the text, Esc drops it.
type commentEntry struct {
	kit.Field
	leave func()
}

func newCommentEntry(written func(string), leave func()) *commentEntry {
	e := &commentEntry{leave: leave}
	e.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	e.ExtendBaseWidget(e)
	e.PlaceHolder = i18n.T("A comment for the service: Enter saves it, Esc discards it")
	e.OnChanged = func(text string) {
		if long := []rune(text); len(long) > longestComment {
			e.SetText(string(long[:longestComment]))
		}
	}
	e.OnSubmitted = written
	return e
}

// TypedKey implements fyne.Focusable.
func (e *commentEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		e.leave()
		return
	}
	e.Field.TypedKey(k)
}

// Writes reports whether a judgement or its comment is being filled in.
func (b *Bar) Writes() bool { return b.form.root.Visible() || b.writing != "" }
