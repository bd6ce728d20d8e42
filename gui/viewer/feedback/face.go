package feedback

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client"
	"assay/client/i18n"
	"assay/client/verdict"
	"assay/gui/kit"
	"assay/gui/look"
)

// face has the bar's widgets.
type face struct {
	root *fyne.Container

	text                   *kit.Text      // the question, or a short state
	long                   *kit.Paragraph // a state of any length, such as the service's message
	agree, disagree, other *kit.Button
	labels                 []*kit.Chip // the labels to choose from
	labelPlaces            []fyne.CanvasObject
	undoIt, addComment     *kit.Button
	again, takeBack, leave *kit.Button // for feedback that waits, was refused, or may have been received
	scan, report           *kit.Button

	line        *fyne.Container   // the short parts, in a flow
	textPlace   fyne.CanvasObject // of text within line
	narrow      bool              // whether there is little width
	low         bool              // whether there is little height: what is asked then stands in one row
	aside       *kit.Paragraph    // what beneath says, beside the answers, where there is little height
	asked       float32           // the height of the bar when it asked last
	choices     *fyne.Container   // the three answers
	sentence    *fyne.Container   // long beside its buttons
	comment     *commentEntry
	commentLine *fyne.Container
	form        *form
	beneath     *kit.Paragraph // in a line that is reserved: what failed or was judged before, and what goes with feedback
}

// build makes the widgets.
func (b *Bar) build() {
	b.text = kit.NewText("", kit.TextStyle{Color: look.ColorMuted})
	b.long = kit.NewParagraph("", kit.TextStyle{})
	choose := func(choice func() *Choice) func() {
		return func() {
			if c := choice(); c != nil {
				b.give(c.Category, c.Label, "")
			}
		}
	}
	b.agree = kit.NewButton(kit.Plain, i18n.T("Agree"), look.IconCheck, choose(func() *Choice { return b.shown.Agree }))
	b.disagree = kit.NewButton(kit.Plain, i18n.T("Disagree"), look.IconClose, choose(func() *Choice { return b.shown.Disagree }))
	b.other = kit.NewButton(kit.Bare, i18n.T("Other…"), nil, func() { b.openForm() })
	b.undoIt = kit.NewButton(kit.Plain, i18n.T("Undo"), look.IconUndo, b.undo)
	b.takeBack = kit.NewButton(kit.Plain, i18n.T("Undo"), look.IconUndo, b.undo)
	b.addComment = kit.NewButton(kit.Bare, "", nil, b.editComment)
	b.again = kit.NewButton(kit.Plain, "", look.IconRetry, b.retry)
	b.leave = kit.NewButton(kit.Bare, "", nil, b.dismiss)
	b.scan = kit.NewButton(kit.Bare, i18n.T(scanAgain), look.IconRetry, func() { b.ScanAgain() })
	b.scan.SetMuted(true)
	b.scan.SetToolTip(i18n.T(scanAgain))
	kit.SetVisible(b.scan, b.ScanAgain != nil)
	b.report = kit.NewButton(kit.Primary, i18n.T("Report…"), look.IconReport, func() { b.Report() })
	b.report.SetToolTip(i18n.T("Report…"))
	kit.SetVisible(b.report, b.Report != nil)

	b.choices = container.New(layout.NewCustomPaddedHBoxLayout(2*look.Space), b.agree, b.disagree, b.other) // always on the same line
	b.textPlace = centred(b.text)
	line := []fyne.CanvasObject{b.textPlace, b.choices}
	for _, l := range client.Labels() {
		chip := kit.NewChip(look.MarkNone, verdict.Label(l), func() { b.change(func(f *client.Feedback) { f.Label = l }) })
		chip.SetToolTip(i18n.F("Your desk's judgement: %s", verdict.Label(l)))
		b.labels, b.labelPlaces = append(b.labels, chip), append(b.labelPlaces, centred(chip))
	}
	line = append(append(line, b.labelPlaces...), b.undoIt, b.addComment)
	b.line = container.New(&kit.Flow{Gap: 2 * look.Space, Line: look.Space}, line...)
	b.sentence = container.New(beside{}, b.long, container.New(layout.NewCustomPaddedHBoxLayout(2*look.Space), b.takeBack, b.again, b.leave))
	b.comment = newCommentEntry(func(text string) { b.change(func(f *client.Feedback) { f.Comment = text }) }, b.leaveComment)
	b.commentLine = container.NewStack(b.comment)
	b.commentLine.Hide()
	b.form = newForm(func(c client.Category, l client.Label, comment string) { b.give(c, l, comment) }, b.closeForm)
	b.form.Hide()
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	b.beneath = kit.NewParagraph("", small)
	small.Size = look.SizeCaption
	b.aside = kit.NewParagraph("", small)
	b.aside.Hide()

	left := container.New(kit.Column{Gap: 0, Grow: -1}, b.sentence, b.line)
	actions := container.New(layout.NewCustomPaddedHBoxLayout(2*look.Space), b.scan, b.report)
	rows := container.New(kit.Column{Gap: look.Space, Grow: -1}, container.New(newSides(b), left, actions, b.aside), b.commentLine, b.form.root, b.beneath)
	const edge, above = 4 * look.Space, 2.5 * look.Space
	hairline := container.New(layout.NewCustomPaddedVBoxLayout(0), container.New(kit.AtLeast(look.Hairline), kit.NewFill(look.ColorBorder)))
	b.root = container.NewStack(kit.NewFill(look.ColorSurface), hairline,
		container.New(layout.NewCustomPaddedLayout(above+look.Hairline, above+look.Hairline, edge, edge), rows))
}

// setNarrow hides the label of buttons with an icon.
func (b *Bar) setNarrow(narrow bool) {
	label := i18n.T(scanAgain)
	if narrow {
		label = ""
	}
	if b.scan.Label() != label {
		b.scan.SetLabel(label)
	}
	if b.narrow != narrow {
		b.narrow = narrow
		b.placeText()
	}
}

// shortText is the most width of a text that does not wrap in a narrow bar.
const shortText float32 = 380

// placeText wraps the text above its line if it is too long for it.
func (b *Bar) placeText() {
	inLine := b.shown.Phase == FeedbackOpen || b.shown.Phase == FeedbackUndo
	wraps := inLine && b.narrow && naturalWidth(b.text) > shortText
	kit.SetVisible(b.textPlace, !wraps && !b.inOneRow())
	kit.SetVisible(b.sentence, !inLine || wraps)
	kit.SetVisible(b.line, inLine)
}

const scanAgain = "Scan again"

// fill shows b.shown.
func (b *Bar) fill() {
	f := &b.shown
	asks, undoes, waits := f.Phase == FeedbackOpen, f.Phase == FeedbackUndo, f.Phase == FeedbackWaits
	unknown, refused := f.Phase == FeedbackUnknown, f.Phase == FeedbackRefused
	b.fillText()
	b.placeText()

	kit.SetVisible(b.choices, asks)
	b.fillChoice(b.agree, asks, f.Agree)
	b.fillChoice(b.disagree, asks, f.Disagree)
	b.enable(b.other, asks, f.WhyNone == "")
	b.other.SetToolTip(f.WhyNone)
	if !asks {
		b.form.Hide()
	}

	for i, l := range client.Labels() {
		offered := undoes && slices.Contains(f.Labels, l)
		b.labels[i].Set(verdict.Label(l), offered && f.Given.Label == l)
		kit.SetVisible(b.labelPlaces[i], offered)
	}
	b.enable(b.undoIt, undoes, true)
	b.addComment.SetLabel(i18n.T("Add a comment…"))
	if f.Given.Comment != "" {
		b.addComment.SetLabel(i18n.T("Edit comment…"))
	}
	b.enable(b.addComment, undoes && b.writing == "", true)

	b.again.SetLabel(i18n.T("Send again"))
	if waits {
		b.again.SetLabel(i18n.T("Try now"))
	}
	b.enable(b.again, unknown || waits && !f.Countdown, true)
	b.enable(b.takeBack, waits, true)
	b.leave.SetLabel(i18n.T("Leave it"))
	if refused {
		b.leave.SetLabel(i18n.T("OK"))
	}
	b.enable(b.leave, unknown || refused, true)

	b.beneath.SetText(b.lineBeneath())
	b.aside.SetText(b.beneath.Text())
	if !b.inOneRow() {
		b.spell(fullLabels)
		b.showAside(false)
	}
	b.laidOut()
}

// fillText shows short texts in the line, and others as a sentence that wraps.
func (b *Bar) fillText() {
	ink := look.ColorText
	if b.shown.Phase == FeedbackOpen {
		ink = look.ColorMuted
	}
	b.text.SetColor(ink)
	b.text.SetText(b.shown.Text)
	b.long.SetText(b.shown.Text)
}

func (b *Bar) fillChoice(button *kit.Button, asks bool, c *Choice) {
	b.enable(button, asks, c != nil)
	if c == nil {
		button.SetToolTip(b.shown.WhyNot)
		return
	}
	tip := i18n.F("Sent as: %s, %s.", CategoryWord(c.Category), verdict.Label(c.Label))
	if !b.Sandbox {
		tip += " " + i18n.T(FeedbackNotice)
	}
	button.SetToolTip(tip)
}

// lineBeneath is the line below the buttons.
func (b *Bar) lineBeneath() string {
	var said []string
	if b.failed != "" {
		said = append(said, b.failed)
	}
	if b.shown.Beneath != "" {
		said = append(said, b.shown.Beneath)
	}
	if !b.Sandbox && b.shown.WhyNone == "" {
		said = append(said, i18n.T(FeedbackNotice))
	}
	return strings.Join(said, " · ")
}

// enable sets whether a button is shown, and enables it if no action is under way.
func (b *Bar) enable(button *kit.Button, visible, usable bool) {
	kit.SetVisible(button, visible)
	if usable && b.loaded && b.working == 0 {
		button.Enable()
	} else {
		button.Disable()
	}
}

// laidOut lays the parts out again.
func (b *Bar) laidOut() {
	b.root.Refresh()
	b.OnResize()
}

// centred puts an object vertically in the middle of a line of controls.
func centred(o fyne.CanvasObject) fyne.CanvasObject {
	return container.New(kit.AtLeast(look.ControlHeight), container.NewVBox(layout.NewSpacer(), o, layout.NewSpacer()))
}

const gap = 3 * look.Space

// beside lays a text that wraps beside its buttons, or above them if there is little width.
type beside struct{}

// besideText is the least width of the text beside its buttons.
const besideText float32 = 260

// Layout implements fyne.Layout.
func (beside) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	text, actions := objects[0], objects[1]
	side := actions.MinSize()
	if size.Width < besideText+gap+side.Width {
		text.Resize(fyne.NewSize(size.Width, text.MinSize().Height))
		text.Move(fyne.NewPos(0, 2*look.Space))
		actions.Move(fyne.NewPos(0, text.MinSize().Height+4*look.Space))
		actions.Resize(side)
		return
	}
	width := min(naturalWidth(text), size.Width-gap-side.Width)
	text.Resize(fyne.NewSize(width, text.Size().Height)) // the width first: the height follows from it
	height := text.MinSize().Height
	text.Resize(fyne.NewSize(width, height))
	text.Move(fyne.NewPos(0, max(0, (size.Height-height)/2)))
	actions.Resize(side)
	actions.Move(fyne.NewPos(width+gap, (size.Height-side.Height)/2))
}

// MinSize implements fyne.Layout. Its height is that of the width last given.
func (beside) MinSize(objects []fyne.CanvasObject) fyne.Size {
	text, actions := objects[0], objects[1]
	height := max(text.MinSize().Height, look.ControlHeight)
	if actions.Position().X == 0 && text.Size().Width > 0 && anyVisible(actions) {
		height = text.MinSize().Height + 4*look.Space + actions.MinSize().Height
	}
	return fyne.NewSize(max(120, actions.MinSize().Width), height)
}

// naturalWidth is the width of a text on one line.
func naturalWidth(o fyne.CanvasObject) float32 {
	said, ok := o.(interface{ Text() string })
	if !ok {
		return o.MinSize().Width
	}
	return look.Measure(said.Text(), look.Size(look.SizeText), fyne.TextStyle{}).Width + 2*look.Space
}

func anyVisible(o fyne.CanvasObject) bool {
	if c, ok := o.(*fyne.Container); ok {
		for _, inner := range c.Objects {
			if inner.Visible() {
				return true
			}
		}
	}
	return false
}
