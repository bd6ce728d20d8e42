package cases

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// judgementsCard shows what the desk's people judged in a shared case, and who has signed that off.
type judgementsCard struct {
	screen  *Screen
	root    *kit.Card
	require *kit.Button
	rows    *fyne.Container
	buttons []*kit.Button // of the rows
	shown   string        // what the rows were made of
	waits   *kit.Notice   // above the items, which may be many: what waits for this person's sign-off
}

func newJudgementsCard(s *Screen) *judgementsCard {
	c := &judgementsCard{screen: s, rows: container.New(kit.Column{Gap: 2 * look.Space, Grow: -1})}
	c.require = kit.NewButton(kit.Bare, "", nil, s.requireSignOff)
	c.waits = kit.NewNotice(look.IconPeople, "", "", nil)
	c.root = kit.NewCard(container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, cardHead(i18n.T("Judgements"), c.require), c.rows))
	return c
}

// set shows the judgements; a case of this computer alone has none.
func (c *judgementsCard) set(of Case) {
	kit.SetVisible(c.root, of.Shared.On)
	label := i18n.T("Require sign-off")
	if of.SignOff {
		label = i18n.T("Don't require sign-off")
	}
	c.require.SetLabel(label)
	waits := waitText(of.Judgements)
	c.waits.SetText(waits)
	c.waits.SetAction(i18n.T("Show"), func() { kit.RevealWithin(c.screen.pane.scroll, c.root, 2*look.Space) })
	kit.SetVisible(c.waits, of.Shared.On && waits != "")
	said := of.ID
	for _, j := range of.Judgements {
		said += "\x00" + j.line() + j.Comment + j.When
		if j.May {
			said += "\x00"
		}
	}
	if c.shown == said {
		return
	}
	c.shown = said
	c.rows.RemoveAll()
	c.buttons = nil
	if len(of.Judgements) == 0 {
		c.rows.Add(kit.NewHint(i18n.T("Nobody has judged a result in this case yet. Open a result to say what your desk takes it to be.")))
	}
	for _, j := range of.Judgements {
		c.rows.Add(kit.NewLine())
		c.rows.Add(c.row(j))
	}
}

// row is a judgement, with a button for those who may sign it off.
func (c *judgementsCard) row(j Judgement) fyne.CanvasObject {
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	column := container.New(kit.Column{Gap: 2, Grow: -1})
	if j.Item != "" {
		column.Add(kit.NewText(j.Item, kit.TextStyle{Weight: look.WeightMedium, Ellipsis: look.EllipsisMiddle}))
	}
	column.Add(kit.NewParagraph(j.Answer, small))
	column.Add(kit.NewParagraph(j.Words, kit.TextStyle{}))
	if j.Comment != "" {
		column.Add(kit.NewParagraph(j.Comment, kit.TextStyle{}))
	}
	column.Add(kit.NewParagraph(j.When, small))
	column.Add(kit.NewParagraph(strings.Join(j.Signed, "\n"), small))
	if !j.May {
		return column
	}
	sign := kit.NewButton(kit.Plain, i18n.T("Sign off"), nil, func() { c.screen.signOff(j) })
	c.buttons = append(c.buttons, sign)
	return container.New(kit.BesideButton{}, column, sign)
}

// hovered reports whether the pointer is over something that can be clicked.
func (c *judgementsCard) hovered() bool {
	return c.require.Hovered() || c.waits.Action().Hovered() || slices.ContainsFunc(c.buttons, (*kit.Button).Hovered)
}

// line tells a judgement, and what it is signed off with, from another.
func (j Judgement) line() string {
	return strings.Join(append([]string{j.kept.ID, j.kept.RequestID, j.Item, j.Answer, j.Words}, j.Signed...), ". ")
}

// signOff signs off a judgement, as it is shown.
func (s *Screen) signOff(j Judgement) {
	of := s.pane.of.ID
	s.do(i18n.T("The judgement could not be signed off."), func(ctx context.Context) error { return s.Records.SignOff(ctx, of, j.kept) }, nil)
}

// requireSignOff has the case need a second person's sign-off, or no longer.
func (s *Screen) requireSignOff() {
	of, e := s.pane.of.ID, signOffRule(!s.pane.of.SignOff, s.by)
	s.do(i18n.T("This could not be changed."), func(ctx context.Context) error { return s.Records.Change(ctx, of, e) }, nil)
}
