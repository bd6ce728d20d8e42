package compare

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// head says what is compared, and leads back.
type head struct {
	root    *fyne.Container
	title   *kit.Text
	content *kit.Text
	human   *fyne.Container // that the verdict changed, and that nobody has looked at it
}

func newHead(back func()) *head {
	h := &head{
		title:   kit.NewText("", kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold, Ellipsis: look.EllipsisMiddle}),
		content: kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}),
	}
	button := kit.NewButton(kit.Plain, "", look.IconChevronLeft, back)
	button.SetToolTip(i18n.T("Back (Esc)"))
	words := kit.NewText(i18n.T("needs a human"), kit.TextStyle{Size: look.SizeSmall, Weight: look.WeightMedium})
	pill := kit.NewCard(container.New(layout.NewCustomPaddedLayout(look.Space, look.Space, 2.5*look.Space, 3*look.Space),
		container.New(layout.NewCustomPaddedHBoxLayout(1.5*look.Space), kit.NewIcon(look.IconQuestion, look.ColorText, 16), words)))
	pill.SetPadding(0)
	h.human = container.NewCenter(pill)
	h.root = container.New(headLayout{}, container.NewCenter(button),
		container.New(layout.NewCustomPaddedVBoxLayout(0), h.title, h.content), h.human)
	return h
}

func (h *head) set(m Model) {
	h.title.SetText(m.Title)
	h.content.SetText(m.Content)
	kit.SetVisible(h.human, m.NeedsHuman)
	h.root.Refresh()
}

// headLayout lays out what is at the left with its own width, then the words, and what is at the right with its own.
type headLayout struct{}

// Layout implements fyne.Layout.
func (headLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	left, right := objects[0].MinSize().Width, float32(0)
	kit.PlaceAt(objects[0], 0, 0, left, size.Height)
	if objects[2].Visible() {
		right = objects[2].MinSize().Width
		kit.PlaceAt(objects[2], size.Width-right, 0, right, size.Height)
	}
	words := objects[1].MinSize().Height
	kit.PlaceAt(objects[1], left+screenGap, (size.Height-words)/2, max(size.Width-left-right-2*screenGap, 0), words)
}

// MinSize implements fyne.Layout.
func (headLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(screenGap, 0)
	for _, o := range objects {
		least := o.MinSize()
		size.Width += least.Width
		size.Height = max(size.Height, least.Height)
	}
	return size
}

// foot has the ways on from the comparison.
type foot struct {
	root *fyne.Container
	open [2]*kit.Button
	seen *kit.Button
}

func newFoot(open func(i int), seen, report func()) *foot {
	f := &foot{seen: kit.NewButton(kit.Plain, i18n.T("Mark as seen by a person"), look.IconCheck, seen)}
	for i := range f.open {
		f.open[i] = kit.NewButton(kit.Bare, "", nil, func() { open(i) })
	}
	row := container.New(&kit.ButtonRows{}, f.open[0], f.open[1], f.seen, kit.NewButton(kit.Primary, i18n.T("Report…"), look.IconReport, report))
	f.root = container.New(kit.Column{Gap: 0, Grow: 1}, kit.NewLine(), container.NewStack(kit.NewFill(look.ColorSurface),
		container.New(layout.NewCustomPaddedLayout(2.5*look.Space, 2.5*look.Space, screenEdge, screenEdge), row)))
	return f
}

func (f *foot) set(m Model) {
	labels := [2]string{i18n.T("Open the earlier answer"), i18n.T("Open the later answer")}
	if !m.Same {
		labels = [2]string{i18n.T("Open the left one"), i18n.T("Open the right one")}
	}
	for i, label := range labels {
		f.open[i].SetLabel(label)
	}
	kit.SetVisible(f.open[1], m.Sides[0].ID != m.Sides[1].ID)
	kit.SetVisible(f.seen, m.NeedsHuman)
	f.root.Refresh()
}

// changeCard says in a sentence what changed.
type changeCard struct {
	root     *kit.Card
	text     *kit.Paragraph
	sentence string
}

func newChangeCard() *changeCard {
	c := &changeCard{text: kit.NewParagraph("", kit.TextStyle{})}
	title := kit.NewText(i18n.T("What changed"), kit.TextStyle{Weight: look.WeightBold})
	c.root = kit.NewCard(container.New(changeLayout{}, title, c.text))
	c.root.SetPadding(3 * look.Space)
	return c
}

func (c *changeCard) set(sentence string) {
	c.sentence = sentence
	c.text.SetText(sentence)
}

// fail says below it what went wrong.
func (c *changeCard) fail(problem string) { c.text.SetText(c.sentence + "\n" + problem) }

// changeLayout puts the title before the first line.
type changeLayout struct{}

// Layout implements fyne.Layout.
func (changeLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	title := objects[0].MinSize()
	kit.PlaceAt(objects[0], 0, 0, title.Width, title.Height)
	kit.PlaceAt(objects[1], title.Width+screenGap, 0, size.Width-title.Width-screenGap, size.Height)
}

// MinSize implements fyne.Layout.
func (changeLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	title, text := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(title.Width+screenGap+text.Width, max(title.Height, text.Height))
}
