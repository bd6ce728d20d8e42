package cases

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// LookElsewhere offers pages on which a person can look for earlier copies and fact-checks. One opens in their browser, empty, when they choose it;
// then what they found can be noted.
func (s *Screen) LookElsewhere() {
	if s.pane.of.ID == "" {
		return
	}
	body := container.New(kit.Column{Gap: 3 * look.Space, Grow: -1},
		kit.NewParagraph(i18n.T("The page opens empty in your browser: Assay sends nothing to it. What you enter there leaves this computer, and the page's operator sees it."), kit.TextStyle{}))
	var first fyne.Focusable
	for _, page := range Pages {
		open := kit.NewButton(kit.Plain, i18n.T("Open"), look.IconExternal, func() {
			s.OpenPage(page, func(problem string) { s.outcome(page, problem) })
		})
		if first == nil {
			first = open
		}
		words := container.New(kit.Column{Gap: 2, Grow: -1}, kit.NewParagraph(page.Name, kit.TextStyle{Weight: look.WeightMedium}), kit.NewHint(i18n.T(page.Does)))
		body.Add(container.New(kit.BesideButton{}, words, open))
	}
	s.Sheet.Show(kit.SheetContent{Title: i18n.T("Known elsewhere?"), Body: body, First: first, Width: sheetWidth,
		Buttons: []*kit.Button{
			kit.NewButton(kit.Bare, i18n.T("Add what you found…"), nil, func() { s.outcome(Page{}, "") }),
			kit.NewButton(kit.Plain, i18n.T("Close"), nil, s.Sheet.Close),
		}})
}

// outcome asks for what was found on a page that was opened; problem says why it was not, "" where it was.
func (s *Screen) outcome(page Page, problem string) {
	of, found, under := s.pane.of.ID, "", 0
	words := make([]string, len(outcomes))
	for i, kind := range outcomes {
		words[i] = checkName(kind)
	}
	if page.Facts {
		under = 1
	}
	above := container.New(kit.Column{Gap: 3 * look.Space, Grow: -1})
	switch {
	case problem != "":
		above.Add(kit.NewNotice(look.IconWarning, problem, "", nil))
	case page.Name != "":
		above.Add(kit.NewParagraph(i18n.F("%s is open in your browser. When you are done there, write what you found, even if it is nothing.", page.Name), kit.TextStyle{}))
	}
	choice := kit.NewSegmented(words, func(i int) { under = i })
	choice.Select(under)
	above.Add(kit.NewLabelled(i18n.T("Which check"), container.NewHBox(choice), nil, nil))
	s.ask(form{
		title: i18n.T("What was found?"), yes: i18n.T("Save"), failed: i18n.T("The finding could not be saved."), who: true, above: above,
		fields: []formField{{name: i18n.T("What was found"), hint: i18n.T("Even if nothing was found"), text: &found, longest: longestText, lines: 3, needed: true}},
		do: func(ctx context.Context) (func(), error) {
			return nil, s.Records.Change(ctx, of, checked(outcomes[under], found, s.by))
		},
	})
}
