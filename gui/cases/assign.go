package cases

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// isMine reports whether a question of a case was assigned to the person at this computer.
func (s *Screen) isMine(of Case, a Assigned) bool {
	if of.Shared.On {
		return a.Login != "" && a.Login == of.Shared.Me
	}
	return a.Name != "" && strings.EqualFold(a.Name, s.Person)
}

// mineFirst are the questions of a case: of those without an answer, the person's own first.
func (s *Screen) mineFirst(of Case) []Question {
	all := slices.Clone(of.Questions)
	place := func(q Question) int {
		switch {
		case len(q.Answers) > 0:
			return 2
		case slices.ContainsFunc(q.Assigned, func(a Assigned) bool { return s.isMine(of, a) }):
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b Question) int { return place(a) - place(b) })
	return all
}

// newAssignLine shows who is to answer an open question, and has the buttons to say so.
func (c *questionsCard) newAssignLine(of Case, q Question) fyne.CanvasObject {
	s := c.screen
	line := container.New(&kit.Flow{Gap: look.Space, Line: look.Space})
	mine := false
	for _, a := range q.Assigned {
		words, icon := a.short(), fyne.Resource(look.IconPeople)
		if s.isMine(of, a) {
			mine, words = true, i18n.T("You")
		}
		if a.Overdue || a.Name == "" {
			icon = look.IconHourglass
		}
		line.Add(kit.NewTag(icon, present.Joined(words, a.Says)))
	}
	button := func(words string, do func()) {
		b := kit.NewButton(kit.Bare, words, nil, do)
		c.assign = append(c.assign, b)
		line.Add(b)
	}
	if me := s.me(of); !mine && me != "" {
		button(i18n.T("Take it"), func() { s.assignTo(of, q, me, dueOf(q)) })
	}
	button(i18n.T("Assign…"), func() { s.assign(of, q) })
	column := container.New(kit.Column{Gap: look.Space, Grow: -1}, line)
	if len(q.Assigned) > 1 {
		column.Add(kit.NewHint(i18n.T("They were assigned at the same time. Assign it again to leave it to one of them.")))
	}
	return container.New(layout.NewCustomPaddedLayout(0, look.Space, 0, 0), column)
}

// me is who the person is in a case, as an assignment takes it.
func (s *Screen) me(of Case) string {
	if of.Shared.On {
		return of.Shared.Me
	}
	return s.Person
}

// dueOf is by when a question is to be answered; "" for no day.
func dueOf(q Question) string {
	if len(q.Assigned) > 0 {
		return q.Assigned[0].Due
	}
	return ""
}

func (s *Screen) assignTo(of Case, q Question, to, due string) {
	s.do(assignFailed(), func(ctx context.Context) error { return s.Records.Change(ctx, of.ID, assigned(q.ID, to, due, s.by)) }, nil)
}

func assignFailed() string { return i18n.T("The question could not be assigned.") }

// assign asks who is to answer a question, and by when: at a desk one of its people, and else a name.
func (s *Screen) assign(of Case, q Question) {
	days, dayWords := daysOffered(dueOf(q), s.Now())
	due := kit.NewSelect(kit.Plain, dayWords, nil)
	due.Select(max(0, slices.Index(days, dueOf(q))))
	due.SetName(i18n.T("By when"))
	below := container.New(kit.Column{Gap: 4 * look.Space, Grow: -1})
	var fields []formField
	name := ""
	who := func() string { return name }
	if of.Shared.On {
		logins, names := []string{"", of.Shared.Me}, []string{i18n.T("Nobody"), i18n.T("You")}
		for _, c := range s.colleagues {
			logins, names = append(logins, c.Login), append(names, c.Name)
		}
		to := kit.NewSelect(kit.Plain, names, nil)
		to.SetName(i18n.T("Who answers it"))
		if len(q.Assigned) > 0 {
			to.Select(max(0, slices.Index(logins, q.Assigned[0].Login)))
		}
		who = func() string { return logins[to.Selected()] }
		below.Add(kit.NewLabelled(i18n.T("Who answers it"), container.NewHBox(to), nil, nil))
	} else {
		if len(q.Assigned) > 0 {
			name = q.Assigned[0].Name
		}
		fields = []formField{{name: i18n.T("Who answers it"), hint: i18n.T("A name, or nothing for nobody"), text: &name, longest: LongestTitle}}
	}
	below.Add(kit.NewLabelled(i18n.T("By when"), container.NewHBox(due), nil, nil))
	s.ask(form{
		title: i18n.T("Assign the question"), yes: i18n.T("Assign"), failed: assignFailed(),
		above: kit.NewParagraph(q.Text, kit.TextStyle{}), fields: fields, below: below,
		do: func(ctx context.Context) (func(), error) {
			return nil, s.Records.Change(ctx, of.ID, assigned(q.ID, who(), days[due.Selected()], s.by))
		},
	})
}
