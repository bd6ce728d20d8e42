package folders

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// card is the form for adding or changing a folder, shown in place of the list.
type card struct {
	screen *Screen
	root   *fyne.Container
	parts  *fyne.Container // head, form or list of files, and foot, with lines in between
	body   *fyne.Container // the content of the scroll
	scroll *container.Scroll
	foot   *fyne.Container     // why it can't be saved as it is, and the buttons
	asks   []fyne.CanvasObject // the form and its foot, hidden while the list of files is shown
	frame  *kit.Card

	id   string // ID of the folder to change; "" adds one
	form Form

	name, where  *kit.Text
	inside       *insideForm // nil for a folder that is watched already
	gate         *kit.Options
	kinds        []*kit.Check
	kindsProblem *kit.Paragraph
	more         *moreForm
	problem      *kit.Notice    // why saving failed
	why          *kit.Paragraph // why it can't be saved as it is
	save         *kit.Button
	saving       func() // cancels saving; nil: it is not being saved
}

// newCard makes the card for a folder; id is "" for one that is not watched yet. trouble is its present problem, a sentence that may not fit in its
// row.
func newCard(f *Screen, id string, form Form, trouble string) *card {
	c := &card{screen: f, id: id, form: form}
	sections := container.New(kit.Column{Gap: 5 * look.Space, Grow: -1})
	if trouble != "" {
		sections.Add(kit.NewNotice(look.IconWarning, trouble, "", nil))
	}
	if id == "" {
		c.inside = newInsideForm(c)
		sections.Add(c.inside.root)
	}
	c.gate = kit.NewOptions(Gates(), func(i int) {
		c.form.Gate = gates[i]
		c.changed(false)
	})
	c.gate.Select(gateIndex(form.InForce()))
	c.form.Gate = form.Gate // the choice is kept even while IT's lock overrides it
	asked := container.New(kit.Column{Gap: look.Space, Grow: -1}, kit.Outdented(c.gate))
	if locked := form.LockWords(); locked != "" {
		for i, g := range gates {
			c.gate.SetDisabled(i, form.Forbids(g))
		}
		asked.Add(kit.NewHint(locked))
	}
	sections.Add(kit.NewSection(i18n.T("Before a file leaves this computer"), asked))
	sections.Add(kit.NewSection(i18n.T("Which files"), c.newKinds()))
	c.more = newMoreForm(c)
	sections.Add(c.more.root)
	const side = 6 * look.Space
	c.body = container.New(layout.NewCustomPaddedLayout(4*look.Space, 5*look.Space, side, side), sections)
	kit.RevealWhenReached(c.body, func(o fyne.CanvasObject) { kit.RevealWithin(c.scroll, o, 8*look.Space) })
	c.problem = kit.NewNotice(look.IconWarning, "", "", nil)
	c.problem.Hide()
	pad := layout.NewCustomPaddedLayout(3*look.Space, 3*look.Space, side, side)
	scroll := kit.NewScroll(c.body)
	c.scroll = scroll.Objects[0].(*container.Scroll)
	c.foot = c.newFoot()
	foot := container.NewStack(container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, c.problem, c.foot))
	c.asks = []fyne.CanvasObject{scroll, foot.Objects[0]}
	middle := container.NewStack(scroll)
	if c.inside != nil {
		middle.Add(container.New(layout.NewCustomPaddedLayout(3*look.Space, 4*look.Space, side, side), c.inside.chooser.root))
		foot.Add(c.inside.chooser.foot)
	}
	c.parts = container.New(kit.Column{Gap: 0, Grow: 2}, container.New(pad, c.newHead()), kit.NewLine(), middle, kit.NewLine(), container.New(pad, foot))
	c.frame = kit.NewCard(c.parts)
	c.frame.SetPadding(0)
	c.root = container.New(&cardLayout{card: c}, c.frame)
	c.changed(false)
	return c
}

// newHead shows which folder it is, and lets the person choose another if it is not watched yet.
func (c *card) newHead() fyne.CanvasObject {
	title := i18n.T("Watch a folder")
	if c.id != "" {
		title = i18n.T("Change a watched folder")
	}
	name, where := NameOf(c.form.Path)
	c.name = kit.NewText(name, kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold, Ellipsis: look.EllipsisMiddle})
	c.where = kit.NewText(where, kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisMiddle})
	words := container.New(kit.Column{Gap: 0, Grow: -1}, kit.NewText(title, kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}), c.name, c.where)
	thumb := container.NewCenter(kit.NewThumb(kit.RowThumb, look.IconFolders))
	var another fyne.CanvasObject
	if c.id == "" {
		another = container.NewCenter(kit.NewButton(kit.Plain, i18n.T("Choose another…"), nil, c.screen.Add))
	}
	return container.NewBorder(nil, nil, thumb, another, container.New(layout.NewCustomPaddedLayout(0, 0, 2*look.Space, 2*look.Space), words))
}

// newKinds has the kinds of files to take.
func (c *card) newKinds() fyne.CanvasObject {
	flow := container.New(&kit.Flow{Gap: 2 * look.Space, Line: 0})
	for _, k := range []struct {
		words string
		field *bool
	}{{i18n.T("Pictures"), &c.form.Pictures}, {i18n.T("Clips"), &c.form.Clips}, {i18n.T("Recordings"), &c.form.Recordings}, {i18n.T("Texts"), &c.form.Texts},
		{i18n.T("Include subfolders"), &c.form.Subfolders}} {
		tick := kit.NewCheck(k.words, func(ticked bool) {
			*k.field = ticked
			c.changed(true)
		})
		tick.SetChecked(*k.field)
		c.kinds = append(c.kinds, tick)
		flow.Add(tick)
	}
	c.kindsProblem = kit.NewRefusal()
	return container.New(kit.Column{Gap: look.Space, Grow: -1}, kit.Outdented(flow), c.kindsProblem)
}

func (c *card) newFoot() *fyne.Container {
	c.save = kit.NewButton(kit.Primary, c.saveWords(), nil, c.done)
	c.why = kit.NewParagraph("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted})
	cancel := kit.NewButton(kit.Plain, i18n.T("Cancel"), nil, c.screen.closeCard)
	return container.New(&kit.ButtonRows{Left: true}, c.why, cancel, c.save)
}

// saveWords are the words of the button that saves.
func (c *card) saveWords() string {
	switch {
	case c.saving != nil && c.id == "":
		return i18n.T("Adding…")
	case c.saving != nil:
		return i18n.T("Saving…")
	case c.id == "":
		return i18n.T("Watch this folder")
	}
	return i18n.T("Save")
}

// briefly leaves out the middle of a sentence that does not fit at the foot, since it repeats what was typed. It is shown in full under the field.
func briefly(sentence string) string {
	const head, tail = 80, 120
	if runes := []rune(sentence); len(runes) > head+tail {
		return string(runes[:head]) + "…" + string(runes[len(runes)-tail:])
	}
	return sentence
}

// inTheWay says why it can't be saved as it is filled in, "" if it can.
func (c *card) inTheWay(refused Refusals) string {
	for _, sentence := range []string{refused.Types, refused.Only, refused.Skip, refused.MoveTo} {
		if sentence != "" {
			return sentence
		}
	}
	if c.inside == nil {
		return ""
	}
	return c.inside.inTheWay()
}

// first is the control to focus at first.
func (c *card) first() fyne.Focusable {
	if c.inside != nil && c.inside.begin.Visible() {
		return c.inside.begin
	}
	return c.gate
}

// changed updates the card after an input. content is whether other files count now, which must be counted again.
func (c *card) changed(content bool) {
	if c.root == nil {
		return // the card is being built
	}
	_, refused := c.form.Settings()
	kit.Refuse(c.kindsProblem, refused.Types)
	c.more.refuse(refused)
	if c.inside != nil {
		if content && !refused.Any() {
			c.inside.count()
		}
		c.inside.fill()
	}
	why := c.inTheWay(refused)
	c.why.SetText(briefly(why))
	kit.SetVisible(c.why, why != "")
	c.save.SetLabel(c.saveWords())
	if c.saving != nil || why != "" {
		c.save.Disable()
	} else {
		c.save.Enable()
	}
	c.layOut()
}

// count counts the files in the folder.
func (c *card) count() {
	if c.inside != nil {
		c.inside.count()
		c.changed(false)
	}
}

// choosing reports whether the list of files is shown.
func (c *card) choosing() bool { return c.inside != nil && c.inside.chooser.root.Visible() }

// choose shows either the list of files or the form.
func (c *card) choose(files bool) {
	for _, o := range c.asks {
		kit.SetVisible(o, !files)
	}
	kit.SetVisible(c.inside.chooser.root, files)
	kit.SetVisible(c.inside.chooser.foot, files)
	c.changed(false)
	if files {
		c.screen.focus(c.inside.chooser.list)
		return
	}
	c.screen.focus(c.inside.chooseFiles)
}

// done adds or changes the folder, and closes the card if that succeeded.
func (c *card) done() {
	if c.saving != nil || c.save.Disabled() {
		return
	}
	f, form, id := c.screen, c.form, c.id
	if at := f.placeOf(id); at >= 0 {
		form.Paused = f.rows[at].Paused() // may have changed meanwhile, and is not part of the card
	}
	action := func(ctx context.Context) error { return f.Change(ctx, id, form) }
	if id == "" {
		begin, chosen := c.inside.chosen()
		action = func(ctx context.Context) error { return f.Params.Add(ctx, form, begin, chosen) }
	}
	c.problem.Hide()
	wasCounting := c.inside != nil && c.inside.state == counting
	c.saving = f.Workers.Do(func(ctx context.Context) func() {
		err := action(ctx)
		return func() {
			c.saving = nil
			if err == nil {
				f.closeCard()
				return
			}
			c.problem.SetText(present.Problem(err))
			c.problem.Show()
			if wasCounting {
				c.inside.count()
			}
			c.changed(false)
			f.focus(c.save)
		}
	})
	if c.inside != nil {
		c.inside.stop()
	}
	c.changed(false)
}

// leave cancels what is under way when the card is closed.
func (c *card) leave() {
	if c.saving != nil {
		c.saving()
	}
	if c.inside != nil {
		c.inside.stop()
	}
}

// revealBelow scrolls as little as possible to bring what was unfolded into sight, at most to its beginning.
func (c *card) revealBelow(o fyne.CanvasObject) {
	const margin = 4 * look.Space
	driver, seen := fyne.CurrentApp().Driver(), c.scroll.Size().Height
	top := driver.AbsolutePositionForObject(o).Y - driver.AbsolutePositionForObject(c.body).Y
	most := max(0, c.body.MinSize().Height-seen)
	if y := min(top-margin, top+o.MinSize().Height+margin-seen, most); seen > 0 && y > c.scroll.Offset.Y {
		c.scroll.ScrollToOffset(fyne.NewPos(0, y))
	}
}

// layOut lays out again after objects were shown or hidden, twice, since heights of wrapping texts follow from the widths of the first pass.
func (c *card) layOut() {
	for range 2 {
		kit.Relayout(c.root)
		kit.Relayout(c.foot)
	}
	c.root.Refresh()
}

// cardLayout centres the card, as high as its content but at most as high as the window.
type cardLayout struct{ card *card }

const cardWidth float32 = 720

// Layout implements fyne.Layout.
func (l *cardLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const edge = 4 * look.Space
	width := min(cardWidth, size.Width-2*edge)
	inner := width - 2*look.Hairline
	l.card.body.Resize(fyne.NewSize(inner, l.card.body.Size().Height)) // the width first: the height follows from it
	height := l.card.body.MinSize().Height + 2*look.Hairline
	for i, o := range l.card.parts.Objects {
		if i != 2 { // all but the scroll
			o.Resize(fyne.NewSize(inner, o.Size().Height))
			height += o.MinSize().Height
		}
	}
	most := size.Height - 2*edge
	if l.card.choosing() {
		height = most
	}
	height = min(height, most)
	objects[0].Move(fyne.NewPos((size.Width-width)/2, edge))
	objects[0].Resize(fyne.NewSize(width, height))
}

// MinSize implements fyne.Layout.
func (l *cardLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(480, 300) }
