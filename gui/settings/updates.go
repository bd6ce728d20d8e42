package settings

import (
	"context"

	"fyne.io/fyne/v2/container"

	"assay/client/config"
	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// addUpdates adds to a page whether newer versions are asked for, where the system does not update Assay.
func addUpdates(p *page) {
	u := p.settings.Updates
	if u == nil {
		return
	}
	said := kit.NewNotice(look.IconInfo, "", "", nil)
	said.Hide()
	say := func(sentence, action string, do func()) {
		said.SetText(sentence)
		said.SetAction(action, do)
		kit.SetVisible(said, true)
	}
	offline := kit.NewHint(i18n.T("While you use the sandbox, Assay does not check."))
	check, asking := kit.NewButton(kit.Plain, i18n.T("Check now"), nil, nil), false
	fill := func() {
		forbidden := p.settings.Origin(SettingUpdates) == config.Locked && !p.settings.Settings().Updates.Check
		kit.SetVisible(offline, u.Offline())
		kit.SetEnabled(check, !asking && !forbidden && !u.Offline())
	}
	check.OnTapped = func() {
		asking = true
		fill()
		p.run(func(ctx context.Context) func() {
			newer, err := u.Ask(ctx)
			return func() {
				asking = false
				fill()
				switch {
				case err != nil:
					say(present.Problem(err), "", nil)
				case newer == Newer{}:
					say(NewestWords(u.Own), "", nil)
				default:
					more, _ := UpdateActions()
					say(UpdateWords(newer.Version, u.Own), more, func() { u.Open(newer) })
				}
			}
		})
	}
	p.card(tickRow(p, SettingUpdates, i18n.T("Check for a newer version once a week"), UpdateHint(u.Host),
		func(s *config.Settings) *bool { return &s.Updates.Check }).root,
		kit.NewGroup(container.New(&kit.Flow{}, check), offline, said))
	p.fills = append(p.fills, fill)
}
