package settings

import (
	"context"

	"assay/client/config"
	"assay/client/i18n"
)

// newDesktopPage asks how Assay lives on the desktop. What this desktop can't do is said, once that is known.
func newDesktopPage(p *page) {
	tray := tickRow(p, SettingTray, i18n.T("Show Assay in the tray"), i18n.T("With how many are under way, and how many wait for you. Turned off, it stays until Assay ends."),
		func(s *config.Settings) *bool { return &s.Desktop.Tray })
	hides := tickRow(p, SettingCloseHides, i18n.T("Closing the window hides it in the tray"), i18n.T("Assay goes on with its work then, until you quit it from the tray."),
		func(s *config.Settings) *bool { return &s.Desktop.CloseHides })
	starts := tickRow(p, SettingAutostart, i18n.T("Start Assay when you log in"), "",
		func(s *config.Settings) *bool { return &s.Desktop.Autostart })
	opens := tickRow(p, SettingOpenWith, i18n.T("Offer Assay under “Open with”"), i18n.T("For the types of files that the service takes."),
		func(s *config.Settings) *bool { return &s.Desktop.OpenWith })
	sends := tickRow(p, SettingSendTo, i18n.T("Offer Assay under “Send to”"), "",
		func(s *config.Settings) *bool { return &s.Desktop.SendTo })
	p.card(tray.root, hides.root, starts.root)
	p.card(opens.root, sends.root)
	reasons := DesktopReasons{}
	fill := func() {
		tray.reason, hides.reason = reasons.Tray, reasons.Tray
		if reasons.Tray == "" && !p.settings.Settings().Desktop.Tray {
			hides.reason = i18n.T("It needs the tray.")
		}
		starts.reason, opens.reason, sends.reason = reasons.Autostart, reasons.OpenWith, reasons.SendTo
	}
	p.fills = append([]func(){fill}, p.fills...)
	p.opened = func() {
		p.run(func(ctx context.Context) func() {
			found := p.settings.Desktop(ctx)
			return func() {
				reasons = found
				p.fill()
			}
		})
	}
}
