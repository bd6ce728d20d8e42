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

// newAboutPage says what Assay is, and hands out what helps others to help.
func newAboutPage(p *page) {
	about := p.settings.About
	what, _ := firstrun.SetupWords()
	licences := kit.NewButton(kit.Plain, i18n.T("Licences…"), nil, func() { showLicences(p.settings.Sheet, about.Licences()) })
	kit.SetVisible(licences, about.Licences != nil)
	words := container.New(kit.Column{Gap: look.Space, Grow: -1},
		kit.NewParagraph("Assay", kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold}),
		kit.NewHint(i18n.F("Version %s", about.Version)), kit.NewParagraph(what, kit.TextStyle{}))
	if p.settings.Service().Sandbox {
		words.Add(kit.NewHint(i18n.T(present.SandboxNote)))
	}
	p.card(words, container.New(&kit.Flow{}, licences))
	p.card(newCopyRow(p, i18n.T("Diagnostics"),
		i18n.T("What state Assay is in, for whoever helps you: versions, counts and causes. It holds no key, no name and no link. Read it before you pass it on."),
		i18n.T("Copy diagnostics"), p.settings.Diagnostics))
	if !about.Crashed.IsZero() {
		p.card(newCopyRow(p, i18n.T("Report of a crash"), CrashWords(about.Crashed), i18n.T("Copy the report"), p.settings.CrashReport))
	}
}

// newCopyRow offers a text for the clipboard.
func newCopyRow(p *page, title, means, label string, text func(ctx context.Context) (string, error)) fyne.CanvasObject {
	said := kit.NewNotice(look.IconCheck, "", "", nil)
	said.Hide()
	say := func(icon fyne.Resource, sentence string) {
		said.SetIcon(icon)
		said.SetText(sentence)
		kit.SetVisible(said, true)
	}
	button := kit.NewButton(kit.Plain, label, nil, nil)
	button.OnTapped = func() {
		button.Disable()
		p.run(func(ctx context.Context) func() {
			found, err := text(ctx)
			return func() {
				button.Enable()
				if err != nil {
					say(look.IconWarning, present.Problem(err))
					return
				}
				p.settings.Copy(found)
				say(look.IconCheck, i18n.T("It is in the clipboard now."))
			}
		})
	}
	words := container.New(kit.Column{Gap: look.Space, Grow: -1}, kit.NewParagraph(title, kit.TextStyle{Weight: look.WeightBold}), kit.NewHint(means))
	return kit.NewGroup(container.New(kit.BesideButton{}, words, button), said)
}
