package cases

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// casePane shows the chosen case.
type casePane struct {
	screen  *Screen
	root    *fyne.Container
	message *kit.NoticeBar
	title   *kit.Text
	detail  *kit.Text
	head    *fyne.Container
	scroll  *container.Scroll
	content *fyne.Container

	items     *itemGrid
	itemsHead *fyne.Container
	more      *kit.Button // shows all items
	noItems   *kit.Paragraph

	of     Case
	wanted int // how many entries of what happened are shown at least
}

// happenedShown is how many of them are shown at first, and how many more each time.
const happenedShown = 40

func newCasePane(s *Screen) *casePane {
	p := &casePane{screen: s, wanted: happenedShown, message: kit.NewNoticeBar(look.IconInfo),
		title:  kit.NewText("", kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold, Ellipsis: look.EllipsisEnd}),
		detail: kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd})}
	p.items = newItemGrid(s, p.layOut)
	p.more = kit.NewButton(kit.Bare, "", look.IconChevronDown, p.items.unfold)
	p.noItems = kit.NewHint(i18n.T("Nothing is in this case yet."))
	p.itemsHead = container.NewBorder(nil, nil, kit.NewText(i18n.T("Items"), kit.TextStyle{Weight: look.WeightBold}), nil)
	const edge = 4 * look.Space
	p.content = container.New(kit.Column{Gap: 3 * look.Space, Grow: -1}, p.itemsHead, p.noItems, p.items, container.NewHBox(p.more))
	if s.Sandbox {
		p.content.Add(kit.NewHint(i18n.T(present.SandboxNote)))
	}
	padded := container.New(layout.NewCustomPaddedLayout(look.Space, edge, edge, edge), p.content)
	scrolled := kit.NewScroll(padded)
	p.scroll = scrolled.Objects[0].(*container.Scroll)
	p.scroll.OnScrolled = func(fyne.Position) { p.look() }
	p.head = container.New(layout.NewCustomPaddedLayout(3*look.Space, 2*look.Space, edge, edge),
		container.New(kit.Column{Gap: 2, Grow: -1}, p.title, p.detail))
	p.root = container.New(kit.Column{Gap: 0, Grow: 2}, p.head, p.message.Box, container.New(seen{p.look}, scrolled))
	return p
}

// show shows a case.
func (p *casePane) show(c Case) {
	another := p.of.ID != c.ID
	p.of = c
	p.title.SetText(c.Title)
	p.detail.SetText(itemsText(len(c.Items)))
	p.items.set(c.Items, another)
	kit.SetVisible(p.noItems, len(c.Items) == 0)
	if another {
		p.scroll.ScrollToTop()
	}
	p.layOut()
}

// layOut lays out again after heights have changed.
func (p *casePane) layOut() {
	for range 2 {
		kit.RelayoutDeep(p.root)
		kit.SetVisible(p.more, p.items.folded() > 0)
		p.more.SetLabel(i18n.F("Show all %s", i18n.Count(len(p.of.Items))))
	}
	p.scroll.Refresh()
	p.look()
}

// look tells the grid which part of it is in sight.
func (p *casePane) look() {
	top := p.scroll.Offset.Y - p.items.Position().Y - p.content.Position().Y
	p.items.see(top, top+p.scroll.Size().Height)
}

// reveal scrolls as little as possible to bring a part of an object in the content into sight.
func (p *casePane) reveal(o fyne.CanvasObject, top, height float32) {
	top += o.Position().Y + p.content.Position().Y
	switch seen := p.scroll.Size().Height; {
	case top < p.scroll.Offset.Y:
		p.scroll.ScrollToOffset(fyne.NewPos(0, top))
	case top+height > p.scroll.Offset.Y+seen:
		p.scroll.ScrollToOffset(fyne.NewPos(0, top+height-seen))
	}
	p.look()
}

// say shows a sentence above the case, with a button.
func (p *casePane) say(sentence, action string, do func()) {
	if p.message.Say(sentence, action, do) {
		kit.Relayout(p.root)
	}
}

// seen is a layout that gives its object all the room, and tells when that has changed.
type seen struct{ changed func() }

// Layout implements fyne.Layout.
func (l seen) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	kit.PlaceAt(objects[0], 0, 0, size.Width, size.Height)
	l.changed()
}

// MinSize implements fyne.Layout.
func (seen) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }
