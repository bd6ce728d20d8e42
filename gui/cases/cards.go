package cases

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// cardHead is a card's title with a word or a button at its right.
func cardHead(title string, right fyne.CanvasObject) *fyne.Container {
	return container.New(cardHeadLayout{}, kit.NewText(title, kit.TextStyle{Weight: look.WeightBold, Ellipsis: look.EllipsisEnd}), right)
}

// cardHeadLayout gives all heads one height. A button at the right extends beyond it, with its words in line with the card's content.
type cardHeadLayout struct{}

const cardHeadHeight float32 = 22

// Layout implements fyne.Layout.
func (cardHeadLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	right := objects[1].MinSize()
	x := size.Width - right.Width
	if _, ok := objects[1].(*kit.Button); ok {
		x += 2.5 * look.Space // its padding
	}
	kit.PlaceInRow(objects[1], x, size.Height, right.Width, right.Height)
	kit.PlaceInRow(objects[0], 0, size.Height, max(0, x-2*look.Space), objects[0].MinSize().Height)
}

// MinSize implements fyne.Layout.
func (cardHeadLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(120, cardHeadHeight)
}

// checksCard lists the checks that no detector makes. A click on one notes what it has found.
type checksCard struct {
	screen *Screen
	root   *kit.Card
	column *fyne.Container
	rows   *fyne.Container
	noted  *kit.Text
	look   *kit.Button // looks elsewhere
	shown  []*checkRow
}

func newChecksCard(s *Screen) *checksCard {
	c := &checksCard{screen: s, noted: kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted})}
	c.rows = container.New(kit.Column{Gap: 0, Grow: -1})
	c.look = kit.NewButton(kit.Plain, i18n.T("Look it up…"), look.IconGlobe, s.LookElsewhere)
	foot := container.New(kit.BesideButton{}, kit.NewHint(i18n.T("Known elsewhere? Opens a search page in your browser. Assay sends nothing to it.")), c.look)
	c.column = container.New(kit.Column{Gap: 2 * look.Space, Grow: 1}, cardHead(i18n.T("Other checks"), c.noted), c.rows, kit.NewLine(), foot)
	c.root = kit.NewCard(c.column)
	return c
}

// set shows the checks.
func (c *checksCard) set(of Case) {
	c.noted.SetText(i18n.F("%s of %s done", i18n.Count(of.Noted()), i18n.Count(len(of.Checks))))
	for len(c.shown) < len(of.Checks) {
		row := newCheckRow(c.screen)
		c.shown = append(c.shown, row)
		c.rows.Add(row)
	}
	for i, row := range c.shown {
		kit.SetVisible(row, i < len(of.Checks))
		if row.Visible() {
			row.set(of.Checks[i])
		}
	}
	kit.Relayout(c.column.Objects[0].(*fyne.Container))
}

// checkRow is a check: whether something was found, its name, and what.
type checkRow struct {
	kit.Control
	screen *Screen
	hover  *kit.Fill
	mark   *kit.CheckMark
	name   *kit.Text
	found  *kit.Text
	check  Check
}

const checkHeight float32 = 30

func newCheckRow(s *Screen) *checkRow {
	r := &checkRow{screen: s, hover: kit.NewFill(look.ColorHover), mark: kit.NewCheckMark(),
		name:  kit.NewText("", kit.TextStyle{}),
		found: kit.NewText("", kit.TextStyle{Color: look.ColorMuted, Ellipsis: look.EllipsisEnd, Align: fyne.TextAlignTrailing})}
	r.ExtendBaseWidget(r)
	return r
}

func (r *checkRow) set(c Check) {
	r.check = c
	r.name.SetText(c.Name)
	r.found.SetText(c.Line())
	ink, state := look.ColorMuted, kit.Unchecked
	if len(c.Found) > 0 {
		ink, state = look.ColorText, kit.Checked
	}
	r.name.SetColor(ink)
	r.mark.SetState(state)
	r.place(r.Size())
}

// Tapped implements fyne.Tappable.
func (r *checkRow) Tapped(*fyne.PointEvent) { r.screen.check(r.check) }

// AccessibilityLabel implements fyne.Accessible.
func (r *checkRow) AccessibilityLabel() string { return r.check.Name + ", " + r.check.Line() }

// CreateRenderer implements fyne.Widget.
func (r *checkRow) CreateRenderer() fyne.WidgetRenderer {
	return kit.NewRenderer([]fyne.CanvasObject{r.hover, r.mark, r.name, r.found}, fyne.NewSize(200, checkHeight), r.place, func() { r.place(r.Size()) })
}

func (r *checkRow) place(size fyne.Size) {
	const gap = 2 * look.Space
	kit.SetVisible(r.hover, r.Hovered() || r.Focused())
	kit.PlaceAt(r.hover, -gap, 0, size.Width+2*gap, size.Height)
	kit.PlaceInRow(r.mark, 0, size.Height, kit.RowCheck, kit.RowCheck)
	x := kit.RowCheck + gap
	name := r.name.MinSize()
	kit.PlaceInRow(r.name, x, size.Height, name.Width, name.Height)
	x += name.Width + gap
	kit.PlaceInRow(r.found, x, size.Height, max(0, size.Width-x), r.found.MinSize().Height)
}

// questionsCard lists the questions of a case. A click on one asks for its answer.
type questionsCard struct {
	screen *Screen
	root   *kit.Card
	column *fyne.Container
	rows   *fyne.Container
	ask    *kit.Button
	shown  []*questionRow
	assign []*kit.Button // of the rows
}

func newQuestionsCard(s *Screen) *questionsCard {
	c := &questionsCard{screen: s}
	c.rows = container.New(kit.Column{Gap: 0, Grow: -1})
	c.ask = kit.NewButton(kit.Bare, i18n.T("Ask…"), nil, s.askQuestion)
	c.column = container.New(kit.Column{Gap: 2 * look.Space, Grow: 1}, cardHead(i18n.T("Questions"), c.ask), c.rows)
	c.root = kit.NewCard(c.column)
	return c
}

// set shows the questions.
func (c *questionsCard) set(of Case) {
	c.rows.RemoveAll()
	c.shown, c.assign = c.shown[:0], nil
	if len(of.Questions) == 0 {
		c.rows.Add(kit.NewHint(i18n.T("Where was this taken? When? By whom? Ask what the desk has to find out. The answer is kept with its evidence.")))
	}
	for _, q := range c.screen.mineFirst(of) {
		row := newQuestionRow(c.screen, q)
		c.shown = append(c.shown, row)
		c.rows.Add(kit.NewLine())
		c.rows.Add(row)
		if len(q.Answers) == 0 {
			c.rows.Add(c.newAssignLine(of, q))
		}
	}
}

// questionRow is a question with its answer and what that rests on.
type questionRow struct {
	kit.Control
	screen   *Screen
	question Question
	hover    *kit.Fill
	column   *fyne.Container
}

func newQuestionRow(s *Screen, q Question) *questionRow {
	r := &questionRow{screen: s, question: q, hover: kit.NewFill(look.ColorHover)}
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	r.column = container.New(kit.Column{Gap: 2, Grow: -1}, kit.NewParagraph(q.Text, kit.TextStyle{Weight: look.WeightMedium}))
	if n := len(q.Answers); n > 0 {
		r.column.Add(kit.NewParagraph(q.Answers[n-1].Text, kit.TextStyle{}))
		if q.Evidence != "" {
			r.column.Add(kit.NewParagraph(i18n.F("Evidence: %s", q.Evidence), small))
		}
		r.column.Add(kit.NewParagraph(q.Answers[n-1].Who, small))
	} else {
		r.column.Add(kit.NewParagraph(i18n.T("Not answered yet"), kit.TextStyle{Color: look.ColorMuted}))
		r.column.Add(kit.NewParagraph(q.Asked, small))
	}
	r.ExtendBaseWidget(r)
	return r
}

// Tapped implements fyne.Tappable.
func (r *questionRow) Tapped(*fyne.PointEvent) { r.screen.answer(r.question) }

// AccessibilityLabel implements fyne.Accessible.
func (r *questionRow) AccessibilityLabel() string {
	if n := len(r.question.Answers); n > 0 {
		return r.question.Text + " " + r.question.Answers[n-1].Text
	}
	return r.question.Text + " " + i18n.T("Not answered yet")
}

// MinSize implements fyne.CanvasObject: its height follows from the width of the last layout.
func (r *questionRow) MinSize() fyne.Size {
	return fyne.NewSize(160, r.column.MinSize().Height+4*look.Space)
}

// CreateRenderer implements fyne.Widget.
func (r *questionRow) CreateRenderer() fyne.WidgetRenderer {
	return kit.NewRenderer([]fyne.CanvasObject{r.hover, r.column}, fyne.NewSize(160, 0), r.place, func() { r.place(r.Size()) })
}

func (r *questionRow) place(size fyne.Size) {
	const gap = 2 * look.Space
	kit.SetVisible(r.hover, r.Hovered() || r.Focused())
	kit.PlaceAt(r.hover, -gap, 0, size.Width+2*gap, size.Height)
	kit.PlaceAt(r.column, 0, gap, size.Width, max(0, size.Height-2*gap))
}

// conclusionCard shows what the desk concludes, in its own words.
type conclusionCard struct {
	root   *kit.Card
	column *fyne.Container
	head   *fyne.Container
	who    *kit.Text
	write  *kit.Button
	text   *kit.Paragraph
}

func newConclusionCard(s *Screen) *conclusionCard {
	c := &conclusionCard{who: kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}), text: kit.NewParagraph("", kit.TextStyle{})}
	c.write = kit.NewButton(kit.Bare, "", nil, s.conclude)
	remark := kit.NewText(i18n.T("our own words, not the service's"), kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted})
	c.head = container.New(conclusionHead{remark.MinSize().Width}, kit.NewText(i18n.T("The desk's conclusion"), kit.TextStyle{Weight: look.WeightBold}),
		remark, c.who, c.write)
	c.column = container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, c.head, c.text)
	c.root = kit.NewCard(c.column)
	return c
}

// set shows the conclusion.
func (c *conclusionCard) set(of Case) {
	text, ink, write := of.Conclusion.Text, look.ColorText, i18n.T("Change…")
	if text == "" {
		text, ink, write = i18n.T("No conclusion yet."), look.ColorMuted, i18n.T("Write…")
	}
	c.text.SetStyle(kit.TextStyle{Color: ink})
	c.text.SetText(text)
	c.who.SetText(of.Conclusion.Who)
	c.write.SetLabel(write)
	kit.RelayoutDeep(c.column)
}

// conclusionHead lays out the title, a remark where there is room for it, and at the right who and the button.
type conclusionHead struct{ remark float32 } // the width of the remark

// Layout implements fyne.Layout.
func (l conclusionHead) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap = 2 * look.Space
	title, remark, who, write := objects[0], objects[1], objects[2], objects[3]
	button := write.MinSize()
	right := size.Width - button.Width + 2.5*look.Space
	kit.PlaceInRow(write, right, size.Height, button.Width, button.Height)
	right -= who.MinSize().Width
	kit.PlaceInRow(who, right, size.Height, who.MinSize().Width, who.MinSize().Height)
	kit.PlaceInRow(title, 0, size.Height, title.MinSize().Width, title.MinSize().Height)
	x := title.MinSize().Width + gap
	room := max(0, right-gap-x)
	kit.SetVisible(remark, l.remark <= room) // it is not cut
	kit.PlaceInRow(remark, x, size.Height, room, remark.MinSize().Height)
}

// MinSize implements fyne.Layout.
func (conclusionHead) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(240, cardHeadHeight)
}

// cardPair lays two cards out side by side, of one height, or below each other where there is too little room.
type cardPair struct{ width float32 }

const pairFrom float32 = 620

// Layout implements fyne.Layout.
func (l *cardPair) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	const gap = 3 * look.Space
	if size.Width < pairFrom {
		y := float32(0)
		for _, o := range objects {
			height := kit.WrappedHeight(o, size.Width)
			kit.PlaceAt(o, 0, y, size.Width, height)
			y += height + gap
		}
		return
	}
	width := (size.Width - gap) / 2
	high := size.Height
	for _, o := range objects {
		high = max(high, kit.WrappedHeight(o, width))
	}
	for i, o := range objects {
		kit.PlaceAt(o, float32(i)*(width+gap), 0, width, high)
	}
}

// MinSize implements fyne.Layout: its height follows from the width of the last layout.
func (l *cardPair) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(240, 0)
	for i, o := range objects {
		height := o.MinSize().Height
		switch {
		case l.width >= pairFrom:
			size.Height = max(size.Height, height)
		case i > 0:
			size.Height += height + 3*look.Space
		default:
			size.Height = height
		}
	}
	return size
}
