package settings

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/desk/postgres"
	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// deskPage leads to a desk, or shows the one that was joined.
type deskPage struct {
	*page
	now     DeskNow
	known   bool // now was read
	reading bool
	again   bool // something has changed while it was read

	waiting  *kit.Card   // until it was read
	unread   *kit.Notice // why it could not be read
	intro    *kit.Card   // what a desk is
	joinCard *kit.Card
	title    *fyne.Container // of the form, where a desk was joined
	form     *deskForm
	fixed    *fyne.Container // says why the address can't be changed
	fixedWhy *kit.Paragraph

	said    *kit.Notice // how joining or leaving went
	desk    *kit.Card
	server  *kit.Paragraph
	who     *kit.Paragraph
	state   *kit.Notice
	shared  *kit.Paragraph
	try     *kit.Button
	renew   *kit.Button
	leave   *kit.Button
	renews  bool // the form for another password is open
	people  *kit.Card
	members *fyne.Container
	listed  []string // in members
}

func newDeskPage(p *page) {
	d := &deskPage{page: p}
	d.unread = kit.NewNotice(look.IconWarning, "", "", nil)
	d.said = kit.NewNotice(look.IconCheck, "", "", nil)
	d.unread.Hide()
	d.said.Hide()
	p.cards.Add(d.unread)
	p.cards.Add(d.said)
	d.waiting = p.card(kit.NewHint(i18n.T("One moment…")))
	d.newDesk()
	d.newJoin()
	d.members = container.New(kit.Column{Gap: 1.5 * look.Space, Grow: -1})
	d.people = p.card(kit.NewSection(i18n.T("Who is at the desk"), d.members))
	p.fills = append(p.fills, d.fill)
	p.opened = d.read
	p.typedKey = func(e *fyne.KeyEvent) bool {
		switch {
		case d.form.typedKey(e):
		case e.Name == fyne.KeyEscape && d.renews:
			d.openRenew(false)
			p.settings.focus(d.renew)
		default:
			return false
		}
		return true
	}
}

// newDesk is the card of the desk that was joined.
func (d *deskPage) newDesk() {
	d.server = kit.NewParagraph("", kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold})
	d.who = kit.NewParagraph("", kit.TextStyle{})
	d.state = kit.NewNotice(look.IconCheck, "", "", nil)
	d.shared = kit.NewParagraph("", kit.TextStyle{})
	d.try = kit.NewButton(kit.Plain, i18n.T("Try now"), nil, d.tryNow)
	d.renew = kit.NewButton(kit.Plain, i18n.T("Password and certificates…"), nil, func() { d.openRenew(true) })
	d.leave = kit.NewButton(kit.Plain, i18n.T("Leave the desk…"), nil, d.askToLeave)
	d.desk = d.card(container.New(kit.Column{Gap: look.Space, Grow: -1}, d.server, d.who),
		kit.NewGroup(d.state, d.shared),
		container.New(&kit.Flow{Gap: 2 * look.Space, Line: 2 * look.Space}, d.try, d.renew, d.leave))
}

// newJoin is the form, and before a desk was joined what a desk is.
func (d *deskPage) newJoin() {
	d.form = newDeskForm(d.page, d.joined)
	d.intro = d.card(kit.NewParagraph(DeskIntro(), kit.TextStyle{}))
	d.title = titleAndCancel(i18n.T("Password and certificates"), func() { d.openRenew(false) })
	d.fixedWhy = kit.NewHint("")
	d.fixed = kit.NewLockedLine(d.fixedWhy)
	d.joinCard = d.card(d.title, d.fixed, d.form.root)
}

// read reads how it is at the desk, on a worker.
func (d *deskPage) read() {
	if d.reading {
		d.again = true
		return
	}
	d.reading = true
	d.settings.Workers.Do(func(ctx context.Context) func() { // not run, which keeps something of each
		now, err := d.settings.Desk.State(ctx)
		return func() {
			d.reading = false
			sentence := ""
			if err != nil {
				sentence = present.Problem(err)
			} else {
				d.now, d.known = now, true
			}
			d.unread.SetText(sentence)
			kit.SetVisible(d.unread, sentence != "")
			d.fill()
			d.layOut()
			if d.again {
				d.again = false
				d.read()
			}
		}
	})
}

// fill shows what was read last.
func (d *deskPage) fill() {
	joined := d.known && d.now.Joined
	d.renews = d.renews && joined
	why, fixed := OriginWords(d.settings.Origin(SettingDesk))
	proposed := d.settings.Settings().Desk.Address
	fixed = fixed && proposed != ""
	d.fixedWhy.SetText(why)
	kit.SetVisible(d.fixed, fixed && !joined)
	kit.SetVisible(d.title, joined)
	kit.SetVisible(d.intro, d.known && !joined)
	kit.SetVisible(d.joinCard, d.known && (!joined || d.renews))
	kit.SetVisible(d.desk, joined)
	kit.SetVisible(d.waiting, !d.known && !d.unread.Visible())
	switch {
	case joined:
		d.form.join.SetLabel(i18n.T("Save"))
		d.form.fillIn(postgres.PartsOf(d.now.Address), true)
	default:
		d.form.join.SetLabel(i18n.T("Join the desk"))
		d.form.propose(proposed, fixed)
	}
	if joined {
		d.show()
	}
	kit.SetVisible(d.people, joined && len(d.now.Members) > 0)
}

// show shows the desk that was joined.
func (d *deskPage) show() {
	d.server.SetText(d.now.Server())
	d.who.SetText(i18n.F("You: %s", d.now.Who()))
	title, sentence, problem := d.now.State()
	d.state.SetIcon(look.IconCheck)
	switch {
	case problem:
		d.state.SetIcon(look.IconWarning)
	case !d.now.Connected:
		d.state.SetIcon(look.IconHourglass)
	}
	d.state.SetTitle(title)
	d.state.SetText(sentence)
	d.shared.SetText(d.now.Shared())
	kit.SetVisible(d.shared, d.now.Shared() != "")
	kit.SetVisible(d.try, !d.now.Connected)
	kit.SetEnabled(d.try, !d.now.Trying)
	var lines []string
	for _, m := range d.now.Members {
		lines = append(lines, MemberWords(m))
	}
	if slices.Equal(lines, d.listed) {
		return
	}
	d.listed = lines
	d.members.RemoveAll()
	for i, line := range lines {
		style := kit.TextStyle{}
		if d.now.Members[i].Revoked {
			style.Color = look.ColorMuted
		}
		d.members.Add(kit.NewParagraph(line, style))
	}
}

// openRenew shows the form for another password or other certificates, or hides it.
func (d *deskPage) openRenew(open bool) {
	d.form.stop()
	d.form.clearSecrets()
	d.renews = open
	d.fill()
	d.layOut()
	if open {
		d.settings.focus(d.form.password)
	}
}

// joined says that the desk was joined, and shows it.
func (d *deskPage) joined(kept bool) {
	d.form.clearSecrets()
	d.renews = false
	d.say(look.IconCheck, JoinedWords(kept))
	d.read()
}

func (d *deskPage) tryNow() {
	d.try.Disable()
	d.run(func(ctx context.Context) func() {
		d.settings.Desk.Try(ctx)
		return d.read
	})
}

// askToLeave asks whether to leave the desk, and leaves it.
func (d *deskPage) askToLeave() {
	title, text, yes := d.now.LeaveDeskWords()
	d.settings.Sheet.Ask(title, text, yes, func() {
		d.leave.Disable()
		d.run(func(ctx context.Context) func() {
			err := d.settings.Desk.Leave(ctx)
			return func() {
				d.leave.Enable()
				if err != nil {
					d.say(look.IconWarning, present.Problem(err))
				} else {
					d.say(look.IconCheck, i18n.T("You have left the desk. Your cases are on this computer alone from now on."))
				}
				d.read()
			}
		})
	})
}

func (d *deskPage) say(icon fyne.Resource, sentence string) {
	d.said.SetIcon(icon)
	d.said.SetText(strings.TrimSpace(sentence))
	kit.SetVisible(d.said, sentence != "")
	d.layOut()
}
