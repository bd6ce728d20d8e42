package cases

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// newStays builds the line under the items that says what of them is not shared.
func (p *casePane) newStays() fyne.CanvasObject {
	p.staysWords = kit.NewHint("")
	p.shareItems = kit.NewButton(kit.Plain, i18n.T("Share…"), nil, p.screen.ShareItems)
	p.stays = container.New(kit.BesideButton{}, p.staysWords, p.shareItems)
	p.buttons = append(p.buttons, p.shareItems)
	p.stays.Hide()
	p.shareFiles = kit.NewButton(kit.Plain, i18n.T("Share a file…"), nil, p.screen.ShareFiles)
	p.files = container.New(kit.BesideButton{}, kit.NewHint(i18n.T("The files themselves stay on this computer until you share them.")), p.shareFiles)
	p.buttons = append(p.buttons, p.shareFiles)
	p.files.Hide()
	return kit.NewGroup(p.stays, p.files)
}

// showDesk shows how the case is at the desk; nothing of it where none was joined.
func (p *casePane) showDesk(c Case) {
	label, icon := i18n.T("Share…"), look.IconShare
	if c.Shared.On {
		label, icon = i18n.T("People…"), look.IconPeople
	}
	p.share.SetLabel(label)
	p.share.SetIcon(icon)
	kit.SetVisible(p.share, p.screen.joined)
	p.staysWords.SetText(c.Shared.Stays)
	kit.SetVisible(p.shareItems, len(c.Shared.Asks) > 0)
	kit.SetVisible(p.stays, c.Shared.Stays != "")
	kit.SetVisible(p.files, len(c.Shared.Files) > 0)
}

// ShareOrPeople opens the sheet that shares the case, or the one that shows who is in it.
func (s *Screen) ShareOrPeople() {
	switch of := s.pane.of; {
	case of.ID == "" || !s.joined:
	case of.Shared.On:
		s.showPeople(of)
	default:
		s.share(of)
	}
}

// share shows what of a case would be shared, asks how much of its results and with whom, and shares it.
func (s *Screen) share(of Case) {
	s.Workers.Do(func(ctx context.Context) func() {
		sharing, err := s.Desk.Sharing(ctx, of.ID)
		return func() {
			if err != nil {
				s.Say(i18n.T("The case can't be shared.") + " " + present.Problem(err))
				return
			}
			goes, stays := goesText(sharing)
			s.askToShare(of, goes, stays)
		}
	})
}

func (s *Screen) askToShare(of Case, goes, stays []string) {
	much := kit.NewOptions(shareOptions(), nil)
	much.Select(usualShare)
	with := newColleagueRows(s.colleagues)
	body := container.New(kit.Column{Gap: 4 * look.Space, Grow: -1},
		kit.NewSection(i18n.T("Goes to the desk"), lines(look.IconCheck, goes)),
		kit.NewSection(i18n.T("Stays on this computer"), lines(look.IconLock, stays)),
		kit.NewSection(i18n.T("What of a result"), much),
		kit.NewSection(i18n.T("Who sees it"), with.root))
	yes := kit.NewButton(kit.Primary, i18n.T("Share"), nil, func() {
		share, in := shares[much.Selected()], with.chosen()
		s.Sheet.Close()
		var problem error
		s.doOn(s.Network, i18n.T("The case could not be shared."), func(ctx context.Context) (err error) {
			problem, err = s.Desk.Share(ctx, of.ID, share, in)
			return err
		}, func() {
			switch {
			case problem != nil && len(in) > 0:
				s.Say(present.Problem(problem) + " " + i18n.T("Nobody was let in yet: do that later, under “People…”."))
			case problem != nil:
				s.Say(present.Problem(problem))
			}
		})
	})
	s.Sheet.Show(kit.SheetContent{Title: i18n.F("Share “%s”", of.Title), Body: body, First: much, Width: sheetWidth,
		Buttons: []*kit.Button{kit.NewButton(kit.Plain, i18n.T("Cancel"), nil, s.Sheet.Close), yes}})
}

// lines are sentences below each other, each with an icon.
func lines(icon look.Icon, sentences []string) fyne.CanvasObject {
	column := container.New(kit.Column{Gap: look.Space, Grow: -1})
	for _, each := range sentences {
		column.Add(container.New(besideIcon{}, kit.NewIcon(icon, look.ColorMuted, lineIcon), kit.NewParagraph(each, kit.TextStyle{})))
	}
	return column
}

const lineIcon float32 = 16

// besideIcon lays out a paragraph to the right of an icon.
type besideIcon struct{}

// Layout implements fyne.Layout.
func (besideIcon) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const left = lineIcon + 2*look.Space
	kit.PlaceAt(objects[0], 0, 1, lineIcon, lineIcon)
	kit.PlaceAt(objects[1], left, 0, max(0, size.Width-left), size.Height)
}

// MinSize implements fyne.Layout: its height follows from the width of the last layout.
func (besideIcon) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(160, max(lineIcon, objects[1].MinSize().Height))
}

// colleagueRows asks who is let into a case, and what they may do there.
type colleagueRows struct {
	root fyne.CanvasObject
	all  []Colleague
	in   []*kit.Check
	may  []*kit.Select
}

func newColleagueRows(all []Colleague) *colleagueRows {
	r := &colleagueRows{all: all}
	if len(all) == 0 {
		r.root = kit.NewHint(i18n.T("Nobody else is a member of the desk yet. You can let people in later."))
		return r
	}
	column := container.New(kit.Column{Gap: 0, Grow: -1}, kit.NewHint(i18n.T("Only those you choose. They see all that was shared of it before, too.")))
	for _, c := range all {
		may := newLevelSelect(c.Name, levels, LevelEditor, nil)
		may.Disable()
		in := kit.NewCheck("", func(checked bool) { kit.SetEnabled(may, checked) })
		in.SetToolTip(c.Name)
		r.in, r.may = append(r.in, in), append(r.may, may)
		column.Add(container.New(personLine{}, in, kit.NewText(c.Name, kit.TextStyle{Ellipsis: look.EllipsisEnd}), may))
	}
	r.root = column
	return r
}

// chosen are those who are let in.
func (r *colleagueRows) chosen() (all []InCase) {
	for i, c := range r.all {
		if r.in[i].Checked() {
			all = append(all, InCase{c.Login, levels[r.may[i].Selected()]})
		}
	}
	return all
}

// newLevelSelect chooses what somebody may do.
func newLevelSelect(name string, all []Level, is Level, changed func(Level)) *kit.Select {
	s := kit.NewSelect(kit.Plain, wordsOf(all), nil)
	s.Select(max(0, slices.Index(all, is)))
	s.SetName(i18n.F("What %s may do", name))
	if changed != nil {
		s.OnChanged = func(i int) { changed(all[i]) }
	}
	return s
}

// personLine lays out a name between a control and what is chosen for it.
type personLine struct{}

// Layout implements fyne.Layout.
func (personLine) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	left, right := objects[0].MinSize(), objects[2].MinSize()
	kit.PlaceInRow(objects[0], 0, size.Height, left.Width, left.Height)
	kit.PlaceInRow(objects[2], size.Width-right.Width, size.Height, right.Width, right.Height)
	x := left.Width + look.Space
	kit.PlaceInRow(objects[1], x, size.Height, max(0, size.Width-right.Width-2*look.Space-x), objects[1].MinSize().Height)
}

// MinSize implements fyne.Layout.
func (personLine) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(objects[0].MinSize().Width+objects[2].MinSize().Width+100, look.ControlHeight+look.Space)
}

// ShareItems asks which of the results that ask are shared, and how much of them.
func (s *Screen) ShareItems() {
	of := s.pane.of
	if of.ID == "" || len(of.Shared.Asks) == 0 {
		return
	}
	s.Workers.Do(func(ctx context.Context) func() {
		items, err := s.Records.Items(ctx, of.Shared.Asks)
		return func() {
			if err != nil {
				s.Say(i18n.T("The results can't be read.") + " " + present.Problem(err))
				return
			}
			s.askToShareItems(of, items)
		}
	})
}

// itemRows are items to choose from; yes is enabled while some are chosen.
type itemRows struct {
	column *fyne.Container
	items  []Item
	boxes  []*kit.Check
}

func newItemRows(items []Item, yes *kit.Button) *itemRows {
	r := &itemRows{column: container.New(kit.Column{Gap: 0, Grow: -1}), items: items}
	for _, item := range items {
		box := kit.NewCheck("", func(bool) { kit.SetEnabled(yes, len(r.chosen()) > 0) })
		box.SetToolTip(item.label())
		r.boxes = append(r.boxes, box)
		r.column.Add(container.New(personLine{}, box, kit.NewText(item.Name, kit.TextStyle{Ellipsis: look.EllipsisMiddle}),
			kit.NewText(item.Words, kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted})))
	}
	yes.Disable()
	return r
}

func (r *itemRows) chosen() (ids []string) {
	for i, box := range r.boxes {
		if box.Checked() {
			ids = append(ids, r.items[i].ID)
		}
	}
	return ids
}

// first is what has the focus first.
func (r *itemRows) first() fyne.Focusable {
	if len(r.boxes) == 0 {
		return nil
	}
	return r.boxes[0]
}

func (s *Screen) askToShareItems(of Case, items []Item) {
	much := kit.NewOptions(shareOptions(), nil)
	much.Select(usualShare)
	yes := kit.NewButton(kit.Primary, i18n.T("Share"), nil, nil)
	rows := newItemRows(items, yes)
	yes.OnTapped = func() {
		ids, share := rows.chosen(), shares[much.Selected()]
		s.Sheet.Close()
		s.do(i18n.T("The results could not be shared."), func(ctx context.Context) error { return s.Desk.ShareItems(ctx, of.ID, ids, share) }, nil)
	}
	body := container.New(kit.Column{Gap: 4 * look.Space, Grow: -1},
		kit.NewHint(i18n.T("Assay asks before the files of these results are sent, so it asks before the results are shared, too. The files themselves stay here.")),
		rows.column, kit.NewSection(i18n.T("What of a result"), much))
	s.Sheet.Show(kit.SheetContent{Title: i18n.T("Share results"), Body: body, First: rows.first(), Width: sheetWidth,
		Buttons: []*kit.Button{kit.NewButton(kit.Plain, i18n.T("Cancel"), nil, s.Sheet.Close), yes}})
}

// ShareFiles asks which files themselves are shared, and says what goes with them.
func (s *Screen) ShareFiles() {
	of := s.pane.of
	if of.ID == "" || len(of.Shared.Files) == 0 {
		return
	}
	s.Workers.Do(func(ctx context.Context) func() {
		items, err := s.Records.Items(ctx, of.Shared.Files)
		return func() {
			if err != nil {
				s.Say(i18n.T("The results can't be read.") + " " + present.Problem(err))
				return
			}
			s.askToShareFiles(of, items)
		}
	})
}

func (s *Screen) askToShareFiles(of Case, items []Item) {
	yes := kit.NewButton(kit.Primary, i18n.T("Share"), nil, nil)
	rows := newItemRows(items, yes)
	yes.OnTapped = func() {
		ids := rows.chosen()
		s.Sheet.Close()
		s.do(i18n.T("The file could not be shared."), func(ctx context.Context) error { return s.Desk.ShareFiles(ctx, of.ID, ids) }, func() {
			s.Say(i18n.T("The file goes to the desk as soon as it can be reached."))
		})
	}
	goes, stays := fileGoesText(of.Shared.Place)
	body := container.New(kit.Column{Gap: 4 * look.Space, Grow: -1}, rows.column,
		kit.NewSection(i18n.T("Goes to the desk"), lines(look.IconCheck, goes)),
		kit.NewSection(i18n.T("Stays on this computer"), lines(look.IconLock, stays)))
	s.Sheet.Show(kit.SheetContent{Title: i18n.F("Share a file with “%s”", of.Title), Body: body, First: rows.first(), Width: sheetWidth,
		Buttons: []*kit.Button{kit.NewButton(kit.Plain, i18n.T("Cancel"), nil, s.Sheet.Close), yes}})
}
