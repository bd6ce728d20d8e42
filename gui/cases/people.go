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
	"assay/gui/present"
)

// people is the sheet that shows who is in a shared case. The desk is asked each time: others let people in, too.
type people struct {
	screen *Screen
	of     Case
	words  *kit.Paragraph // while the desk is asked, or why that failed
	rows   *fyne.Container
	leave  *kit.Button
	again  *kit.Button
	failed string             // what could not be changed; "" for nothing
	stop   context.CancelFunc // of what is under way
}

func (s *Screen) showPeople(of Case) {
	p := &people{screen: s, of: of, words: kit.NewHint(""), rows: container.New(kit.Column{Gap: 0, Grow: -1}), stop: func() {}}
	p.leave = kit.NewButton(kit.Plain, i18n.T("Leave the case…"), nil, p.askToLeave)
	p.again = kit.NewButton(kit.Plain, i18n.T("Try again"), nil, p.read)
	p.again.Hide()
	body := container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, p.words, p.rows, container.NewHBox(p.again))
	s.Sheet.Show(kit.SheetContent{Title: i18n.F("People in “%s”", of.Title), Body: body, Width: sheetWidth, Left: container.NewHBox(p.leave),
		Buttons: []*kit.Button{kit.NewButton(kit.Primary, i18n.T("Close"), nil, s.Sheet.Close)}, Closed: func() { p.stop() }})
	p.read()
}

// read asks the desk who is in the case.
func (p *people) read() {
	p.say(i18n.T("Asking the desk…"), false)
	p.stop()
	p.stop = p.screen.Network.Do(func(ctx context.Context) func() {
		all, me, err := p.screen.Desk.People(ctx, p.of.ID)
		return func() {
			if err != nil {
				p.say(strings.TrimSpace(p.failed+" "+present.Problem(err)), true)
				p.failed = ""
				return
			}
			p.show(all, me)
		}
	})
}

func (p *people) say(sentence string, failed bool) {
	p.words.SetText(sentence)
	kit.SetVisible(p.words, sentence != "")
	kit.SetVisible(p.again, failed)
	p.screen.Sheet.Refit()
}

// show shows who is in the case. Its owners can let others in, and change what they may do.
func (p *people) show(all []InCase, me string) {
	p.rows.RemoveAll()
	levelOf := func(login string) Level {
		if i := slices.IndexFunc(all, func(in InCase) bool { return in.Login == login }); i >= 0 {
			return all[i].Level
		}
		return LevelNone
	}
	mine := levelOf(me)
	switch mine {
	case LevelNone:
		p.say(i18n.T("You are no longer in this case at the desk. What is here stays."), false)
		return
	case LevelOwner:
		p.say(i18n.T("You own this case: you can let people in, and out again. What they have received stays with them."), false)
	default:
		p.say(i18n.T("The owners of the case let people in."), false)
	}
	if p.failed != "" {
		p.say(p.failed, false)
		p.failed = ""
	}
	p.rows.Add(p.line(i18n.F("%s (you)", me), kit.NewText(levelWords(mine), kit.TextStyle{Color: look.ColorMuted})))
	known := map[string]bool{me: true}
	for _, c := range p.screen.colleagues {
		known[c.Login] = true
		p.person(c, levelOf(c.Login), mine == LevelOwner)
	}
	for _, in := range all { // who is no member any more
		if !known[in.Login] {
			p.person(Colleague{Login: in.Login, Name: oneLine(in.Login)}, in.Level, mine == LevelOwner)
		}
	}
	p.rows.Add(p.keep(mine == LevelOwner))
	p.screen.Sheet.Refit()
}

// keeping is for how many days after the last entry a desk can be told to keep a case; 0: without limit.
var keeping = []int{0, 30, 90, 365}

func keepWords(days int) string {
	if days == 0 {
		return i18n.T("Always")
	}
	return i18n.N(days, "%s day", "%s days")
}

// keep is the row that says for how long the desk keeps the case, which its owners choose.
func (p *people) keep(change bool) fyne.CanvasObject {
	icon, name := kit.NewIcon(look.IconCases, look.ColorMuted, lineIcon), kit.NewText(i18n.T("Kept at the desk after the last entry"), kit.TextStyle{Ellipsis: look.EllipsisEnd})
	is := p.of.Shared.Keep
	if !change {
		return container.New(personLine{}, icon, name, kit.NewText(keepWords(is), kit.TextStyle{Color: look.ColorMuted}))
	}
	days := keeping
	if !slices.Contains(days, is) { // by a subcommand
		days = append(slices.Clone(days), is)
	}
	var words []string
	for _, d := range days {
		words = append(words, keepWords(d))
	}
	s := kit.NewSelect(kit.Plain, words, nil)
	s.Select(slices.Index(days, is))
	s.SetName(i18n.T("For how long the desk keeps this case"))
	s.OnChanged = func(i int) { p.setKeep(days[i]) }
	return container.New(personLine{}, icon, name, s)
}

// setKeep changes for how long the desk keeps the case. It is done here at once, and sent when the desk can be reached.
func (p *people) setKeep(days int) {
	s, e := p.screen, retentionRule(days, p.screen.by)
	p.of.Shared.Keep = days
	s.Sheet.Refit()
	s.do(i18n.T("This could not be changed."), func(ctx context.Context) error { return s.Records.Change(ctx, p.of.ID, e) }, nil)
}

// person adds the row of a colleague.
func (p *people) person(c Colleague, is Level, change bool) {
	if !change {
		if is != LevelNone {
			p.rows.Add(p.line(c.Name, kit.NewText(levelWords(is), kit.TextStyle{Color: look.ColorMuted})))
		}
		return
	}
	p.rows.Add(p.line(c.Name, newLevelSelect(c.Name, append([]Level{LevelNone}, levels...), is, func(to Level) { p.set(c, to) })))
}

func (p *people) line(name string, right fyne.CanvasObject) fyne.CanvasObject {
	return container.New(personLine{}, kit.NewIcon(look.IconPeople, look.ColorMuted, lineIcon), kit.NewText(name, kit.TextStyle{Ellipsis: look.EllipsisEnd}), right)
}

// set changes what a colleague may do.
func (p *people) set(c Colleague, to Level) {
	p.screen.Network.Do(func(ctx context.Context) func() {
		err := p.screen.Desk.SetLevel(context.WithoutCancel(ctx), p.of.ID, InCase{c.Login, to})
		return func() {
			if err != nil {
				p.failed = i18n.T("That could not be changed.") + " " + present.Problem(err)
				p.read() // what holds
				return
			}
			if to == LevelNone {
				p.say(i18n.F("%s is no longer in the case.", c.Name), false)
				return
			}
			p.say(i18n.F("%s is in the case: %s.", c.Name, levelWords(to)), false)
		}
	})
}

// askToLeave asks whether this computer leaves the case.
func (p *people) askToLeave() {
	s, of := p.screen, p.of
	s.Sheet.Ask(i18n.F("Leave “%s”?", of.Title), i18n.T("What is in the case stays on this computer, as your own. You receive nothing more of it, and the desk nothing more of you, until an owner lets you in again."),
		i18n.T("Leave"), func() {
			s.doOn(s.Network, i18n.T("The case could not be left."), func(ctx context.Context) error { return s.Desk.Leave(ctx, of.ID) }, nil)
		})
}
