package folders

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/client/submission"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// insideForm shows which files a folder has already, and asks what to do with them.
type insideForm struct {
	card *card
	root *fyne.Container

	words   *kit.Paragraph
	running *kit.Progress
	runLine fyne.CanvasObject
	problem *kit.Notice
	again   *kit.Button
	begin   *kit.Options
	chooser *fileChooser
	// The chosen files, and a button for the list.
	chooseLine  fyne.CanvasObject
	chosenWords *kit.Text
	chooseFiles *kit.Button
	counted     Inside
	state       countState
	sentence    string // why they can't be counted
	cancel      func()
}

// countState is the state of counting.
type countState int

const (
	countStopped countState = iota // by the person, or not begun
	counting
	counted
	lookFailed
)

func newInsideForm(c *card) *insideForm {
	i := &insideForm{card: c, cancel: func() {}}
	i.words = kit.NewParagraph("", kit.TextStyle{})
	i.running = kit.NewProgress()
	i.running.SetUnknown()
	stop := kit.NewButton(kit.Bare, i18n.T("Stop"), nil, func() {
		i.stop()
		c.changed(false)
		c.screen.focus(i.again)
	})
	i.runLine = container.NewBorder(nil, nil,
		container.NewCenter(kit.NewText(i18n.T("Counting the files inside…"), kit.TextStyle{Color: look.ColorMuted})), stop,
		container.New(layout.NewCustomPaddedLayout(0, 0, 3*look.Space, 3*look.Space), i.running))
	i.problem = kit.NewNotice(look.IconWarning, "", i18n.T("Try again"), func() {
		i.count()
		c.changed(false)
	})
	i.again = kit.NewButton(kit.Plain, i18n.T("Count the files inside"), nil, i.problem.Action().OnTapped)
	i.begin = kit.NewOptions(Begins(submission.GateAsk), func(int) { c.changed(false) })
	i.chooser = newFileChooser(c)
	i.chosenWords = kit.NewText("", kit.TextStyle{Color: look.ColorMuted, Ellipsis: look.EllipsisEnd})
	i.chooseFiles = kit.NewButton(kit.Plain, i18n.T("Choose files…"), nil, func() { c.choose(true) })
	const indent = 6 * look.Space
	i.chooseLine = container.New(layout.NewCustomPaddedLayout(0, 0, indent, 0), container.NewBorder(nil, nil, i.chooseFiles, nil,
		container.New(layout.NewCustomPaddedLayout(0, 0, 2*look.Space, 0), i.chosenWords)))
	i.root = kit.NewSection(i18n.T("Files already inside"), container.New(kit.Column{Gap: 1.5 * look.Space, Grow: -1},
		i.words, i.runLine, i.problem, container.NewHBox(i.again), kit.Outdented(i.begin), i.chooseLine))
	i.fill()
	return i
}

// count counts again.
func (i *insideForm) count() {
	i.stop()
	f, form := i.card.screen, i.card.form
	i.state = counting
	i.cancel = f.Workers.Do(func(ctx context.Context) func() {
		inside, err := f.Look(ctx, form)
		return func() {
			if err != nil {
				i.state, i.sentence = lookFailed, present.Problem(err)
			} else {
				i.state, i.counted = counted, inside
				i.chooser.set(inside)
			}
			i.card.changed(false)
			if !i.begin.Visible() && f.focused() == i.begin { // otherwise nothing would have the focus
				f.focus(i.card.first())
			}
		}
	})
}

// stop stops counting, and hides what was counted for other settings.
func (i *insideForm) stop() {
	i.cancel()
	i.cancel = func() {}
	if i.state == counting {
		i.state = countStopped
	}
}

// fill shows the present state.
func (i *insideForm) fill() {
	for n, choice := range Begins(i.card.form.InForce()) {
		i.begin.SetOption(n, choice)
	}
	empty := i.state == counted && i.counted.Files == 0
	switch i.state {
	case counted:
		i.words.SetText(i.counted.Words())
	case countStopped:
		i.words.SetText(i18n.T("The files were not counted."))
	}
	kit.SetVisible(i.words, i.state == counted || i.state == countStopped)
	kit.SetVisible(i.runLine, i.state == counting)
	if i.state == counting {
		i.running.Show()
	} else {
		i.running.Hide() // stops its animation
	}
	i.problem.SetText(i.sentence)
	kit.SetVisible(i.problem, i.state == lookFailed)
	kit.SetVisible(i.again, i.state == countStopped)
	i.begin.SetDisabled(int(Choose), i.state != counted)
	kit.SetVisible(i.begin, i.state != lookFailed && !empty)
	kit.SetVisible(i.chooseLine, i.chooses())
	i.chosenWords.SetText(ChosenWords(i.chooser.count, i.chooser.bytes))
}

func (i *insideForm) chooses() bool {
	return i.state == counted && i.counted.Files > 0 && Begin(i.begin.Selected()) == Choose
}

// inTheWay says why the folder can't be watched as it is, "" if it can.
func (i *insideForm) inTheWay() string {
	switch {
	case i.state == lookFailed:
		return i18n.T("This folder can't be watched.")
	case i.state == counted && i.counted.Files == 0, Begin(i.begin.Selected()) != Choose:
		return ""
	case i.state != counted:
		return i18n.T("Assay has to count the files inside first.")
	case i.chooser.count == 0:
		return i18n.T("Choose at least one file, or “Only new files”.")
	}
	return ""
}

// chosen returns what to do with the files, and the paths of chosen ones.
func (i *insideForm) chosen() (Begin, []string) {
	begin := Begin(i.begin.Selected())
	switch {
	case i.state == counted && i.counted.Files == 0:
		return OnlyNew, nil
	case begin == Choose:
		return begin, i.chooser.paths()
	}
	return begin, nil
}
