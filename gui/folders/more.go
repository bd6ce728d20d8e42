package folders

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// moreForm has the settings that most folders don't change. They are hidden until the person asks for them, unless they were changed.
type moreForm struct {
	card    *card
	root    *fyne.Container
	unfold  *kit.Button
	content *fyne.Container

	only, skip               *kit.Field
	onlyProblem, skipProblem *kit.Paragraph
	moveTo                   *kit.Text
	moveRow                  *fyne.Container // where files are moved, and the buttons for it
	stay                     *kit.Button
	moveMeans, moveProblem   *kit.Paragraph
	inCase                   *kit.Text
	caseRow                  *fyne.Container // which case files are added to, and the buttons for it
	noCase                   *kit.Button
	caseMeans                *kit.Paragraph
	quiets                   []time.Duration
	quiet                    *kit.Segmented
}

func newMoreForm(c *card) *moreForm {
	m := &moreForm{card: c, onlyProblem: kit.NewRefusal(), skipProblem: kit.NewRefusal(), moveProblem: kit.NewRefusal()}
	m.only = kit.NewField(i18n.T("For example: *.jpg, IMG_*"), func(text string) { c.form.Only = text; c.changed(true) })
	m.skip = kit.NewField(i18n.T("For example: *_small.*, Drafts"), func(text string) { c.form.Skip = text; c.changed(true) })
	var words []string
	m.quiets, words = Quiets(c.form.Quiet)
	m.quiet = kit.NewSegmented(words, func(i int) { c.form.Quiet = m.quiets[i]; c.changed(false) })
	m.moveTo = kit.NewText("", kit.TextStyle{Ellipsis: look.EllipsisMiddle})
	m.stay = kit.NewButton(kit.Bare, i18n.T("Don't move"), nil, func() { m.move("") })
	m.moveMeans = kit.NewHint("")
	choose := kit.NewButton(kit.Plain, i18n.T("Choose a folder…"), nil, func() { c.screen.Choose(m.move) })

	m.inCase = kit.NewText("", kit.TextStyle{Ellipsis: look.EllipsisMiddle})
	m.noCase = kit.NewButton(kit.Bare, i18n.T("No case"), nil, func() { m.gather("", "") })
	m.caseMeans = kit.NewHint("")
	pick := kit.NewButton(kit.Plain, i18n.T("Choose a case…"), nil, func() { c.screen.PickCase(m.gather) })

	m.caseRow = container.NewBorder(nil, nil, nil, container.NewHBox(pick, m.noCase), m.inCase)
	m.moveRow = container.NewBorder(nil, nil, nil, container.NewHBox(choose, m.stay), m.moveTo)
	m.content = container.New(kit.Column{Gap: 4 * look.Space, Grow: -1},
		kit.NewLabelled(i18n.T("Add the files to a case"), m.caseRow, m.caseMeans, nil),
		kit.NewLabelled(i18n.T("Only names like"), m.only, nil, m.onlyProblem),
		kit.NewLabelled(i18n.T("Skip names like"), m.skip, kit.NewHint(i18n.T("Names of files and subfolders. * stands for any characters, ? for one.")+" "+NeverCounts()), m.skipProblem),
		kit.NewLabelled(i18n.T("A file is complete if unchanged for"), container.NewHBox(m.quiet),
			kit.NewHint(i18n.T("If the system reports that a file was closed, Assay does not wait. Automatic is 2 s, on network folders 10 s.")), nil),
		kit.NewLabelled(i18n.T("Move answered files to"), m.moveRow, m.moveMeans, m.moveProblem))
	m.unfold = kit.NewButton(kit.Bare, i18n.T("More: case, names, waiting time, moving"), nil, func() { m.fold(m.content.Visible()) })
	m.unfold.SetIcon(look.IconChevronRight)
	// The button's padding before its icon extends to the left, so that the icon is in line with the titles.
	m.root = container.New(kit.Column{Gap: 2 * look.Space, Grow: -1},
		container.New(layout.NewCustomPaddedLayout(0, 0, -2.5*look.Space, 0), container.NewHBox(m.unfold)), m.content)
	m.only.SetText(c.form.Only)
	m.skip.SetText(c.form.Skip)
	for i, d := range m.quiets {
		if d == c.form.Quiet {
			m.quiet.Select(i)
		}
	}
	m.showMove()
	m.showCase()
	m.content.Hide()
	if c.form.Case != "" || c.form.Only != "" || c.form.Skip != "" || c.form.Quiet != 0 || c.form.MoveTo != "" {
		m.fold(false)
	}
	return m
}

// fold hides or shows the settings.
func (m *moreForm) fold(away bool) {
	kit.SetVisible(m.content, !away)
	m.unfold.SetIcon(look.IconChevronDown)
	if away {
		m.unfold.SetIcon(look.IconChevronRight)
	}
	if m.card.root == nil {
		return
	}
	m.card.layOut()
	if !away {
		m.card.revealBelow(m.root)
	}
}

// move sets where files are moved, "" for nowhere.
func (m *moreForm) move(to string) {
	m.card.form.MoveTo = to
	m.showMove()
	m.card.changed(false)
}

func (m *moreForm) showMove() {
	to := m.card.form.MoveTo
	kit.SetVisible(m.stay, to != "")
	kit.Relayout(m.moveRow) // the widths of the buttons changed
	if to == "" {
		m.moveTo.SetText(i18n.T("They stay where they are"))
		m.moveMeans.SetText(i18n.T("Assay never moves, renames or deletes your files, unless you choose a folder here."))
		return
	}
	name, where := NameOf(to)
	if where != "" {
		name = i18n.F("%s in %s", name, where)
	}
	m.moveTo.SetText(name)
	m.moveMeans.SetText(i18n.T("It must be on the same disk. If a name is taken there, Assay adds a number. It never replaces or deletes a file."))
}

// gather sets which case files are added to, "" for none.
func (m *moreForm) gather(id, title string) {
	m.card.form.Case, m.card.form.CaseTitle = id, title
	m.showCase()
	m.card.changed(false)
}

func (m *moreForm) showCase() {
	id, title := m.card.form.Case, m.card.form.CaseTitle
	kit.SetVisible(m.noCase, id != "")
	kit.Relayout(m.caseRow) // the widths of the buttons changed
	m.caseMeans.SetText(i18n.T("They are in the inbox, too. If the case is shared with your desk, so are the answers on files that are sent without asking."))
	switch {
	case id == "":
		m.inCase.SetText(i18n.T("They are in no case"))
		m.caseMeans.SetText(i18n.T("A case gathers what belongs to a story."))
	case title == "":
		m.inCase.SetText(i18n.T("That case is gone"))
	default:
		m.inCase.SetText(title)
	}
}

func (m *moreForm) refuse(r Refusals) {
	kit.Refuse(m.onlyProblem, r.Only)
	kit.Refuse(m.skipProblem, r.Skip)
	kit.Refuse(m.moveProblem, r.MoveTo)
}
