package settings

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/firstrun"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// servicePage shows the service in use, and leads to another one or to the sandbox.
type servicePage struct {
	*page
	now ServiceNow

	name        *kit.Paragraph
	means       *kit.Paragraph
	fixed       *fyne.Container // says why it can't be changed
	fixedWhy    *kit.Paragraph
	keyPart     *fyne.Container
	keyWords    *kit.Paragraph
	keyProblem  *kit.Notice
	actionsPart *fyne.Container
	actions     *fyne.Container // for the key
	test        *kit.Button
	replace     *kit.Button
	remove      *kit.Button
	result      *connectionNotice
	key         *firstrun.Form // for another key; its card is hidden until it is opened
	keyCard     *kit.Card
	other       *kit.Card
	otherTitle  *fyne.Container
	otherWays   *fyne.Container
	otherButton *kit.Button
	otherForm   *firstrun.Form
	backTo      *kit.Button // to the service from before the sandbox
	sandbox     *kit.Card
	useSandbox  *kit.Button
	problem     *kit.Notice // why another service could not be opened
}

func newServicePage(p *page) {
	s := &servicePage{page: p}
	s.now = p.settings.Service()
	s.newNow()
	s.newKeyForm()
	s.newOther()
	s.newSandbox()
	p.fills = append(p.fills, s.fill)
	p.typedKey = func(e *fyne.KeyEvent) bool {
		return s.key != nil && s.keyCard.Visible() && s.key.TypedKey(e) || s.otherForm.Root.Visible() && s.otherForm.TypedKey(e)
	}
}

// newNow is the card of the service in use and its key.
func (s *servicePage) newNow() {
	s.name = kit.NewParagraph("", kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold})
	s.means = kit.NewHint("")
	s.fixedWhy = kit.NewHint("")
	s.fixed = kit.NewLockedLine(s.fixedWhy)
	s.keyWords = kit.NewParagraph("", kit.TextStyle{})
	s.keyProblem = kit.NewNotice(look.IconLock, "", i18n.T("Ask the keychain again"), s.reload)
	s.result = newConnectionNotice(s.page)
	s.test = kit.NewButton(kit.Plain, i18n.T("Test the connection"), nil, func() { s.result.run(s.settings.Test) })
	s.replace = kit.NewButton(kit.Plain, "", nil, func() { s.openKey(true) })
	s.remove = kit.NewButton(kit.Plain, i18n.T("Remove the key…"), nil, s.removeKey)
	s.actions = container.New(&kit.Flow{Gap: 2 * look.Space, Line: 2 * look.Space}, s.test, s.replace, s.remove)
	s.keyPart, s.actionsPart = kit.NewGroup(s.keyWords, s.keyProblem), kit.NewGroup(s.actions, s.result.notice)
	s.card(container.New(kit.Column{Gap: look.Space, Grow: -1}, s.name, s.means, s.fixed),
		s.keyPart, s.actionsPart)
}

// newKeyForm is the form for another key for the service in use: the key is tested before it replaces the present one.
func (s *servicePage) newKeyForm() {
	actions := s.settings.Actions
	actions.Open = func(_ firstrun.ServiceDraft, _ bool, done func(error)) { done(nil) } // the session stays
	setup := firstrun.Setup{Draft: firstrun.ServiceDraft{Address: s.now.Address}, Stage: firstrun.SetupTyping, NeedsKey: true}
	s.key = firstrun.NewForm(actions, s.settings.Workers, setup, "", i18n.T("Save this key"), false)
	s.key.Reveal = func(o fyne.CanvasObject) { kit.RevealIn(s.scroll, o) }
	s.key.Root.Objects[0].Hide() // the address stays
	s.keyCard = s.card(titleAndCancel(i18n.T("Another key for this service"), func() { s.openKey(false) }), s.key.Root)
	s.keyCard.Hide()
	s.key.Changed = func() {
		if s.key.Setup.Stage == firstrun.SetupDone {
			s.openKey(false)
			s.settings.Refresh()
			return
		}
		s.layOut()
	}
}

// openKey shows the form for another key, empty, or hides it.
func (s *servicePage) openKey(open bool) {
	s.key.Stop()
	s.key.Setup = firstrun.Setup{Draft: firstrun.ServiceDraft{Address: s.now.Address}, Stage: firstrun.SetupTyping, NeedsKey: true}
	s.key.Address.SetText(s.now.Address)
	s.key.Key.Clear()
	kit.SetVisible(s.keyCard, open)
	s.result.clear()
	if open {
		s.key.Fill()
		s.settings.focus(s.key.Key)
		return
	}
	s.layOut()
}

// newOther is the card for another service.
func (s *servicePage) newOther() {
	actions := s.settings.Actions
	actions.Open = s.open
	s.otherForm = firstrun.NewForm(actions, s.settings.Workers, firstrun.Setup{}, "", i18n.T("Use this service"), false)
	s.otherForm.Changed = s.layOut
	s.otherForm.Reveal = func(o fyne.CanvasObject) { kit.RevealIn(s.scroll, o) }
	s.otherTitle = titleAndCancel(i18n.T("Another service"), func() { s.openOther(false) })
	s.otherButton = kit.NewButton(kit.Plain, "", nil, func() { s.openOther(true) })
	s.backTo = kit.NewButton(kit.Plain, "", nil, func() {
		address := s.settings.Settings().Service.Address
		s.ask(address, func() { s.openNow(firstrun.ServiceDraft{Address: address}, false) })
	})
	s.problem = kit.NewNotice(look.IconWarning, "", "", nil)
	s.problem.Hide()
	s.otherWays = container.New(kit.Column{Gap: 3 * look.Space, Grow: -1},
		container.New(kit.Column{Gap: look.Space, Grow: -1},
			kit.NewParagraph(i18n.T("Another service"), kit.TextStyle{Weight: look.WeightBold}), kit.NewHint(OtherServiceWords())),
		container.New(&kit.Flow{Gap: 2 * look.Space, Line: 2 * look.Space}, s.backTo, s.otherButton))
	s.other = s.card(s.otherTitle, s.otherWays, s.otherForm.Root, s.problem)
	s.openOther(false)
}

// openOther shows the form for another service, or hides it.
func (s *servicePage) openOther(open bool) {
	if !open {
		s.otherForm.Do(s.otherForm.Setup.Stop())
	}
	kit.SetVisible(s.otherTitle, open)
	kit.SetVisible(s.otherForm.Root, open)
	kit.SetVisible(s.otherWays, !open)
	s.layOut()
	if open {
		s.settings.focus(s.otherForm.Address)
	}
}

// titleAndCancel is the head of a form that can be closed again.
func titleAndCancel(title string, cancel func()) *fyne.Container {
	return container.New(kit.BesideButton{}, kit.NewParagraph(title, kit.TextStyle{Weight: look.WeightBold}), kit.NewButton(kit.Bare, i18n.T("Cancel"), nil, cancel))
}

// newSandbox is the card that offers the sandbox.
func (s *servicePage) newSandbox() {
	_, means := ServiceNow{Sandbox: true}.Words()
	s.useSandbox = kit.NewButton(kit.Plain, i18n.T("Use the sandbox"), look.IconPlay, func() {
		s.ask("", func() { s.openNow(firstrun.ServiceDraft{}, true) })
	})
	words := container.New(kit.Column{Gap: look.Space, Grow: -1},
		kit.NewParagraph(i18n.T("The sandbox"), kit.TextStyle{Weight: look.WeightBold}), kit.NewHint(means))
	s.sandbox = s.card(container.New(kit.BesideButton{}, words, s.useSandbox))
}

// ask asks whether to switch to another service, and runs do if so; to is "" for the sandbox.
func (s *servicePage) ask(to string, do func()) {
	title, text, yes := s.settings.Service().LeaveWords(to)
	s.settings.Sheet.Ask(title, text, yes, do)
}

// open switches to a service that was filled in and tested: at once if nothing is under way here, else once the person has agreed.
func (s *servicePage) open(d firstrun.ServiceDraft, sandbox bool, done func(error)) {
	if s.settings.Service().UnderWay == 0 {
		s.settings.Open(d, sandbox, done)
		return
	}
	agreed := false
	s.ask(d.Service(), func() {
		agreed = true
		s.settings.Open(d, sandbox, done)
	})
	s.settings.Sheet.OnClosed(func() {
		if !agreed {
			s.otherForm.Do(s.otherForm.Setup.NotOpened())
		}
	})
}

// openNow switches without the form.
func (s *servicePage) openNow(d firstrun.ServiceDraft, sandbox bool) {
	s.useSandbox.Disable()
	s.backTo.Disable()
	s.settings.Open(d, sandbox, func(err error) {
		s.useSandbox.Enable()
		s.backTo.Enable()
		text := ""
		if err != nil {
			text = present.Problem(err)
		}
		s.problem.SetText(text)
		kit.SetVisible(s.problem, text != "")
		s.settings.Refresh()
	})
}

func (s *servicePage) removeKey() {
	title, text, yes := RemoveKeyWords()
	s.settings.Sheet.Ask(title, text, yes, func() { s.keyAction(s.settings.RemoveKey) })
}

func (s *servicePage) reload() { s.keyAction(s.settings.ReloadKey) }

// keyAction does an action with the key, and shows its error.
func (s *servicePage) keyAction(action func(ctx context.Context) error) {
	s.result.clear()
	s.run(func(ctx context.Context) func() {
		err := action(ctx)
		return func() {
			s.settings.Refresh()
			s.result.failed(err)
		}
	})
}

// fill shows the present service and key.
func (s *servicePage) fill() {
	before := s.now.Address
	s.now = s.settings.Service()
	if s.now.Address != before {
		s.openKey(false)
	}
	name, means := s.now.Words()
	s.name.SetText(name)
	s.means.SetText(means)
	why, fixed := OriginWords(s.settings.Origin(SettingAddress))
	if use, usedFixed := OriginWords(s.settings.Origin(SettingUse)); usedFixed {
		why, fixed = use, true
	}
	s.fixedWhy.SetText(why)
	kit.SetVisible(s.fixed, fixed)

	words, problem := KeyWords(s.now.Key)
	kept, replaceable := KeyKept(s.now.Key)
	s.keyWords.SetText(words)
	kit.SetVisible(s.keyPart, !s.now.Sandbox)
	s.keyProblem.SetText(problem)
	kit.SetVisible(s.keyProblem, problem != "")
	kit.SetVisible(s.actionsPart, !s.now.Sandbox)
	kit.SetEnabled(s.test, kept)
	s.replace.SetLabel(i18n.T("Fill in a key…"))
	if kept {
		s.replace.SetLabel(i18n.T("Replace the key…"))
	}
	kit.SetVisible(s.replace, replaceable)
	kit.SetVisible(s.remove, kept && replaceable)

	kit.SetVisible(s.other, !fixed)
	kit.SetVisible(s.sandbox, !fixed && !s.now.Sandbox)
	address := s.settings.Settings().Service.Address
	kit.SetVisible(s.backTo, s.now.Sandbox && address != "")
	s.backTo.SetLabel(i18n.F("Go back to %s", address))
	s.otherButton.SetLabel(i18n.T("Use another service…"))
	if s.now.Sandbox {
		s.otherButton.SetLabel(i18n.T("Use a service…"))
	}
	kit.Relayout(s.actions)
	kit.RelayoutDeep(s.otherWays)
}

// connectionNotice is a notice with the outcome of a test of the service in use, or of another action.
type connectionNotice struct {
	page   *page
	notice *kit.Notice
	cancel func()
}

func newConnectionNotice(p *page) *connectionNotice {
	r := &connectionNotice{page: p, notice: kit.NewNotice(look.IconInfo, "", "", nil), cancel: func() {}}
	r.notice.Hide()
	return r
}

// run tests the service once.
func (r *connectionNotice) run(test func(ctx context.Context) error) {
	r.cancel()
	r.say(look.IconHourglass, "", i18n.T("Testing the connection…"))
	r.notice.SetAction(i18n.T("Stop"), r.clear)
	r.cancel = r.page.run(func(ctx context.Context) func() {
		err := test(ctx)
		return func() {
			title, sentence := firstrun.TestWords(err)
			icon := look.IconCheck
			if err != nil {
				icon = look.IconWarning
			}
			r.say(icon, title, sentence)
		}
	})
}

// failed shows an error; nil shows nothing.
func (r *connectionNotice) failed(err error) {
	if err != nil {
		r.say(look.IconWarning, "", present.Problem(err))
	}
}

func (r *connectionNotice) say(icon fyne.Resource, title, sentence string) {
	r.notice.SetIcon(icon)
	r.notice.SetTitle(title)
	r.notice.SetText(sentence)
	r.notice.SetAction("", nil)
	kit.SetVisible(r.notice, true)
	r.page.layOut()
}

// clear stops a test, and hides the notice.
func (r *connectionNotice) clear() {
	r.cancel()
	r.cancel = func() {}
	kit.SetVisible(r.notice, false)
	r.page.layOut()
}
