package cases

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// casePane shows the chosen case: its head, what is in it, and what happened.
type casePane struct {
	screen  *Screen
	root    *fyne.Container
	message *kit.NoticeBar

	head        *fyne.Container
	line        *fyne.Container // of the title
	back        *fyne.Container // the button to the list, in a narrow window
	again       *kit.Button     // scans the items again
	share       *kit.Button     // shares the case, or shows who is in it
	title       *kit.Text
	state       *kit.Select
	detail      *kit.Text
	under       *fyne.Container // detail, and who else has the case open
	viewers     *kit.Text
	viewersMark *kit.Icon
	tags        *fyne.Container
	tabs        *kit.Tabs // the case or what happened, where there is no room for both
	body        *fyne.Container

	scroll  *container.Scroll
	padded  *fyne.Container
	content *fyne.Container

	items      *itemGrid
	more       *kit.Button // shows all items
	moreLine   *fyne.Container
	noItems    *kit.Paragraph
	stays      *fyne.Container // what is not shared of a shared case
	staysWords *kit.Paragraph
	shareItems *kit.Button
	files      *fyne.Container // offers to share files themselves
	shareFiles *kit.Button
	checks     *checksCard
	questions  *questionsCard
	judgements *judgementsCard
	conclusion *conclusionCard
	buttons    []*kit.Button // of all these
	feed       *feed

	of     Case
	held   *Case // what is shown once the pointer has left what can be clicked; nil: nothing waits
	wanted int   // how many entries of what happened are shown at least
}

// happenedShown is how many of them are shown at first, and how many more each time.
const happenedShown = 40

func newCasePane(s *Screen) *casePane {
	p := &casePane{screen: s, wanted: happenedShown, message: kit.NewNoticeBar(look.IconInfo)}
	p.items = newItemGrid(s, p.layOut)
	p.more = kit.NewButton(kit.Bare, "", look.IconChevronDown, p.items.unfold)
	p.moreLine = container.New(layout.NewCustomPaddedLayout(0, 0, -2.5*look.Space, 0), container.NewHBox(p.more))
	p.noItems = kit.NewHint(i18n.T("This case is empty. Add results, or drop files here: they are checked and added to the case."))
	p.judgements = newJudgementsCard(s)
	p.checks, p.questions, p.conclusion, p.feed = newChecksCard(s), newQuestionsCard(s), newConclusionCard(s), newFeed(s)
	add := kit.NewButton(kit.Bare, i18n.T("Add…"), look.IconPlus, s.AddItems)
	p.buttons = []*kit.Button{add, p.more, p.checks.look, p.questions.ask, p.conclusion.write}
	const edge = 4 * look.Space
	p.content = container.New(kit.Column{Gap: 3 * look.Space, Grow: -1}, p.judgements.waits, cardHead(i18n.T("Items"), add), p.noItems, p.items, p.moreLine, p.newStays())
	if s.Sandbox {
		p.content.Add(kit.NewHint(i18n.T(present.SandboxNote)))
	}
	p.content.Add(p.judgements.root)
	p.content.Add(container.New(&cardPair{}, p.checks.root, p.questions.root))
	p.content.Add(p.conclusion.root)
	p.padded = container.New(layout.NewCustomPaddedLayout(look.Space, edge, edge, edge), p.content)
	scrolled := kit.NewScroll(p.padded)
	p.scroll = scrolled.Objects[0].(*container.Scroll)
	p.scroll.OnScrolled = func(fyne.Position) { p.look() }
	kit.RevealWhenReached(p.content, func(o fyne.CanvasObject) { kit.RevealWithin(p.scroll, o, 2*look.Space) })
	p.newHead()
	p.body = container.New(paneBody{p}, container.New(seen{p.look}, scrolled), kit.NewFill(look.ColorBorder),
		container.NewStack(kit.NewFill(look.ColorSurface), p.feed.root))
	p.root = container.New(paneLayout{p}, container.New(kit.Column{Gap: 0, Grow: -1}, p.head, p.message.Box), p.body)
	return p
}

// newHead builds title, state and tags, with the buttons for them.
func (p *casePane) newHead() {
	s := p.screen
	p.title = kit.NewText("", kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold, Ellipsis: look.EllipsisEnd})
	p.detail = kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd})
	p.viewers = kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Weight: look.WeightMedium, Ellipsis: look.EllipsisEnd})
	p.viewersMark = kit.NewIcon(look.IconDot, look.ColorAccent, viewersMark)
	p.viewersMark.Hide()
	p.under = container.New(underTitle{}, p.detail, p.viewersMark, p.viewers)
	p.state = kit.NewSelect(kit.Plain, []string{i18n.C("case", "Open"), i18n.T("Concluded")}, nil)
	icon := func(icon fyne.Resource, tip string, do func()) *kit.Button {
		b := kit.NewButton(kit.Bare, "", icon, do)
		b.SetToolTip(tip)
		b.SetMuted(true)
		return b
	}
	report := kit.NewButton(kit.Primary, i18n.T("Report…"), look.IconReport, func() { s.Report(p.of.ID) })
	p.back = container.New(layout.NewCustomPaddedLayout(-look.Space, 0, -2*look.Space, 0),
		container.NewHBox(kit.NewButton(kit.Bare, i18n.T("Cases"), look.IconChevronLeft, func() { s.enter(false) })))
	p.back.Hide()
	p.again = icon(look.IconRetry, i18n.T("Scan again…"), func() { s.ScanAgain(p.of.Items) })
	p.share = kit.NewButton(kit.Plain, "", look.IconShare, s.ShareOrPeople)
	p.share.Hide()
	p.line = container.New(&titleLine{}, p.title, p.state, icon(look.IconEdit, i18n.T("Rename… (E)"), s.rename), icon(look.IconTag, i18n.T("Tags… (T)"), s.tag), p.again,
		container.NewHBox(p.share, report))
	p.tags = container.New(&kit.Flow{Gap: look.Space, Line: look.Space})
	p.tabs = kit.NewTabs([]string{i18n.T("Case"), i18n.T("What happened")}, func(int) { p.layOut() })
	const edge = 4 * look.Space
	p.head = container.New(layout.NewCustomPaddedLayout(3*look.Space, 2*look.Space, edge, edge),
		container.New(kit.Column{Gap: look.Space, Grow: -1}, p.back, p.line, p.under, p.tags, p.tabs))
}

// follow shows a case as it is now. What colleagues did must not put something else under the pointer: it is in what happened at once, and in the rest
// of the pane as soon as the pointer is elsewhere.
func (p *casePane) follow(c Case, own bool) {
	if own || p.of.ID != c.ID || !c.Shared.On || !p.underPointer() {
		p.show(c)
		return
	}
	p.feed.set(c, false)
	if p.held == nil {
		p.screen.After(pointerLeft, p.watchPointer)
	}
	p.held = &c
}

func (p *casePane) watchPointer() {
	switch {
	case p.held == nil:
	case p.underPointer():
		p.screen.After(pointerLeft, p.watchPointer)
	default:
		p.show(*p.held)
	}
}

// underPointer reports whether the pointer is over something of the pane that can be clicked and that others' changes could move.
func (p *casePane) underPointer() bool {
	return p.items.pointed >= 0 || p.judgements.hovered() || slices.ContainsFunc(p.buttons, (*kit.Button).Hovered) || slices.ContainsFunc(p.questions.assign, (*kit.Button).Hovered) ||
		slices.ContainsFunc(p.checks.shown, (*checkRow).Hovered) || slices.ContainsFunc(p.questions.shown, (*questionRow).Hovered)
}

// show shows a case.
func (p *casePane) show(c Case) {
	p.held = nil
	another := p.of.ID != c.ID
	p.of = c
	p.title.SetText(c.Title)
	p.detail.SetText(c.Detail)
	p.state.OnChanged = nil
	p.state.Select(0)
	if c.Concluded {
		p.state.Select(1)
	}
	p.state.OnChanged = func(i int) { p.screen.move(i == 1) }
	p.tags.RemoveAll()
	for _, tag := range c.Tags {
		p.tags.Add(kit.NewTag(nil, tag))
	}
	kit.SetVisible(p.tags, len(c.Tags) > 0)
	p.showDesk(c)
	p.items.set(c.Items, another)
	kit.SetVisible(p.noItems, len(c.Items) == 0)
	if p.again.Enable(); len(c.Items) == 0 {
		p.again.Disable()
	}
	kit.SetVisible(p.items, len(c.Items) > 0)
	p.checks.set(c)
	p.questions.set(c)
	p.judgements.set(c)
	p.conclusion.set(c)
	p.feed.set(c, another)
	p.tabs.SetNames([]string{i18n.T("Case"), present.Joined(i18n.T("What happened"), newText(c.Shared.New))}, p.tabs.Selected())
	p.screen.Look()
	if another {
		p.scroll.ScrollToTop()
	}
	p.layOut()
}

// layOut lays out again after heights have changed.
func (p *casePane) layOut() {
	p.more.SetLabel(i18n.F("Show all %s", i18n.Count(len(p.of.Items))))
	for range 2 {
		kit.RelayoutDeep(p.root)
	}
	p.root.Refresh()
	p.look()
}

// look tells the grid which part of it is in sight.
func (p *casePane) look() {
	top := p.scroll.Offset.Y - p.items.Position().Y - p.content.Position().Y
	p.items.see(top, top+p.scroll.Size().Height)
}

// reveal scrolls as little as possible to bring a part of the grid into sight.
func (p *casePane) reveal(top, height float32) {
	top += p.items.Position().Y + p.content.Position().Y
	switch seen := p.scroll.Size().Height; {
	case top < p.scroll.Offset.Y:
		p.scroll.ScrollToOffset(fyne.NewPos(0, top))
	case top+height > p.scroll.Offset.Y+seen:
		p.scroll.ScrollToOffset(fyne.NewPos(0, top+height-seen))
	}
	p.look()
}

// writeNote puts the focus into the field for a note.
func (p *casePane) writeNote() {
	if p.tabs.Visible() {
		p.tabs.Select(1)
	}
	p.screen.focus(p.feed.field)
}

// say shows a sentence above the case, with a button.
func (p *casePane) say(sentence, action string, do func()) {
	if p.message.Say(sentence, action, do) {
		p.layOut()
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

// feedFrom is the width from which there is room for what happened beside the case, and feedWidth what it takes of it.
const (
	feedFrom  float32 = 820
	feedWidth float32 = 236
	paneLeast float32 = 360 // the width of the case, at least
	paneLow   float32 = 260 // its height, at least: in a window of 600 pixels at a text size of 200 %
)

// paneLayout places the head over the case, and what happened beside both; in a narrow window tabs choose between the two.
type paneLayout struct{ pane *casePane }

// Layout implements fyne.Layout.
func (l paneLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	wide := size.Width >= feedFrom
	kit.SetVisible(l.pane.tabs, !wide)
	width := size.Width
	if wide {
		width -= feedWidth + look.Hairline
	}
	high := kit.WrappedHeight(objects[0], width)
	kit.PlaceAt(objects[0], 0, 0, width, high)
	kit.PlaceAt(objects[1], 0, 0, size.Width, size.Height)
	p := l.pane
	if folded := p.items.folded() > 0; folded != p.moreLine.Visible() { // how many have a place depends on the width
		kit.SetVisible(p.moreLine, folded)
		kit.RelayoutTwice(p.content)
		p.scroll.Refresh()
	}
}

// MinSize implements fyne.Layout.
func (paneLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(paneLeast, paneLow) }

// paneBody places the case below the head, a hairline and what happened.
type paneBody struct{ pane *casePane }

// Layout implements fyne.Layout.
func (l paneBody) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	p := l.pane
	high := p.root.Objects[0].Size().Height
	wide := size.Width >= feedFrom
	feed := p.tabs.Selected() == 1
	kit.SetVisible(objects[0], wide || !feed)
	kit.SetVisible(objects[1], wide)
	kit.SetVisible(objects[2], wide || feed)
	kit.SetVisible(p.feed.title, wide)
	if wide {
		left := size.Width - feedWidth
		kit.PlaceAt(objects[0], 0, high, left-look.Hairline, size.Height-high)
		kit.PlaceAt(objects[1], left-look.Hairline, 0, look.Hairline, size.Height)
		kit.PlaceAt(objects[2], left, 0, feedWidth, size.Height)
		return
	}
	kit.PlaceAt(objects[0], 0, high, size.Width, size.Height-high)
	kit.PlaceAt(objects[2], 0, high, size.Width, size.Height-high)
}

// MinSize implements fyne.Layout.
func (paneBody) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(paneLeast, 200) }

// titleLine lays out a title that is shortened, small controls after it, and a button at the right. Where little of the title would be left, the controls
// are below it.
type titleLine struct{ below bool }

// titleLeast is how much of a title is to be read at least.
const titleLeast float32 = 160

// Layout implements fyne.Layout.
func (l *titleLine) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap, row = 2 * look.Space, look.ControlHeight
	last := len(objects) - 1
	button := objects[last].MinSize()
	kit.PlaceInRow(objects[last], size.Width-button.Width, row, button.Width, button.Height)
	whole := size.Width - button.Width - gap
	room := whole
	for _, o := range objects[1:last] {
		room -= o.MinSize().Width + gap
	}
	title := objects[0].(*kit.Text)
	wide := look.Measure(title.Text(), look.Size(look.SizeHeading), look.WeightBold.Style()).Width
	l.below = room < min(wide, titleLeast)
	if l.below {
		room = whole
	}
	width := max(0, min(wide, room))
	kit.PlaceInRow(title, 0, row, width, title.MinSize().Height)
	x, y := width+1.5*gap, float32(0)
	if l.below {
		x, y = 0, row+gap
	}
	for _, o := range objects[1:last] {
		minimum := o.MinSize()
		kit.PlaceAt(o, x, y+(row-minimum.Height)/2, minimum.Width, minimum.Height)
		x += minimum.Width + look.Space
	}
}

// MinSize implements fyne.Layout: its height follows from the width of the last layout.
func (l *titleLine) MinSize([]fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(200, look.ControlHeight)
	if l.below {
		size.Height += look.ControlHeight + 2*look.Space
	}
	return size
}
